"""Who reads what a command prints: a person at a terminal, or a program or agent."""

from __future__ import annotations

import os

from jotsam.surfaces.cli.output import stdout

# Set by agents for the commands that they run: by Claude Code, Codex, Cursor, Gemini CLI and opencode; `AI_AGENT` by
# several. Collected from their sources and from the package @vercel/detect-agent. Variables that editors set in the
# terminals of people, such as CURSOR_TRACE_ID, are not among them.
AGENT_VARIABLES = (
    *("AI_AGENT", "CLAUDECODE", "CODEX_SANDBOX", "CODEX_THREAD_ID", "CURSOR_AGENT", "GEMINI_CLI", "OPENCODE"),
)


def is_person() -> bool:
    """Whether standard output is a terminal and no agent has started this process."""
    return stdout().isatty() and not any(os.environ.get(name) for name in AGENT_VARIABLES)
