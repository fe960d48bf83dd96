"""Options of the commands for setup, backups and diagnosis: `doctor`, `migrate`, `backup`, `embedder`, ..."""

from __future__ import annotations

import argparse

from jotsam.core.settings import Settings
from jotsam.surfaces.cli.arguments import Command, add_command, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Parser

SHELLS = ("bash", "zsh", "fish", "tcsh")
MCP_PROFILES = ("jotsam", "automem")
WEIGHTS = ("model.safetensors", "model.onnx")


def _doctor(doctor: Parser) -> None:
    about = (
        "rebuild a damaged full-text index, restore row-level security on PostgreSQL, store turns that hooks"
        " spooled for a database that cannot exist, and write the launcher of agents again"
    )
    doctor.add_argument("--repair", action="store_true", help=about)


def _migrate(migrate: Parser) -> None:
    migrate.add_argument("--dry-run", action="store_true", help="print the SQL instead of running it")
    about = "let a PostgreSQL role that owns nothing use the tables: row-level security then binds it"
    migrate.add_argument("--grant", metavar="ROLE", help=about)
    about = "copy the data of all tenants into this database: a file, or a postgresql:// URL"
    migrate.add_argument("--to", metavar="DATABASE", help=about)
    about = "partition the tables of a new PostgreSQL database by a hash of the tenant (default: they are not)"
    migrate.add_argument("--partitions", metavar="N", type=int, help=about)

    about = "at a terminal, also print the rows and checksum of each table that --to copied"
    migrate.add_argument("-v", "--verbose", action="store_true", help=about)


def _maintain(maintain: Parser) -> None:
    about = "also rewrite the file without its unused pages; writers wait until it is done"
    maintain.add_argument("--vacuum", action="store_true", help=about)


def _completion(completion: Parser) -> None:
    completion.add_argument("shell", choices=SHELLS)


def _move_tenant(move: Parser) -> None:
    move.add_argument("name", metavar="TENANT", help="the tenant to move")
    move.add_argument("--to", metavar="DATABASE", required=True, help="postgresql:// URL of the other database")
    ways = move.add_mutually_exclusive_group()
    ways.add_argument("--dry-run", action="store_true", help="print how many rows would be moved, and change nothing")
    about = "undo a move that was interrupted, instead of finishing it"
    ways.add_argument("--undo", action="store_true", help=about)


def _mcp(mcp: Parser) -> None:
    mcp.add_argument("--project", metavar="NAME", help="project of what is remembered, and ranked first by recall")
    about = "stored as the source of what is remembered (default: the name that the client gives)"
    mcp.add_argument("--harness", metavar="NAME", help=about)
    about = "tools to offer: jotsam, or the six of the AutoMem client (default: %(default)s)"
    mcp.add_argument("--profile", choices=MCP_PROFILES, default=MCP_PROFILES[0], help=about)


def _backup(backup: Parser) -> None:
    about = "new file, or folder for a name with the time (default: the folder `backups` beside the database)"
    backup.add_argument("file", metavar="FILE", nargs="?", help=about)
    about = "remove older backups in the folder, so that this many remain"
    backup.add_argument("--keep", type=positive_int, metavar="NUMBER", help=about)


def _restore(restore: Parser) -> None:
    restore.add_argument("file", metavar="FILE", help="the backup")


def _salvage(salvage: Parser) -> None:
    salvage.add_argument("damaged", metavar="DAMAGED_FILE", help="the damaged file, which is not changed")
    salvage.add_argument("new", metavar="NEW_FILE", help="the new file")


def _embedder(embedder: Parser) -> None:
    verbs = embedder.add_subparsers(title="subcommands (default: show)", metavar="COMMAND")
    about = "show the chosen model and how many memories it has embedded"
    add_command(verbs, Command(name="show", run="embedder:show", help=about, examples=("jotsam embedder show",)))
    about = "install an embedding model from a directory or a URL"
    fetch = add_command(
        verbs,
        Command(
            name="fetch",
            run="embedder:fetch",
            help=about,
            examples=("jotsam embedder fetch ~/Downloads/all-MiniLM-L6-v2",),
        ),
    )
    fetch.add_argument("source", metavar="SOURCE", help="directory that contains a model, or URL of its files")
    about = "value of the setting embed_model that chooses it (default: last part of SOURCE)"
    fetch.add_argument("--name", help=about)
    about = "expected SHA-256 of the weights; required for a URL"
    fetch.add_argument("--sha256", metavar="HEX", help=about)
    about = "file name of the weights (default: %(default)s)"
    fetch.add_argument("--weights", choices=WEIGHTS, default=WEIGHTS[0], help=about)
    about = "embed all memories that have no vector of the chosen model"
    refresh = add_command(
        verbs,
        Command(name="refresh", run="embedder:refresh", help=about, examples=("jotsam embedder refresh --dry-run",)),
    )
    refresh.add_argument("--force", action="store_true", help="also embed memories that have one")
    refresh.add_argument("--dry-run", action="store_true", help="show how many memories that is, change nothing")


