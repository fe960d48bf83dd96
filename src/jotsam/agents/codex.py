"""Codex CLI: its hooks. Events and fields are those of Claude Code."""

from __future__ import annotations

from jotsam.agents.agent import Agent
from jotsam.agents.claude import EVENTS

NAME = "codex"

AGENT = Agent(events=EVENTS, has_transcripts=True)
