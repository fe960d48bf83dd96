"""Options of the commands for setup, backups and diagnosis: `doctor`, `migrate`, `backup`, `embedder`, ..."""

from __future__ import annotations

import argparse

from jotsam.core.settings import Settings
from jotsam.surfaces.cli.arguments import add_command, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands

SHELLS = ("bash", "zsh", "fish", "tcsh")
MCP_PROFILES = ("jotsam", "automem")
WEIGHTS = ("model.safetensors", "model.onnx")


def add_commands(commands: Commands) -> None:
    about = "check settings, database, queue and models; run an end-to-end test"
    doctor = add_command(commands, "doctor", module="doctor", help=about)
    about = (
        "rebuild a damaged full-text index, restore row-level security on PostgreSQL, store turns that hooks"
        " spooled for a database that cannot exist, and write the launcher of agents again"
    )
    doctor.add_argument("--repair", action="store_true", help=about)

    about = "update the database schema; or copy everything into another database"
    migrate = add_command(commands, "migrate", module="migrate", help=about)
    migrate.add_argument("--dry-run", action="store_true", help="print the SQL instead of running it")
    about = "let a PostgreSQL role that owns nothing use the tables: row-level security then binds it"
    migrate.add_argument("--grant", metavar="ROLE", help=about)
    about = "copy the data of all tenants into this database: a file, or a postgresql:// URL"
    migrate.add_argument("--to", metavar="DATABASE", help=about)
    about = "partition the tables of a new PostgreSQL database by a hash of the tenant (default: they are not)"
    migrate.add_argument("--partitions", metavar="N", type=int, help=about)

    about = "at a terminal, also print the rows and checksum of each table that --to copied"
    migrate.add_argument("-v", "--verbose", action="store_true", help=about)

    _move_tenant(commands)
    _mcp(commands)
    _backup(commands)
    _embedder(commands)
    about = "show for how long things are kept; and what a worker would remove now"
    add_command(commands, "retention", module="retention", read_only=True, help=about)
    about = "remove what is past its time; keep indexes, statistics and files in order"
    maintain = add_command(commands, "maintain", module="maintain", help=about)
    about = "also rewrite the file without its unused pages; writers wait until it is done"
    maintain.add_argument("--vacuum", action="store_true", help=about)
    _config(commands)
    _help(commands)
    about = "print a script that completes commands and files in a shell"
    completion = add_command(commands, "completion", module="completion", help=about)
    completion.add_argument("shell", choices=SHELLS)


def _move_tenant(commands: Commands) -> None:
    about = "move one tenant to another PostgreSQL server; the others go on working"
    move = add_command(commands, "move-tenant", module="move_tenant", help=about)
    move.add_argument("name", metavar="TENANT", help="the tenant to move")
    move.add_argument("--to", metavar="DATABASE", required=True, help="postgresql:// URL of the other database")
    ways = move.add_mutually_exclusive_group()
    ways.add_argument("--dry-run", action="store_true", help="print how many rows would be moved, and change nothing")
    about = "undo a move that was interrupted, instead of finishing it"
    ways.add_argument("--undo", action="store_true", help=about)


def _mcp(commands: Commands) -> None:
    about = "serve the memory to an agent: Model Context Protocol over standard input and output"
    mcp = add_command(commands, "mcp", module="mcp", help=about)
    mcp.add_argument("--project", metavar="NAME", help="project of what is remembered, and ranked first by recall")
    about = "stored as the source of what is remembered (default: the name that the client gives)"
    mcp.add_argument("--harness", metavar="NAME", help=about)
    about = "tools to offer: jotsam, or the six of the AutoMem client (default: %(default)s)"
    mcp.add_argument("--profile", choices=MCP_PROFILES, default=MCP_PROFILES[0], help=about)


def _backup(commands: Commands) -> None:
    about = "copy the database file to a checked backup, while it is used"
    backup = add_command(commands, "backup", module="backup", help=about)
    about = "new file, or folder for a name with the time (default: the folder `backups` beside the database)"
    backup.add_argument("file", metavar="FILE", nargs="?", help=about)
    about = "remove older backups in the folder, so that this many remain"
    backup.add_argument("--keep", type=positive_int, metavar="NUMBER", help=about)
    about = "replace the database file by a backup; the replaced one is kept beside it"
    restore = add_command(commands, "restore", module="backup", function="restore", help=about)
    restore.add_argument("file", metavar="FILE", help="the backup")
    about = "save what can be read of a damaged database file in a new one"
    salvage = add_command(commands, "salvage", module="backup", function="salvage", help=about)
    salvage.add_argument("damaged", metavar="DAMAGED_FILE", help="the damaged file, which is not changed")
    salvage.add_argument("new", metavar="NEW_FILE", help="the new file")


def _embedder(commands: Commands) -> None:
    about = "show, install or apply an embedding model"
    embedder = add_command(commands, "embedder", module="embedder", function="show", help=about)
    verbs = embedder.add_subparsers(title="subcommands (default: show)", metavar="COMMAND")
    about = "show the chosen model and how many memories it has embedded"
    add_command(verbs, "show", module="embedder", function="show", help=about)
    about = "install an embedding model from a directory or a URL"
    fetch = add_command(verbs, "fetch", module="embedder", function="fetch", help=about)
    fetch.add_argument("source", metavar="SOURCE", help="directory that contains a model, or URL of its files")
    about = "value of the setting embed_model that chooses it (default: last part of SOURCE)"
    fetch.add_argument("--name", help=about)
    about = "expected SHA-256 of the weights; required for a URL"
    fetch.add_argument("--sha256", metavar="HEX", help=about)
    about = "file name of the weights (default: %(default)s)"
    fetch.add_argument("--weights", choices=WEIGHTS, default=WEIGHTS[0], help=about)
    about = "embed all memories that have no vector of the chosen model"
    refresh = add_command(verbs, "refresh", module="embedder", function="refresh", help=about)
    refresh.add_argument("--force", action="store_true", help="also embed memories that have one")
    refresh.add_argument("--dry-run", action="store_true", help="show how many memories that is, change nothing")


def _help(commands: Commands) -> None:
    about = "show the help of a command, or of a topic: environment, exit-codes, json, dates, formatting"
    help = add_command(commands, "help", module="help", help=about)
    help.add_argument("words", nargs="*", metavar="COMMAND", help="a command with its subcommand, or a topic")
    help.add_argument("--man", action="store_true", help="print the man page, for `jotsam help --man | man -l -`")


def _config(commands: Commands) -> None:
    config = add_command(commands, "config", module="config", function="show", help="show, set or unset settings")
    config.set_defaults(origin=False)
    verbs = config.add_subparsers(title="subcommands (default: show)", metavar="COMMAND")
    show = add_command(verbs, "show", module="config", function="show", help="print the settings in effect")
    for each in (config, show):
        about = "also show where each value comes from"
        each.add_argument("--origin", action="store_true", default=argparse.SUPPRESS, help=about)
    change = add_command(verbs, "set", module="config_file", function="change", help="set a value in the settings file")
    unset = add_command(verbs, "unset", module="config_file", function="change", help="remove a value from the file")
    for verb, each in (("set", change), ("unset", unset)):
        each.set_defaults(verb=verb, lenient=True)
        each.add_argument("name", metavar="NAME", choices=Settings._fields, help="a setting, as in `jotsam config`")
        about = "the file .jotsam.toml of the project that you are in, instead of the user's file"
        each.add_argument("--project", dest="project_file", action="store_true", help=about)
    about = "the value, or - for standard input; a secret is asked for if it is left out"
    change.add_argument("value", metavar="VALUE", nargs="?", help=about)
