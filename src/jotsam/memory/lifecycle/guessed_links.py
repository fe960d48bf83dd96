"""Lists and removes the links that the step `creative` of the lifecycle found, by their kind."""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.names import FOUND_LINK_KINDS
from jotsam.core.records import Link
from jotsam.memory.reading.show import parsed_properties
from jotsam.storage.lifecycle import found_links, lifecycle
from jotsam.worker.lifecycle.creative import link_hash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Database

REMOVED = 500  # in one commit
MAX_LISTED = 10_000


def guessed_links(database: Database, *, tenant: str, kind: str | None = None, limit: int = 100) -> tuple[Link, ...]:
    """The links found so far, of one kind or of all. Raises `InvalidInput`."""
    validate.check_choice("kind", kind, FOUND_LINK_KINDS)
    validate.check_int("limit", limit, 1, MAX_LISTED)
    with database.snapshot(tenant=tenant) as tx:
        rows = found_links.every(tx, kind=kind, limit=limit)
    return tuple(
        Link(
            source=row["source"],
            target=row["target"],
            type=row["type"],
            weight=row["weight"],
            extractor=found_links.EXTRACTOR,
            properties=parsed_properties(row["properties"]),
        )
        for row in rows
    )


def remove_guessed_links(database: Database, *, tenant: str, kind: str | None = None) -> int:
    """Remove the links of a kind, or all. They are not found again. Returns how many. Raises `InvalidInput`."""
    validate.check_choice("kind", kind, FOUND_LINK_KINDS)
    removed = 0
    while True:
        with database.transaction(tenant=tenant) as tx:
            rows = found_links.every(tx, kind=kind, limit=REMOVED)
            for row in rows:
                found_links.delete(tx, source=row["source_id"], target=row["target_id"], type=row["type"])
            lifecycle.refuse(tx, [link_hash(row["source"], row["target"]) for row in rows])
        removed += len(rows)
        if len(rows) < REMOVED:
            return removed
