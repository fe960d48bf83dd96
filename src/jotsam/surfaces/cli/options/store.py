"""Options of the commands that store, change and export text: `add`, `import`, `export` and `remember`."""

from __future__ import annotations

from jotsam.agents.registry import SESSION_FORMATS
from jotsam.core.names import MEMORY_FORMATS
from jotsam.surfaces.cli.arguments import Command, add_timeout, date, json_object, key_value, memory_type, positive_int
from jotsam.surfaces.cli.selection import add_selection

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Parser

CLEARABLE = ("type", "importance", "confidence", "metadata", "valid-from", "valid-until")


def _add(add: Parser) -> None:
    add.add_argument(
        "files", nargs="*", metavar="FILE", help="text file, folder with text files, or - for standard input"
    )
    about = "files to add from folders (repeatable, default: *.md, *.rst and *.txt)"
    add.add_argument("--glob", action="append", metavar="PATTERN", help=about)
    about = "project of the documents (default: name of each file's git repository)"
    add.add_argument("--project", metavar="NAME", help=about)
    add.add_argument("--actor", metavar="NAME", help="who wrote the documents, or the user that they are about")
    about = "when the text was written (default: modification time of the file)"
    add.add_argument("--date", type=date, help=about)
    about = "idempotency key of a single file: using it again returns the first receipt"
    add.add_argument("--key", help=about)
    about = "also add files whose names suggest that they contain secrets"
    add.add_argument("--force", action="store_true", help=about)
    about = "at a terminal, print a line per file instead of one for all"
    add.add_argument("-v", "--verbose", action="store_true", help=about)
    add.add_argument("--wait", action="store_true", help="wait until everything is enriched")
    add_timeout(add, "how long --wait waits")


def _import(importing: Parser) -> None:
    about = "file to import, a directory of session files (*.jsonl) or notes (*.md), falkordb://HOST:PORT/GRAPH or qdrant://HOST:PORT"
    importing.add_argument("paths", nargs="+", metavar="FILE", help=about)
    formats = (*SESSION_FORMATS, *MEMORY_FORMATS)
    importing.add_argument("--format", choices=formats, help="format of the files (default: detected)")
    about = "project of what names none (of turns, default: name of the git repository of the session)"
    importing.add_argument("--project", metavar="NAME", help=about)
    importing.add_argument("--session", metavar="NAME", help="session of turns that name none")
    about = "extract again what an export holds as extracted"
    importing.add_argument("--reprocess", action="store_true", help=about)
    importing.add_argument("--dry-run", action="store_true", help="report what would be imported, import nothing")


def _export(export: Parser) -> None:
    export.add_argument("file", metavar="FILE", help="file to write, or - for standard output")
    about = "JSON Lines, or Markdown for people: current memories by project and type (default: %(default)s)"
    export.add_argument("--format", choices=("jsonl", "markdown"), default="jsonl", help=about)
    export.add_argument("--vectors", action="store_true", help="include the vectors of memories")
    add_selection(export, "export")


def _remember(remember: Parser) -> None:
    remember.add_argument("text", nargs="?", metavar="TEXT", help="text of the memory, or - for standard input")
    about = (
        "store a memory per line of a file, or - for standard input: a JSON string, or an object of `text`, `tags` ..."
    )
    remember.add_argument("--lines", metavar="FILE", help=about)
    remember.add_argument(
        "--type", type=memory_type, help="type of the memory, for example Decision, Preference or Insight"
    )
    remember.add_argument("--tag", action="append", default=[], metavar="TAG", help="tag of the memory (repeatable)")
    remember.add_argument("--importance", type=float, metavar="NUMBER", help="importance, 0 to 1")
    remember.add_argument("--confidence", type=float, metavar="NUMBER", help="confidence, 0 to 1")
    remember.add_argument("--actor", metavar="NAME", help="who said it")
    remember.add_argument("--session", metavar="NAME", help="conversation it was said in")
    remember.add_argument("--date", type=date, help="when it was said")
    remember.add_argument("--valid-from", type=date, metavar="DATE", help="start of its validity")
    remember.add_argument("--valid-until", type=date, metavar="DATE", help="end of its validity")
    remember.add_argument("--external-id", metavar="ID", help="your own id for the memory, unique within the tenant")
    about = "JSON object to store with the memory"
    remember.add_argument("--metadata", type=json_object, metavar="JSON", help=about)
    remember.add_argument("--project", metavar="NAME", help="project of the memory")
    remember.add_argument("--key", help="idempotency key: using it again returns the first receipt")
    about = "change the memory of --key if there is one, keeping its earlier text as a version"
    remember.add_argument("--upsert", action="store_true", help=about)


