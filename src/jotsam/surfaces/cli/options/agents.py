"""Options of the commands for coding agents: `install`, `uninstall` and `agents`."""

from __future__ import annotations

from jotsam.core.names import AGENTS
from jotsam.surfaces.cli.arguments import add_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands, Parser

SCOPES = ("user", "project")


def add_commands(commands: Commands) -> None:
    about = "give a coding agent a memory: add hooks and the MCP server to its files, after showing the changes"
    install = _changing(commands, "install", about)
    about = "also write three lines about memory into the instructions of the agent, such as CLAUDE.md"
    install.add_argument("--instructions", action="store_true", help=about)
    about = "remove from a coding agent what `jotsam install` added"
    _changing(commands, "uninstall", about)
    about = "list the agents that Jotsam is installed in; when the last turn of each arrived"
    agents = add_command(commands, "agents", module="agents", function="show", help=about)
    about = "print the folder of the plugin for Claude Code, which is another way to install"
    agents.add_argument("--plugin-folder", action="store_true", help=about)


def _changing(commands: Commands, name: str, about: str) -> Parser:
    command = add_command(commands, name, module="agents", function=name, help=about)
    command.add_argument("agent", choices=AGENTS, metavar="AGENT", help=f"one of {', '.join(AGENTS)}")
    about = "for all projects of this user, or for the project in the current directory (default: user; git: project)"
    command.add_argument("--scope", choices=SCOPES, help=about)
    command.add_argument("--dry-run", action="store_true", help="show the changes, change nothing")
    command.add_argument("--yes", action="store_true", help="do not ask on a terminal")
    return command
