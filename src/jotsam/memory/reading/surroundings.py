"""What is before and after a memory: the chunks around it in its document, or the turns around it in its session."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.memory.reading.listing import stored
from jotsam.memory.reading.show import memory_row
from jotsam.storage.memories import documents, selection
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.records import StoredMemory
    from jotsam.storage.database import Database

STEPS = {"before": ("second_before", "before"), "after": ("after", "second_after")}


class Surroundings(Record):
    """Up to two memories before one, and up to two after it, in order."""

    before: tuple[StoredMemory, ...]
    after: tuple[StoredMemory, ...]
    ingest_job: int | None  # that split the document


def surroundings(database: Database, *, tenant: str, id: str) -> Surroundings:
    """What is around a memory; nothing until it is enriched. Raises `NotFound`, `InvalidInput`."""
    with database.snapshot(tenant=tenant) as tx:
        row = memory_row(tx, id=id)
        rows = search.sequence_neighbours(tx, refs=[row["id"]])
        numbers = {side: _distinct(rows[:1], names) for side, names in STEPS.items()}
        found = selection.rows(tx, {number for each in numbers.values() for number in each})
        document = documents.get(tx, uuid=row["document"]) if row["document"] else None
    around = {side: tuple(stored(*found[one]) for one in each) for side, each in numbers.items()}
    return Surroundings(**around, ingest_job=document["job_id"] if document else None)


def _distinct(rows: list[dict[str, int | None]], names: tuple[str, ...]) -> list[int]:
    return [number for row in rows for name in names if (number := row[name]) is not None]
