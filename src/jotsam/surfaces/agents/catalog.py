"""The agents that `jotsam install` knows."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.surfaces.agents import claude

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.surfaces.agents.agent_files import AgentFile

SCOPES = ("user", "project")


class Agent(Record):
    """One agent. `files(scope, folder)` gives its files; `note` is what its user has to know."""

    name: str
    title: str
    files: Callable[[str, str], tuple[AgentFile, ...]]
    note: str = ""

    @property
    def has_hooks(self) -> bool:
        return self.name != "vscode"


AGENTS = {agent.name: agent for agent in (Agent(name="claude", title="Claude Code", files=claude.files),)}


def agent(name: str) -> Agent:
    if name not in AGENTS:
        raise InvalidInput(f"unknown agent {name!r}: must be one of {', '.join(AGENTS)}")
    return AGENTS[name]
