"""Options that several commands have."""

from __future__ import annotations

from jotsam.surfaces.cli.command import Option, Section, option, section
from jotsam.surfaces.cli.values import conditions

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.memory.options import SelectionOptions

LIMIT = 50
ACTOR = "only memories of this person, agent or user of a service"
METADATA = option(
    "--metadata CONDITION...",
    "only memories with this in their metadata: KEY=VALUE, or with != > >= < <= (repeatable: all of them)",
)
IDS = "memories and documents: their UUIDs, or the beginning of them"
MEMORY_ID = "memory: its UUID, the beginning of it, or its external id"
SAME_NAME = (
    *("ids", "document", "source", "project", "session", "actor"),
    *("every_tag", "since", "until", "before", "min_importance"),
)

LOG_FORMAT = option(
    "--log-format",
    "form of the log lines on standard error; json has an object in each line (default: %(default)s)",
    choices=("text", "json"),
    default="text",
)


def limit(what: str, *, default: int = LIMIT) -> Option:
    about = f"maximum number of {what} (default: {LIMIT})"
    return option("-n --limit NUMBER", about, default=default)


def timeout(about: str) -> Option:
    return option("--timeout SECONDS", f"{about} (default: %(default)s)", default=60)


def selection_to(verb: str) -> tuple[Option | Section, ...]:
    """Options that select memories and documents. `verb` is what is done with them: "list"."""
    about = f"{verb} only these: ids of memories or documents (UUID, its beginning, or external id)"
    return option("ids ID*", about, default=[]), section(
        "filters",
        option("--document ID", "only this document and its chunks"),
        option("--source SOURCE", "only from this source, for example a file"),
        option("--project NAME", "only this project"),
        option("--session NAME", "only this conversation"),
        option("--actor NAME", ACTOR),
        option("--tag TAG...", "only memories with this tag, ignoring case (repeatable: any of them)"),
        option("--every-tag", "require every --tag instead of any"),
        option("--type TYPE...", "only memories of this type, ignoring case (repeatable: any of them)"),
        option("--since DATE", "only what was said on this date or later"),
        option("--until DATE", "only what was said before this date"),
        option("--before DATE", "only what was stored before this date"),
        option("--min-importance NUMBER", "only memories of at least this importance, 0 to 1", type=float),
        METADATA,
        about=f"{verb} what matches all of them",
    )


def selection(arguments: argparse.Namespace) -> SelectionOptions:
    """The parsed ids and filters."""
    chosen: SelectionOptions = {"tags": arguments.tag, "types": arguments.type}
    chosen["metadata"] = conditions(arguments.metadata)
    for name in SAME_NAME:
        chosen[name] = getattr(arguments, name)  # type: ignore[literal-required]  # They are literals.
    return chosen
