"""The commands for coding agents."""

from __future__ import annotations

from jotsam.agents.registry import AGENTS
from jotsam.surfaces.cli.command import command, one_of, option
from jotsam.surfaces.cli.options import IDS

MCP_PROFILES = ("jotsam", "automem")
INSTALLING = (
    option("agent AGENT", f"one of {', '.join(AGENTS)}", choices=AGENTS),
    option(
        "--scope",
        "for all projects of this user, or for the project in the current directory (default: user; git: project)",
        choices=("user", "project"),
    ),
    option("--dry-run", "show the changes, change nothing"),
    option("--yes", "do not ask on a terminal"),
)

COMMANDS = (
    command(
        "install agents.install:install",
        "give a coding agent a memory: add hooks and the MCP server to its files, after showing the changes",
        "jotsam install claude",
        "jotsam install codex --scope project --dry-run",
        *INSTALLING,
        option(
            "--instructions",
            "also write three lines about memory into the instructions of the agent, such as CLAUDE.md",
        ),
    ),
    command(
        "uninstall agents.install:uninstall",
        "remove from a coding agent what `jotsam install` added",
        "jotsam uninstall claude",
        *INSTALLING,
    ),
    command(
        "agents agents.install:list_agents",
        "list the agents that Jotsam is installed in; when the last turn of each arrived",
        option("--plugin-folder", "print the folder of the plugin for Claude Code, which is another way to install"),
    ),
    command(
        "capture agents.capture:switch_capture",
        "switch capture by hooks off or on; or show what is off",
        "jotsam capture off --project secret",
        "jotsam capture on --project secret",
        option(
            "state",
            "off, on or status (default); without an option, of all sessions",
            nargs="?",
            choices=("off", "on", "status"),
            default="status",
        ),
        one_of(
            option("--project NAME", "of the sessions in this project"),
            option("--path DIR", "of the sessions in this directory, or below it"),
            option("--session ID", "of this session"),
        ),
    ),
    command(
        "mcp operate.serve:serve_mcp",
        "serve the memory to an agent: Model Context Protocol over standard input and output",
        "claude mcp add jotsam -- jotsam mcp",
        option("--project NAME", "project of what is remembered, and ranked first by recall"),
        option(
            "--harness NAME", "stored as the source of what is remembered (default: the name that the client gives)"
        ),
        option(
            "--profile",
            "tools to offer: jotsam, or the six of the AutoMem client (default: %(default)s)",
            choices=MCP_PROFILES,
            default=MCP_PROFILES[0],
        ),
    ),
    # For its help only: `start` runs `hook` before a parser could reject its arguments.
    command(
        "hook",
        "store a turn of an agent session; agents call this from their hooks",
        'echo \'{"session_id": "s", "prompt": "Use tabs."}\' | jotsam hook UserPromptSubmit',
        option("event EVENT", "UserPromptSubmit or Stop; the event itself is read as JSON from standard input"),
        option("--harness NAME", "name of the calling agent (default: claude-code)"),
        option("--project NAME", "project of the turn (default: name of the git repository of the session)"),
    ),
    command(
        "extract-prompt agents.extraction:extract_prompt",
        "print a prompt for an agent to extract entities and facts",
        "jotsam extract-prompt 4f2a91c3",
        option("ids ID*", IDS),
        option("--schema", "print only the JSON schema of the expected answer"),
    ),
    command(
        "extract-apply agents.extraction:extract_apply",
        "validate and save an extraction made by an agent",
        "jotsam extract-apply answer.json --by claude",
        option("file FILE", "JSON file as described by `extract-prompt --schema`, or - for standard input"),
        option("--by NAME", "name of the agent", default=""),
        queueable="file by",
    ),
)
