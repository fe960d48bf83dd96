"""Who reads what a command prints: a person at a terminal, or a program or agent."""

from __future__ import annotations

import os

from jotsam.agents.agent import every_agent
from jotsam.surfaces.cli.output import stdout


def is_person() -> bool:
    """Whether standard output is a terminal and no agent has started this process."""
    return stdout().isatty() and not any(os.environ.get(name) for name in agent_variables())


def agent_variables() -> tuple[str, ...]:
    """What agents set for the commands that they run.

    Collected from their sources and from the package @vercel/detect-agent. Variables that editors set in the terminals
    of people, such as CURSOR_TRACE_ID, are not among them.
    """
    return ("AI_AGENT", *(name for agent in every_agent() for name in agent.variables))  # Several set the first.
