"""The commands that store and change memories."""

from __future__ import annotations

from jotsam.agents.registry import SESSION_FORMATS
from jotsam.core.names import LINK_TYPES, MEMORY_FORMATS
from jotsam.surfaces.cli.command import command, option
from jotsam.surfaces.cli.options import LIMIT, MEMORY_ID, selection_to, timeout

CLEARABLE = ("type", "importance", "confidence", "metadata", "valid-from", "valid-until")

COMMANDS = (
    command(
        "add remember.add:add_with_options",
        "add files as documents",
        "jotsam add notes.md",
        "jotsam add docs --glob '*.md' --wait",
        "git log -1 | jotsam add -",
        option("files FILE*", "text file, folder with text files, or - for standard input"),
        option("--glob PATTERN...", "files to add from folders (repeatable, default: *.md, *.rst and *.txt)"),
        option("--project NAME", "project of the documents (default: name of each file's git repository)"),
        option("--actor NAME", "who wrote the documents, or the user that they are about"),
        option("--date date", "when the text was written (default: modification time of the file)"),
        option("--key key", "idempotency key of a single file: using it again returns the first receipt"),
        option("--force", "also add files whose names suggest that they contain secrets"),
        option("-v --verbose", "at a terminal, print a line per file instead of one for all"),
        option("--wait", "wait until everything is enriched"),
        timeout("how long --wait waits"),
        queueable="files glob project actor date key force",
    ),
    command(
        "remember remember.remember:remember",
        "store one memory, or many",
        "jotsam remember 'We use PostgreSQL for billing.' --type Decision --tag billing",
        "jotsam remember --lines memories.jsonl",
        option("text TEXT?", "text of the memory, or - for standard input"),
        option(
            "--lines FILE",
            "store a memory per line of a file, or - for standard input: a JSON string or an object of `text`, `tags`, "
            "`date` ...",
        ),
        option("--type type", "type of the memory, for example Decision, Preference or Insight"),
        option("--tag TAG...", "tag of the memory (repeatable)"),
        option("--importance NUMBER", "importance, 0 to 1", type=float),
        option("--confidence NUMBER", "confidence, 0 to 1", type=float),
        option("--actor NAME", "who said it"),
        option("--session NAME", "conversation it was said in"),
        option("--date date", "when it was said"),
        option("--valid-from DATE", "start of its validity"),
        option("--valid-until DATE", "end of its validity"),
        option("--external-id ID", "your own id for the memory, unique within the tenant"),
        option("--metadata JSON", "JSON object to store with the memory"),
        option("--project NAME", "project of the memory"),
        option(
            "--key key",
            "idempotency key: using it again returns the first receipt, or changes the memory with --upsert",
        ),
        option(
            "--upsert",
            "if the key has a memory already, change it and keep its earlier text as a version; the key is --key, or "
            "with --lines the field `key` of each line",
        ),
        queueable=(
            "text type tag importance confidence actor session date valid_from valid_until external_id metadata "
            "project key upsert"
        ),
    ),
    command(
        "import remember.import_files:import_files",
        "import an export, sessions of agents, or another memory; everything is stored once",
        "jotsam import ~/.claude/projects --dry-run",
        "jotsam import all.jsonl",
        option(
            "paths FILE+",
            "file to import, a directory of session files (*.jsonl) or notes (*.md), falkordb://HOST:PORT/GRAPH or "
            "qdrant://HOST:PORT",
        ),
        option(
            "--format FORMAT",
            "format of the files: %(choices)s (default: detected)",
            choices=(*SESSION_FORMATS, *MEMORY_FORMATS),
        ),
        option(
            "--project NAME",
            "project of what names none (of turns, default: name of the git repository of the session)",
        ),
        option("--session NAME", "session of turns that name none"),
        option("--reprocess", "extract again what an export holds as extracted"),
        option("--dry-run", "report what would be imported, import nothing"),
        queueable="paths format project session",
    ),
    command(
        "update",
        "change memories: one, its state or its links",
        "jotsam update 4f2a91c3 --importance 0.9 --remove-tag draft",
        "jotsam update archive 4f2a91c3",
        command(
            "set remember.change:update",
            "change one memory, as `jotsam update ID` does: its text, tags, metadata, type, importance or validity",
            "jotsam update set 4f2a91c3 --importance 0.9",
            option("id ID", "UUID of the memory, the beginning of one, or its external id"),
            option("--text TEXT", "new text, or - for standard input; it is enriched again"),
            option("--tag TAG...", "add this tag (repeatable)"),
            option("--remove-tag TAG...", "remove this tag (repeatable)"),
            option("--metadata KEY=VALUE...", "set this value of the metadata (repeatable); other values stay"),
            option("--replace-metadata JSON", "JSON object that replaces the metadata"),
            option("--type type", "type of the memory, for example Decision, Preference or Insight"),
            option("--importance NUMBER", "importance, 0 to 1", type=float),
            option("--confidence NUMBER", "confidence, 0 to 1", type=float),
            option("--valid-from DATE", "start of its validity"),
            option("--valid-until DATE", "end of its validity"),
            option("--clear FIELD...", "remove this field (repeatable)", choices=CLEARABLE),
            option("--version NUMBER", "change nothing if the memory has another version", dest="expected"),
            option("--forget-history", "delete the earlier versions instead of keeping one more"),
            queueable=(
                "id text tag remove_tag metadata replace_metadata type importance confidence valid_from valid_until "
                "clear expected forget_history"
            ),
        ),
        command(
            "archive remember.change:archive",
            "hide memories from recall; nothing is deleted",
            "jotsam update archive 4f2a91c3",
            option("ids ID+", "id of a memory"),
            queueable="ids",
        ),
        command(
            "unarchive remember.change:archive",
            "show archived memories again; the lifecycle does not archive them again for the same reason",
            "jotsam update unarchive 4f2a91c3",
            option("ids ID+", "id of a memory"),
            queueable="ids",
        ),
        command(
            "supersede remember.change:supersede",
            "replace a memory, document or fact by a newer one; recall hides the old one",
            "jotsam update supersede 4f2a91c3 85b3b8c3",
            "jotsam update supersede 4f2a91c3 85b3b8c3 --undo",
            option("old OLD", "id of the memory, document or fact to supersede"),
            option("new NEW?", "id of its replacement"),
            option("--undo", "make OLD valid again (for a fact, NEW is not needed)"),
            queueable="old new undo",
        ),
        command(
            "link remember.change:link",
            "link two memories; INVALIDATED_BY and EVOLVED_INTO also hide the first from recall",
            "jotsam update link 4f2a91c3 LEADS_TO 85b3b8c3",
            option("source FROM", MEMORY_ID),
            option("type TYPE", ", ".join(LINK_TYPES), type=str.upper, choices=LINK_TYPES),
            option("target TO", "another memory"),
            option("--weight NUMBER", "strength of the link, up to 1 (default: %(default)s)", type=float, default=1.0),
            option("--undo", "remove the link, and show again what it hid"),
            queueable="source type target weight undo",
        ),
        takes_options=True,
    ),
    command(
        "forget remember.forget:forget",
        "delete memories and documents, with all that was made of them; without --yes, show what would be deleted",
        "jotsam forget 4f2a91c3 --yes",
        "jotsam forget --project shop --trash --yes",
        *selection_to("forget"),
        option("--query TEXT", "the hits of a recall with this question, that match the filters too"),
        option("--limit NUMBER", "with --query: maximum number of hits (default: %(default)s)", default=LIMIT),
        option(
            "--person NAME...",
            "all of a person: what mentions, says or names them, everywhere (repeatable: more names of the same "
            "person)",
        ),
        option("--everything", "everything the tenant has, jobs and costs too"),
        option(
            "--never-again", "refuse the same texts, keys and external ids from now on; keyed hashes of them are kept"
        ),
        option("--allow-again TEXT", "accept this text, key or external id again (- for standard input)"),
        option(
            "--trash",
            "keep what is deleted in the trash for `trash_days`; `jotsam db trash restore` undoes it until then",
        ),
        option("--yes", "delete; without --trash this cannot be undone"),
    ),
    command(
        "undo ask.changes:undo",
        "take back the last change that a command made; what it stored stays",
        "jotsam undo",
        "jotsam undo --dry-run",
        option("--dry-run", "say what it would take back, change nothing"),
    ),
)
