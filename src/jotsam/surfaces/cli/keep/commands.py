"""The commands that keep what is stored in order: copies, lifecycle, extraction, redaction, schema."""

from __future__ import annotations

from jotsam.core.names import FOUND_LINK_KINDS, STEPS
from jotsam.surfaces.cli.command import command, one_of, option, query
from jotsam.surfaces.cli.options import IDS, limit, selection_to, timeout

ALL = "all"

COMMANDS = (
    query(
        "export keep.backup:export",
        "write everything, or what is selected, to a file; `jotsam import` reads it",
        "jotsam export all.jsonl",
        "jotsam export --format markdown --project shop shop.md",
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
        "backup keep.backup:make_backup",
        "copy the database file to a checked backup, while it is used",
        "jotsam backup --keep 7",
        "jotsam backup monday.db",
        option(
            "file FILE?",
            "new file, or folder for a name with the time (default: the folder `backups` beside the database)",
        ),
        option("--keep NUMBER", "remove older backups in the folder, so that this many remain"),
    ),
    command(
        "restore keep.backup:restore",
        "replace the database file by a backup; the replaced one is kept beside it",
        "jotsam restore monday.db",
        option("file FILE", "the backup"),
    ),
    command(
        "salvage keep.backup:salvage",
        "save what can be read of a damaged database file in a new one",
        "jotsam salvage damaged.db new.db",
        option("damaged DAMAGED_FILE", "the damaged file, which is not changed"),
        option("new NEW_FILE", "the new file"),
    ),
    command(
        "lifecycle",
        "what happens to memories with age; each step has a dry run and an undo",
        query(
            "list keep.lifecycle:list_runs",
            "list when each step runs, and the latest runs",
            "jotsam lifecycle list --step decay",
            option("--step", "only runs of this step", choices=STEPS),
            limit("runs"),
        ),
        command(
            "run keep.lifecycle:run_steps",
            "print what a step would change; with --apply, change it",
            "jotsam lifecycle run decay",
            "jotsam lifecycle run all --apply",
            option(
                "step STEP", f"{', '.join(STEPS)}; or {ALL}: decay, creative, cluster and forget", choices=(*STEPS, ALL)
            ),
            option("--apply", "have the worker do it"),
            option("--no-wait", "with --apply, do not wait until it is done"),
            timeout("how long --apply waits"),
            limit("changes to list"),
        ),
        query(
            "show keep.lifecycle:show_run",
            "show a run with what it changed, and why",
            "jotsam lifecycle show 4f2a91c3",
            option("run RUN", "id of the run, or the beginning of it"),
            limit("changes to list"),
        ),
        command(
            "undo keep.lifecycle:undo_run",
            "take back what a run changed",
            "jotsam lifecycle undo 4f2a91c3 --yes",
            option("run RUN", "id of the run, or the beginning of it"),
            option("--yes", "take it back without asking"),
        ),
        command(
            "links keep.lifecycle:found_links",
            "list the links that the step creative found, or remove those of a kind for good",
            "jotsam lifecycle links",
            "jotsam lifecycle links --kind contrasts --remove",
            option("--kind", "only links of this kind", choices=FOUND_LINK_KINDS),
            option("--remove", "remove them; they are not found again"),
            limit("links to list"),
        ),
        command("allow-again keep.lifecycle:allow_again", "let later runs make the changes again that were taken back"),
    ),
    query(
        "retention keep.maintain:show_retention",
        "show for how long things are kept; and what a worker would remove now",
    ),
    command(
        "maintain keep.maintain:run_maintenance",
        "remove what is past its time; keep indexes, statistics and files in order",
        "jotsam maintain --vacuum",
        option("--vacuum", "also rewrite the file without its unused pages; writers wait until it is done"),
    ),
    command(
        "reprocess keep.reprocess:reprocess",
        "extract again from stored memories; with a model or a newer version",
        "jotsam reprocess --degraded --dry-run",
        "jotsam reprocess --project shop --yes",
        option("ids ID*", IDS),
        option("--all", "all memories last processed by another extractor or version"),
        option("--project NAME", "only memories of this project"),
        option("--source PATH", "only memories from this source"),
        option("--type type", "only memories of this type"),
        option(
            "--extractor PREFIX",
            "only memories last processed by an extractor with this prefix, for example rules or llm:gpt",
        ),
        option("--degraded", "only memories processed in part because the model or a rule failed"),
        option("--force", "include memories that are up to date"),
        option("--clear", "delete earlier results first; what people entered is kept"),
        option("--dry-run", "report the number of memories and the estimated calls, tokens and cost; change nothing"),
        option("--yes", "confirm the cost; needed if a model is used and no ids are given"),
        queueable="ids all project type extractor degraded force clear yes",
    ),
    command(
        "allow keep.redactions:allow",
        "allow text that looks like a secret, or list what is allowed",
        "jotsam allow AKIAIOSFODNN7EXAMPLE --reason 'the key of the documentation'",
        option("text TEXT?", "text to allow, or - for standard input (default: list what is allowed)"),
        option("--reason TEXT", "why it is not a secret; stored with a fingerprint of the text, never with the text"),
        option(
            "--fingerprint FINGERPRINT",
            "allow text that was redacted before, by the beginning of its fingerprint in `jotsam redacted`",
        ),
        option("--remove FINGERPRINT", "stop allowing a text, by the beginning of its fingerprint"),
    ),
    query(
        "redacted keep.redactions:redacted",
        "list redacted secrets (never the secrets themselves)",
        "jotsam redacted --limit 10",
        limit("redactions"),
    ),
    command(
        "migrate keep.migrate:migrate",
        "update the database schema; or copy everything into another database",
        "jotsam migrate --dry-run",
        "jotsam migrate --to postgresql://localhost/jotsam",
        option("--dry-run", "print the SQL instead of running it"),
        option(
            "--grant ROLE", "let a PostgreSQL role that owns nothing use the tables: row-level security then binds it"
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
        "jotsam move-tenant ana --to postgresql://db2.example/jotsam --dry-run",
        option("name TENANT", "the tenant to move"),
        option("--to DATABASE", "postgresql:// URL of the other database", required=True),
        one_of(
            option("--dry-run", "print how many rows would be moved, and change nothing"),
            option("--undo", "undo a move that was interrupted, instead of finishing it"),
        ),
    ),
)
