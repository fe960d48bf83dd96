"""Claude Code: its hooks."""

from __future__ import annotations

from jotsam.agents.agent import Agent

AGENT = Agent(
    name="claude",
    title="Claude Code",
    has_transcripts=True,
    instructions="CLAUDE.md",
    rule_files=(".claude/CLAUDE.md",),
    rule_folders=(".claude/commands", ".claude/skills"),
    plugin="claude_plugin",
    variables=("CLAUDECODE",),
)