def _update(update: Parser) -> None:
    update.add_argument("id", metavar="ID", help="UUID of the memory, the beginning of one, or its external id")
    update.add_argument("--text", metavar="TEXT", help="new text, or - for standard input; it is enriched again")
    update.add_argument("--tag", action="append", default=[], metavar="TAG", help="add this tag (repeatable)")
    about = "remove this tag (repeatable)"
    update.add_argument("--remove-tag", action="append", default=[], metavar="TAG", help=about)
    about = "set this value of the metadata (repeatable); other values stay"
    update.add_argument("--metadata", action="append", default=[], type=key_value, metavar="KEY=VALUE", help=about)
    about = "JSON object that replaces the metadata"
    update.add_argument("--replace-metadata", type=json_object, metavar="JSON", help=about)
    update.add_argument(
        "--type", type=memory_type, help="type of the memory, for example Decision, Preference or Insight"
    )
    update.add_argument("--importance", type=float, metavar="NUMBER", help="importance, 0 to 1")
    update.add_argument("--confidence", type=float, metavar="NUMBER", help="confidence, 0 to 1")
    update.add_argument("--valid-from", type=date, metavar="DATE", help="start of its validity")
    update.add_argument("--valid-until", type=date, metavar="DATE", help="end of its validity")
    about = "remove this field (repeatable)"
    update.add_argument("--clear", action="append", default=[], choices=CLEARABLE, metavar="FIELD", help=about)
    about = "change nothing if the memory has another version"
    update.add_argument("--version", dest="expected", type=positive_int, metavar="NUMBER", help=about)
    about = "delete the earlier versions instead of keeping one more"
    update.add_argument("--forget-history", action="store_true", help=about)


COMMANDS = (
    Command(
        name="add",
        run="add:run",
        help="add files as documents",
        examples=("jotsam add notes.md", "jotsam add docs --glob '*.md' --wait", "git log -1 | jotsam add -"),
        queueable=("files", "glob", "project", "actor", "date", "key", "force"),
        options=_add,
    ),
    Command(
        name="import",
        run="import_sessions:run",
        help="import an export, sessions of agents, or another memory; everything is stored once",
        examples=("jotsam import ~/.claude/projects --dry-run", "jotsam import all.jsonl"),
        queueable=("paths", "format", "project", "session"),
        options=_import,
    ),
    Command(
        name="export",
        run="export:run",
        help="write everything, or what is selected, to a file; `jotsam import` reads it",
        read_only=True,
        examples=("jotsam export all.jsonl", "jotsam export --format markdown --project shop shop.md"),
        options=_export,
    ),
    Command(
        name="remember",
        run="remember:run",
        help="store one memory, or many",
        examples=(
            "jotsam remember 'We use PostgreSQL for billing.' --type Decision --tag billing",
            "jotsam remember --lines memories.jsonl",
        ),
        queueable=(
            "text",
            "type",
            "tag",
            "importance",
            "confidence",
            "actor",
            "session",
            "date",
            "valid_from",
            "valid_until",
            "external_id",
            "metadata",
            "project",
            "key",
            "upsert",
        ),
        options=_remember,
    ),
    Command(
        name="update",
        run="update:run",
        help="change one memory: its text, tags, metadata, type, importance or validity",
        examples=("jotsam update 4f2a91c3 --importance 0.9 --remove-tag draft",),
        queueable=(
            "id",
            "text",
            "tag",
            "remove_tag",
            "metadata",
            "replace_metadata",
            "type",
            "importance",
            "confidence",
            "valid_from",
            "valid_until",
            "clear",
            "expected",
            "forget_history",
        ),
        options=_update,
    ),
)
