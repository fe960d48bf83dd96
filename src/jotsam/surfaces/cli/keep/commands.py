"""The commands that keep what is stored in order: copies, lifecycle, extraction, redaction, schema."""

from __future__ import annotations

from jotsam.core.names import ENGINES, FOUND_LINK_KINDS, STEPS
from jotsam.surfaces.cli.command import command, one_of, option, query
from jotsam.surfaces.cli.options import limit, selection_to, timeout

ALL = "all"
PROJECT = "its key, or its label if no other project has that"
ENGINE = option("engine ENGINE?", "default: all", choices=ENGINES)

COMMANDS = (
    command(
        "db",
        "copies, upkeep and moves of the database; retention, trash, projects, engines",
        "jotsam db backup --keep 7",
        "jotsam db maintain",
        query(
            "retention keep.maintain:show_retention",
            "show for how long things are kept; and what a worker would remove now",
        ),
        command(
            "maintain keep.maintain:run_maintenance",
            "remove what is past its time; keep indexes, statistics and files in order",
            "jotsam db maintain --vacuum",
            option("--vacuum", "also rewrite the file without its unused pages; writers wait until it is done"),
        ),
        command(
            "backup keep.backup:make_backup",
            "copy the database file to a checked backup, while it is used",
            "jotsam db backup --keep 7",
            "jotsam db backup monday.db",
            option(
                "file FILE?",
                "new file, or folder for a name with the time (default: the folder `backups` beside the database)",
            ),
            option("--keep NUMBER", "remove older backups in the folder, so that this many remain"),
        ),
        command(
            "restore keep.backup:restore",
            "replace the database file by a backup; the replaced one is kept beside it",
            "jotsam db restore monday.db",
            option("file FILE", "the backup"),
        ),
        command(
            "salvage keep.backup:salvage",
            "save what can be read of a damaged database file in a new one",
            "jotsam db salvage damaged.db new.db",
            option("damaged DAMAGED_FILE", "the damaged file, which is not changed"),
            option("new NEW_FILE", "the new file"),
        ),
        query(
            "export keep.backup:export",
            "write everything, or what is selected, to a file; `jotsam import` reads it",
            "jotsam db export all.jsonl",
            "jotsam db export --format markdown --project shop shop.md",
            option("file FILE", "file to write, or - for standard output"),
            option(
                "--format",
                "JSON Lines, or Markdown for people: current memories by project and type (default: %(default)s)",
                choices=("jsonl", "markdown"),
                default="jsonl",
            ),
            option("--vectors", "include the vectors of memories"),
            *selection_to("export"),
        ),
        command(
            "trash remember.forget:trash",
            "list, restore or delete what was forgotten with --trash",
            "jotsam db trash",
            "jotsam db trash restore 4f2a91c3",
            option("action", "default: list", nargs="?", choices=("list", "restore", "empty"), default="list"),
            option("id ID?", "with restore: a batch of the list"),
        ),
        command(
            "lifecycle",
            "what happens to memories with age; each step has a dry run and an undo",
            query(
                "list keep.lifecycle:list_runs",
                "list when each step runs, and the latest runs",
                "jotsam db lifecycle list --step decay",
                option("--step STEP", "only runs of this step: %(choices)s", choices=STEPS),
                limit("runs"),
            ),
            command(
                "run keep.lifecycle:run_steps",
                "print what a step would change; with --apply, change it",
                "jotsam db lifecycle run decay",
                "jotsam db lifecycle run all --apply",
                option(
                    "step STEP",
                    f"{', '.join(STEPS)}; or {ALL}: decay, creative, cluster and forget",
                    choices=(*STEPS, ALL),
                ),
                option("--apply", "have the worker do it"),
                option("--no-wait", "with --apply, do not wait until it is done"),
                timeout("how long --apply waits"),
                limit("changes to list"),
            ),
            query(
                "show keep.lifecycle:show_run",
                "show a run with what it changed, and why",
                "jotsam db lifecycle show 4f2a91c3",
                option("run RUN", "id of the run, or the beginning of it"),
                limit("changes to list"),
            ),
            command(
                "undo keep.lifecycle:undo_run",
                "take back what a run changed",
                "jotsam db lifecycle undo 4f2a91c3 --yes",
                option("run RUN", "id of the run, or the beginning of it"),
                option("--yes", "take it back without asking"),
            ),
            command(
                "links keep.lifecycle:found_links",
                "list the links that the step creative found, or remove those of a kind for good",
                "jotsam db lifecycle links",
                "jotsam db lifecycle links --kind contrasts --remove",
                option("--kind KIND", "only links of this kind: %(choices)s", choices=FOUND_LINK_KINDS),
                option("--remove", "remove them; they are not found again"),
                limit("links to list"),
            ),
            command(
                "allow-again keep.lifecycle:allow_again", "let later runs make the changes again that were taken back"
            ),
        ),
        command(
            "projects",
            "list projects with their numbers of memories and documents; join two, or split them again",
            query("list ask.projects:list_projects", "list projects, the one with the latest memory first"),
            command(
                "merge ask.projects:merge",
                "join a project to another: what it has moves there, and what is stored under its name later",
                "jotsam db projects merge shop-old shop",
                "jotsam db projects merge shop-old shop --yes",
                option("name PROJECT", PROJECT),
                option("into INTO", "project that it is joined to"),
                option("--yes", "do it, instead of showing what it would do"),
                queueable="name into yes",
            ),
            command(
                "split ask.projects:split",
                "undo a merge: what came from a project returns to it",
                "jotsam db projects split shop-old --yes",
                option("name PROJECT", "project that was joined to another"),
                option("--yes", "do it, instead of showing what it would do"),
                queueable="name yes",
            ),
            command(
                "rename ask.projects:rename",
                "give a project another label; its key stays",
                "jotsam db projects rename github.com/acme/api acme",
                option("name PROJECT", PROJECT),
                option("label LABEL", "what people see, without /"),
            ),
        ),
        command(
            "secrets",
            "list redacted secrets, or allow text that looks like one",
            "jotsam db secrets",
            query(
                "list keep.redactions:redacted",
                "list redacted secrets (never the secrets themselves)",
                "jotsam db secrets list --limit 10",
                limit("redactions"),
            ),
            command(
                "allow keep.redactions:allow",
                "allow text that looks like a secret, or list what is allowed",
                "jotsam db secrets allow AKIAIOSFODNN7EXAMPLE --reason 'from the documentation'",
                option("text TEXT?", "text to allow, or - for standard input (default: list what is allowed)"),
                option(
                    "--reason TEXT",
                    "why it is not a secret; stored with a fingerprint of the text, never with the text",
                ),
                option(
                    "--fingerprint FINGERPRINT",
                    "allow text that was redacted before, by the beginning of its fingerprint in `jotsam db secrets`",
                ),
                option("--remove FINGERPRINT", "stop allowing a text, by the beginning of its fingerprint"),
            ),
            takes_options=True,
        ),
        command(
            "engine",
            "keep a copy of all memories in FalkorDB or Qdrant",
            query("status operate.engine:status", "show the engines, and what each holds and lacks"),
            command(
                "add operate.engine:add",
                "register an engine, to which workers then write all memories",
                "jotsam db engine add qdrant://localhost:6333",
                option(
                    "address ADDRESS", "falkordb://HOST:6379 or qdrant://HOST:6333; with TLS falkordbs:// or qdrants://"
                ),
                option(
                    "--replace",
                    "first delete the memories that the engine holds, and replace another engine of its kind",
                ),
            ),
            command(
                "rebuild operate.engine:rebuild",
                "write all memories again, and delete what else the engine holds",
                "jotsam db engine rebuild qdrant",
                ENGINE,
            ),
            command(
                "compare operate.engine:compare",
                "compare each engine with the database, memory by memory",
                "jotsam db engine compare qdrant --repair",
                ENGINE,
                option(
                    "--repair", "have a worker write what is missing or differs again, and delete what is left over"
                ),
                limit("differences to list"),
            ),
            command(
                "remove operate.engine:remove",
                "remove an engine from the database",
                "jotsam db engine remove qdrant --purge",
                option("engine ENGINE", " or ".join(ENGINES), choices=ENGINES),
                option("--purge", "also delete the memories that it holds"),
            ),
        ),
        command(
            "migrate keep.migrate:migrate",
            "update the database schema; or copy everything into another database",
            "jotsam db migrate --dry-run",
            "jotsam db migrate --to postgresql://localhost/jotsam",
            option("--dry-run", "print the SQL instead of running it"),
            option(
                "--grant ROLE",
                "let a PostgreSQL role that owns nothing use the tables: row-level security then binds it",
            ),
            option("--to DATABASE", "copy the data of all tenants into this database: a file, or a postgresql:// URL"),
            option(
                "--partitions N",
                "partition the tables of a new PostgreSQL database by a hash of the tenant (default: they are not)",
                type=int,
            ),
            option("-v --verbose", "at a terminal, also print the rows and checksum of each table that --to copied"),
        ),
        command(
            "move-tenant keep.migrate:move",
            "move one tenant to another PostgreSQL server; the others go on working",
            "jotsam db move-tenant ana --to postgresql://db2.example/jotsam --dry-run",
            option("name TENANT", "the tenant to move"),
            option("--to DATABASE", "postgresql:// URL of the other database", required=True),
            option(
                "--server URL",
                "the address of the HTTP API of the other server, to which clients of this one are sent; a later call"
                " changes it",
            ),
            one_of(
                option("--dry-run", "print how many rows would be moved, and change nothing"),
                option("--undo", "undo a move that was interrupted, instead of finishing it"),
            ),
        ),
    ),
)