def _help(help: Parser) -> None:
    help.add_argument("words", nargs="*", metavar="COMMAND", help="a command with its subcommand, or a topic")
    help.add_argument("--man", action="store_true", help="print the man page, for `jotsam help --man | man -l -`")


def _config(config: Parser) -> None:
    config.set_defaults(origin=False)
    verbs = config.add_subparsers(title="subcommands (default: show)", metavar="COMMAND")
    show = add_command(
        verbs,
        Command(
            name="show",
            run="config:show",
            help="print the settings in effect",
            examples=("jotsam config show --origin",),
        ),
    )
    for each in (config, show):
        about = "also show where each value comes from"
        each.add_argument("--origin", action="store_true", default=argparse.SUPPRESS, help=about)
    change = add_command(
        verbs,
        Command(
            name="set",
            run="config_file:change",
            help="set a value in the settings file",
            examples=("jotsam config set llm_model llama3.1", "jotsam config set capture off --project"),
        ),
    )
    unset = add_command(
        verbs,
        Command(
            name="unset",
            run="config_file:change",
            help="remove a value from the file",
            examples=("jotsam config unset llm_model",),
        ),
    )
    for verb, each in (("set", change), ("unset", unset)):
        each.set_defaults(verb=verb, lenient=True)
        each.add_argument("name", metavar="NAME", choices=Settings._fields, help="a setting, as in `jotsam config`")
        about = "the file .jotsam.toml of the project that you are in, instead of the user's file"
        each.add_argument("--project", dest="project_file", action="store_true", help=about)
    about = "the value, or - for standard input; a secret is asked for if it is left out"
    change.add_argument("value", metavar="VALUE", nargs="?", help=about)


COMMANDS = (
    Command(
        name="doctor",
        run="doctor:run",
        help="check settings, database, queue and models; run an end-to-end test",
        examples=("jotsam doctor", "jotsam doctor --repair"),
        options=_doctor,
    ),
    Command(
        name="migrate",
        run="migrate:run",
        help="update the database schema; or copy everything into another database",
        examples=("jotsam migrate --dry-run", "jotsam migrate --to postgresql://localhost/jotsam"),
        options=_migrate,
    ),
    Command(
        name="move-tenant",
        run="move_tenant:run",
        help="move one tenant to another PostgreSQL server; the others go on working",
        examples=("jotsam move-tenant ana --to postgresql://db2.example/jotsam --dry-run",),
        options=_move_tenant,
    ),
    Command(
        name="mcp",
        run="mcp:run",
        help="serve the memory to an agent: Model Context Protocol over standard input and output",
        examples=("claude mcp add jotsam -- jotsam mcp",),
        options=_mcp,
    ),
    Command(
        name="backup",
        run="backup:run",
        help="copy the database file to a checked backup, while it is used",
        examples=("jotsam backup --keep 7", "jotsam backup monday.db"),
        options=_backup,
    ),
    Command(
        name="restore",
        run="backup:restore",
        help="replace the database file by a backup; the replaced one is kept beside it",
        examples=("jotsam restore monday.db",),
        options=_restore,
    ),
    Command(
        name="salvage",
        run="backup:salvage",
        help="save what can be read of a damaged database file in a new one",
        examples=("jotsam salvage damaged.db new.db",),
        options=_salvage,
    ),
    Command(
        name="embedder",
        run="embedder:show",
        help="show, install or apply an embedding model",
        examples=("jotsam embedder",),
        options=_embedder,
    ),
    Command(
        name="retention",
        run="retention:run",
        help="show for how long things are kept; and what a worker would remove now",
        read_only=True,
        examples=("jotsam retention",),
    ),
    Command(
        name="maintain",
        run="maintain:run",
        help="remove what is past its time; keep indexes, statistics and files in order",
        examples=("jotsam maintain --vacuum",),
        options=_maintain,
    ),
    Command(
        name="config",
        run="config:show",
        help="show, set or unset settings",
        examples=("jotsam config --origin",),
        options=_config,
    ),
    Command(
        name="help",
        run="help:run",
        help="show the help of a command, or of a topic: environment, exit-codes, json, dates, formatting",
        examples=("jotsam help jobs retry", "jotsam help exit-codes", "jotsam help --man | man -l -"),
        options=_help,
    ),
    Command(
        name="completion",
        run="completion:run",
        help="print a script that completes commands and files in a shell",
        examples=(
            'eval "$(jotsam completion bash)"',
            "jotsam completion zsh > ~/.zfunc/_jotsam",
            "jotsam completion fish > ~/.config/fish/completions/jotsam.fish",
        ),
        options=_completion,
    ),
)
