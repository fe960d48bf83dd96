"""Codex CLI: its hooks. Events and fields are those of Claude Code."""

from __future__ import annotations

from jotsam.agents.agent import Agent

AGENT = Agent(
    name="codex",
    title="Codex CLI",
    has_transcripts=True,
    note='Codex runs a hook only after you trust it: start `codex`, choose "Trust all and continue", or type /hooks',
    silent_until=(
        "start `codex` and trust its hooks, when it asks or type /hooks: `codex exec` skips them until then, in silence"
    ),
    variables=("CODEX_SANDBOX", "CODEX_THREAD_ID"),
)
