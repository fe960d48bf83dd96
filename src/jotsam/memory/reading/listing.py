"""Lists of memories, page by page, and single memories with all their fields.

What is before and after a memory: the chunks around it in its document, or the turns around it in its session.
"""

from __future__ import annotations

import json

from jotsam.core import validate
from jotsam.core.cursors import cursor, place
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.records import Page, Record, StoredMemory
from jotsam.ingest.validation import check_key
from jotsam.memory.reading.selection import checked, resolve
from jotsam.memory.reading.show import memory_row
from jotsam.storage.memories import documents, memories, selection
from jotsam.storage.recall import search, summaries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.storage.database import Database, Row, Transaction


MAX_LIMIT = 200
MAX_PENDING = 1_000  # documents that are counted
STEPS = {"before": ("second_before", "before"), "after": ("after", "second_after")}


def list_memories(
    tx: Transaction,
    options: Mapping[str, object],
    *,
    order: str = selection.NEWEST,
    history: bool = False,
    archived: bool = False,
    after: str | None = None,
    limit: int = 50,
) -> Page:
    """A page of selected memories. Raises `InvalidInput`, `NotFound`."""
    validate.check_choice("order", order, selection.ORDERS)
    validate.check_bool("history", history)
    validate.check_bool("archived", archived)
    validate.check_int("limit", limit, 1, MAX_LIMIT)
    begin = None if after is None else _place(after, order)
    wanted = checked(options)
    archived = bool(archived) or summaries.asks_for(wanted.tags)
    chosen = resolve(tx, wanted, history=bool(history), archived=archived, order=order)
    place = selection.page(tx, chosen, order=order, after=begin, limit=limit)
    found = selection.rows(tx, [id for _, id in place.keys])
    return Page(
        memories=tuple(stored(*found[id]) for _, id in place.keys),
        next=None if place.last is None else cursor(order, *place.last),
        pending=selection.count_unchunked(tx, chosen, most=MAX_PENDING),
    )


def get_memory(tx: Transaction, *, id: str, actor: str | None = None) -> StoredMemory:
    """One memory, by an id as for `show`. Raises `NotFound`, `InvalidInput`."""
    row = memory_row(tx, id=id, actor=actor)
    return stored(row, memories.tags(tx, row["id"]))


def get_by_key(tx: Transaction, *, key: object, actor: str | None = None) -> StoredMemory:
    """The memory that was stored with a key. Raises `NotFound`, `InvalidInput`."""
    name = check_key(key)
    uuid = memories.by_key(tx, key=name)
    row = None if uuid is None else memories.get(tx, uuid=uuid)
    if row is None or (actor is not None and row["actor"] != actor):
        raise NotFound(f"there is no memory with the key {validate.shown(name)}: `remember` and `upsert` store one")
    return stored(row, memories.tags(tx, row["id"]))


def stored(row: Row, tags: tuple[str, ...]) -> StoredMemory:
    """The record of a row."""
    metadata = None if row["metadata"] is None else json.loads(row["metadata"])
    return memories.record(row, tags, metadata)


def _place(after: object, order: str) -> tuple[float, int]:
    same = " in the same order"
    read_order, at, id = place(after, str, (int, float), int, same=same)
    if read_order == order and at <= selection.LAST and 0 <= id <= selection.LAST:
        return at, id
    raise InvalidInput(f"invalid after {validate.shown(after)}: must be the `next` of a page{same}")


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
