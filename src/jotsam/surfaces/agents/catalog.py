"""The agents that `jotsam install` knows."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.surfaces.agents import claude, codex, cursor, gemini, git, opencode, vscode
from jotsam.surfaces.agents.instructions import instructions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.surfaces.agents.agent_files import AgentFile


class Agent(Record):
    """One agent. `files(scope, folder)` gives its files; `note` is what its user has to know."""

    name: str
    title: str
    files: Callable[[str, str], tuple[AgentFile, ...]]
    note: str = ""
    has_hooks: bool = True
    captures: str = ""  # what its hooks store, if it is not what those of other agents store
    scopes: tuple[str, ...] = ("user", "project")

    def instructions(self, scope: str, folder: str) -> AgentFile | None:
        """Its instructions, into which lines about memory are written on request."""
        return instructions(self.name, files=self.files(scope, folder), folder=folder)


AGENTS = {
    agent.name: agent
    for agent in (
        Agent(name="claude", title="Claude Code", files=claude.files),
        Agent(name="codex", title="Codex CLI", files=codex.files, note=codex.NOTE),
        Agent(name="gemini", title="Gemini CLI", files=gemini.files, note=gemini.NOTE),
        Agent(name="opencode", title="opencode", files=opencode.files),
        Agent(name="cursor", title="Cursor", files=cursor.files),
        Agent(name="vscode", title="VS Code", files=vscode.files, note=vscode.NOTE, has_hooks=False),
        Agent(name="git", title="git", files=git.files, note=git.NOTE, captures=git.CAPTURED, scopes=("project",)),
    )
}


def agent(name: str) -> Agent:
    """The agent of a name. Raises `InvalidInput`."""
    if name not in AGENTS:
        raise InvalidInput(f"unknown agent {name!r}: must be one of {', '.join(AGENTS)}")
    return AGENTS[name]
