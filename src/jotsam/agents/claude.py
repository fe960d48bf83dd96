"""Claude Code: its hooks."""

from __future__ import annotations

from jotsam.agents.agent import ANSWER, COMPACT, END, PROMPT, START, SUMMARY, Agent

NAME = "claude"

EVENTS = {
    "SessionStart": (START, ""),
    "UserPromptSubmit": (PROMPT, "prompt"),
    "Stop": (ANSWER, "last_assistant_message"),
    "SubagentStop": (ANSWER, "last_assistant_message"),
    "PreCompact": (COMPACT, ""),
    "PostCompact": (SUMMARY, "compact_summary"),
    "SessionEnd": (END, ""),
}
AGENT = Agent(events=EVENTS, has_transcripts=True)
