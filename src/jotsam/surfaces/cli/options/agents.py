"""Options of the commands for coding agents: `install`, `uninstall` and `agents`."""

from __future__ import annotations

from jotsam.agents.registry import AGENTS
from jotsam.surfaces.cli.arguments import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Parser

SCOPES = ("user", "project")


def _install(install: Parser) -> None:
    _uninstall(install)
    about = "also write three lines about memory into the instructions of the agent, such as CLAUDE.md"
    install.add_argument("--instructions", action="store_true", help=about)


def _agents(agents: Parser) -> None:
    about = "print the folder of the plugin for Claude Code, which is another way to install"
    agents.add_argument("--plugin-folder", action="store_true", help=about)


def _uninstall(command: Parser) -> None:
    command.add_argument("agent", choices=AGENTS, metavar="AGENT", help=f"one of {', '.join(AGENTS)}")
    about = "for all projects of this user, or for the project in the current directory (default: user; git: project)"
    command.add_argument("--scope", choices=SCOPES, help=about)
    command.add_argument("--dry-run", action="store_true", help="show the changes, change nothing")
    command.add_argument("--yes", action="store_true", help="do not ask on a terminal")


COMMANDS = (
    Command(
        name="install",
        run="agents:install",
        help="give a coding agent a memory: add hooks and the MCP server to its files, after showing the changes",
        examples=("jotsam install claude", "jotsam install codex --scope project --dry-run"),
        options=_install,
    ),
    Command(
        name="uninstall",
        run="agents:uninstall",
        help="remove from a coding agent what `jotsam install` added",
        examples=("jotsam uninstall claude",),
        options=_uninstall,
    ),
    Command(
        name="agents",
        run="agents:show",
        help="list the agents that Jotsam is installed in; when the last turn of each arrived",
        examples=("jotsam agents",),
        options=_agents,
    ),
)
