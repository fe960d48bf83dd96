"""The projects of a tenant, with their numbers of memories and documents. Reads one snapshot."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.storage import documents, memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


class Project(Record):
    """A project that memories or documents name."""

    name: str
    memories: int = 0  # chunks of documents included
    documents: int = 0
    first: int | None = None  # when the first of them was said or written
    last: int | None = None


def projects(tx: Transaction) -> tuple[Project, ...]:
    """All projects, the one with the latest memory or document first."""
    found: dict[str, Project] = {}
    for row in (*memories.by_project(tx), *documents.by_project(tx)):
        name = row.pop("project")
        known = found.get(name, Project(name=name))
        first = row["first"] if known.first is None else min(known.first, row["first"])
        last = row["last"] if known.last is None else max(known.last, row["last"])
        found[name] = known.replace(**row | {"first": first, "last": last})
    return tuple(sorted(found.values(), key=lambda one: (-(one.last or 0), one.name)))
