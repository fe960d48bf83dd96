"""Which commands may be queued, and with which arguments: a closed list that the sender and the worker check.

Anyone who can write to the queue can make a worker run what is listed here, for any tenant. So a queued command only
changes memory, entities or jobs of its own tenant. It reads no file, prints no memory into the queue's tables, and
changes nothing that tenants share, such as a paused queue or a model.
"""

from __future__ import annotations

from jotsam.surfaces.cli.arguments import LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

# Names of arguments as in the parsed command line. Files are read by the sender, and the worker ignores their names.
QUEUEABLE: dict[str, tuple[str, ...]] = {
    "add": ("files", "glob", "project", "actor", "date", "key", "force"),
    "import": ("paths", "format", "project", "session"),
    "remember": (
        *("text", "type", "tag", "importance", "confidence", "actor", "session", "date", "valid_from", "valid_until"),
        *("external_id", "metadata", "project", "key", "upsert"),
    ),
    "update": (
        *("id", "text", "tag", "remove_tag", "metadata", "replace_metadata", "type", "importance", "confidence"),
        *("valid_from", "valid_until", "clear", "expected", "forget_history"),
    ),
    "supersede": ("old", "new", "undo"),
    "archive": ("ids",),
    "unarchive": ("ids",),
    "link": ("source", "type", "target", "weight", "undo"),
    "entities merge": ("name", "into"),
    "entities split": ("name",),
    "projects merge": ("name", "into", "yes"),
    "projects split": ("name", "yes"),
    "extract-apply": ("file", "by"),
    "reprocess": ("ids", "all", "project", "type", "extractor", "degraded", "force", "clear", "yes"),
    "jobs retry": ("ids", "state", "error", "group", "kind", "yes"),
    "jobs discard": ("ids", "state", "error", "group", "kind", "yes"),
}
EVERYWHERE = ("json",)

# Set by the parser itself, not by an argument.
INTERNAL = (
    "module",
    "function",
    "read_only",
    "command",
    "usage_error",
    "unrecognized",
    "fail",
    "get_default",
    "verb",
    "queued",
)
NOT_GIVEN: tuple[object, ...] = (None, False, 0, "", [], LIMIT)


def check(parsed: argparse.Namespace) -> None:
    """Report a usage error if the parsed command may not be queued."""
    if parsed.command not in QUEUEABLE:
        parsed.usage_error("this command cannot be queued: run it without --async")
    allowed = (*QUEUEABLE[parsed.command], *EVERYWHERE, *INTERNAL)
    for name, value in vars(parsed).items():
        is_given = value not in NOT_GIVEN and value != parsed.get_default(name)
        if is_given and name not in allowed:
            option = f"--{name.removeprefix('is_').replace('_', '-')}"
            parsed.usage_error(f"{option} cannot be queued: omit it, or run the command without --async")
