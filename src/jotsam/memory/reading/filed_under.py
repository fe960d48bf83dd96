"""What the latest memories are filed under, to complete what a person types in a filter.

It reads a bounded part of memory, however large it is.
"""

from __future__ import annotations

from collections import Counter

from jotsam.core.names import ENTITY
from jotsam.core.records import Record
from jotsam.storage.memories import memories, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.storage.database import Database

EXAMINED = 500  # of the latest memories
MAX_VALUES, MAX_TAGS = 30, 100


class FiledUnder(Record):
    """By value how many of the latest memories have it, the most frequent first."""

    actor: Mapping[str, int]
    session: Mapping[str, int]
    source: Mapping[str, int]
    tag: Mapping[str, int]


def filed_under(database: Database, *, tenant: str, project: str | None = None) -> FiledUnder:
    """What the latest memories are filed under, of all projects or of one. Raises `InvalidInput`."""
    with database.snapshot(tenant=tenant) as tx:
        label = projects.asked(tx, project) if project else None
        rows = memories.latest_names(tx, project=label, latest=EXAMINED)
        tags = memories.counted_tags(tx, [row["id"] for row in rows], limit=MAX_TAGS) if rows else {}
    given = {tag: count for tag, count in tags.items() if not tag.startswith(ENTITY)}
    return FiledUnder(
        actor=_counted(row["actor"] for row in rows),
        session=_counted(row["session"] for row in rows),
        source=_counted(row["source"] for row in rows),
        tag=dict([*given.items()][:MAX_VALUES]),
    )


def _counted(values: Iterable[str | None]) -> dict[str, int]:
    return dict(Counter(value for value in values if value).most_common(MAX_VALUES))
