"""The commands for coding agents."""

from __future__ import annotations

import argparse

from jotsam.agents.registry import AGENTS
from jotsam.surfaces.cli.command import Option, command, one_of, option, query
from jotsam.surfaces.cli.options import IDS, limit

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

BLOCK = option("name NAME", "name of the block")
TEXT = option("text TEXT", "text, or - for standard input")
VERSION = option("--version NUMBER", "change nothing if the block has another version", dest="expected")
OF_BLOCK = "{} of the block, '' for none (default: of the project that you are in, and of no actor)"
LENGTH = "maximum of characters (default: as before, at first 2,000)"
PIN = "put it into each brief, or not (default: as before, at first yes)"


def _address(about: str) -> tuple[Option, ...]:
    """The project and the actor that a block belongs to."""
    return tuple(option(f"--{name} NAME", about.format(name)) for name in ("project", "actor"))


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
        "agents",
        "list the agents that Jotsam is installed in; and what agents call themselves",
        "jotsam agents",
        "jotsam agents uninstall claude",
        command(
            "list agents.install:list_agents",
            "list the agents that Jotsam is installed in; when the last turn of each arrived",
            option(
                "--plugin-folder AGENT?",
                "print the folder of the plugin for Claude Code, or of the extension for Gemini CLI, which is another"
                f" way to install (default: {AGENTS[0]})",
                choices=AGENTS,
                const=AGENTS[0],
            ),
        ),
        command(
            "uninstall agents.install:uninstall",
            "remove from a coding agent what `jotsam install` added",
            "jotsam agents uninstall claude",
            *INSTALLING,
        ),
        command(
            "capture agents.capture:switch_capture",
            "switch capture by hooks off or on; or show what is off",
            "jotsam agents capture off --project secret",
            "jotsam agents capture on --project secret",
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
            "jotsam agents extract-prompt 4f2a91c3",
            option("ids ID*", IDS),
            option("--schema", "print only the JSON schema of the expected answer"),
        ),
        command(
            "extract-apply agents.extraction:extract_apply",
            "validate and save an extraction made by an agent",
            "jotsam agents extract-apply answer.json --by claude",
            option("file FILE", "JSON file as described by `extract-prompt --schema`, or - for standard input"),
            option("--by NAME", "name of the agent", default=""),
            queueable="file by",
        ),
        takes_options=True,
    ),
    command(
        "brief",
        "print what the next session or a prompt would get; its rules and its blocks",
        "jotsam brief",
        "jotsam brief --prompt 'deploy this'",
        "jotsam brief rules",
        command(
            "show ask.notes:print_brief",
            "print what the next session or a prompt would get, and why",
            "jotsam brief show --prompt 'deploy this'",
            option("--project NAME", "of this project (default: that of the folder)"),
            option("--prompt TEXT", "what an agent would get with this prompt"),
            option("--tokens NUMBER", "at most this many, 50 to 5,000 (default: 300, with --prompt 600)", type=int),
            read_only=True,
        ),
        command(
            "rules",
            "the standing orders that come first in each brief: list, add, edit, strike",
            "jotsam brief rules",
            command(
                "list ask.notes:list_rules",
                "list the rules of the project and those that hold everywhere",
                "jotsam brief rules list --all",
                option("--project NAME", "of this project (default: that of the folder)"),
                option("--all", "also those that were replaced or struck"),
                limit("rules"),
                read_only=True,
            ),
            command(
                "add ask.notes:add",
                "add a rule",
                "jotsam brief rules add 'pnpm, never npm'",
                "jotsam brief rules add --everywhere 'answer in short sentences'",
                option("text TEXT", "the rule, at most 300 characters"),
                option("--project NAME", "of this project (default: that of the folder)"),
                option("--everywhere", "it holds in every project"),
            ),
            command(
                "edit ask.notes:edit",
                "say a rule in other words",
                "jotsam brief rules edit 4f2a91c3.0 'pnpm for the frontend, never npm'",
                option("id ID", "id of the rule, as `jotsam brief rules` and `jotsam brief` print it"),
                option("text TEXT", "the rule, at most 300 characters"),
            ),
            command(
                "strike ask.notes:strike",
                "strike a rule or another line of a brief: no session gets it again",
                "jotsam brief rules strike 4f2a91c3.0",
                "jotsam brief rules strike 4f2a91c3.0 --undo",
                option("id ID", "id of the line, as `jotsam brief rules` and `jotsam brief` print it"),
                option("--old", "it held once, and does no longer"),
                option("--keep", "it holds, though something seems to have ended it"),
                option("--undo", "take back what was said of it"),
            ),
            takes_options=True,
        ),
        command(
            "blocks",
            "small named texts that are always at hand: the pinned ones come first in a brief",
            "jotsam brief blocks --project shop",
            query(
                "list remember.blocks:list_blocks",
                "list blocks by name",
                "jotsam brief blocks list --project shop",
                *_address("only blocks of this {}; '' for those of none"),
                limit("blocks", default=200),
            ),
            query(
                "get remember.blocks:get",
                "print the text of a block",
                "jotsam brief blocks get human",
                BLOCK,
                *_address(OF_BLOCK),
            ),
            command(
                "set remember.blocks:change",
                "create a block, or replace its text",
                "jotsam brief blocks set human 'Ana, writes Python, prefers short answers.'",
                BLOCK,
                TEXT,
                option("--limit NUMBER", LENGTH, dest="max_length"),
                option("--pin", PIN, action=argparse.BooleanOptionalAction, default=None),
                VERSION,
                *_address(OF_BLOCK),
            ),
            command(
                "append remember.blocks:append",
                "add a line to a block",
                "jotsam brief blocks append human 'Works in Bonn.'",
                BLOCK,
                TEXT,
                VERSION,
                *_address(OF_BLOCK),
            ),
            command(
                "delete remember.blocks:delete",
                "delete a block",
                "jotsam brief blocks delete human",
                BLOCK,
                VERSION,
                *_address(OF_BLOCK),
            ),
            takes_options=True,
        ),
        takes_options=True,
    ),
)
