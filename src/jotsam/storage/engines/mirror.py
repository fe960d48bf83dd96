"""What engines have to get: the log of changed memories, which triggers write, and memories as engines hold them.

An entry says that a memory changed, not how: its state when the entry is read decides. It contains ids only.
"""

from __future__ import annotations

import json
from hashlib import blake2b

from jotsam.core.mirror_records import MirroredEntity, MirroredFact, MirroredLink, MirroredMemory, MirroredVector
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    from jotsam.storage.database import Row, Transaction

    T = TypeVar("T")

LAST_ID = 2**62  # higher than any id
ROWS_PER_MEMORY = 16  # entries that are read for each memory of a batch: a memory that is enriched has some


class Progress(Record):
    """How far an engine is with a tenant. See the table `mirror_progress`."""

    version: int
    fill_after: int | None
    sweep_after: str | None
    read_to: int

    @property
    def is_complete(self) -> bool:
        return self.fill_after is None and self.sweep_after is None


class Batch(Record):
    """The memories that an engine gets next: those that exist, and the UUIDs of those that do not."""

    entries: tuple[int, ...]  # of the log
    numbers: Mapping[str, int]  # of the memories by UUID
    memories: tuple[MirroredMemory, ...]
    gone: tuple[str, ...]
    fill_after: int | None  # how far the engine is filled with this batch


class PendingChanges(Record):
    """How many memories have changes that an engine has not received, and since when."""

    memories: int
    oldest: int | None


def is_pending(tx: Transaction, *, engine: str) -> bool:
    """Whether an engine lacks anything of the tenant."""
    if tx.one("mirror.any_change", engine=engine):
        return True
    found = progress(tx, engine=engine)
    return found is not None and not found.is_complete


def pending(tx: Transaction, *, engine: str) -> PendingChanges:
    """The changes that an engine has not received. Memories that are still to be filled in are counted too."""
    found = progress(tx, engine=engine)
    filled = LAST_ID if found is None or found.fill_after is None else found.fill_after
    row = tx.one("mirror.count_changes", engine=engine, filled=filled)
    following = None if filled == LAST_ID else tx.one("mirror.count_following", after=filled)
    assert row is not None
    more = following["memories"] if following else 0
    return PendingChanges(memories=row["memories"] + more, oldest=row["oldest"])


def changed_memories(tx: Transaction, *, engine: str, limit: int) -> list[int]:
    """The ids of memories that changed since an engine was updated, at most `limit`. Some may have been forgotten."""
    return [row["memory_id"] for row in tx.all("mirror.changed_memories", engine=engine, limit=limit)]


def changed_among(tx: Transaction, uuids: Iterable[str], *, engine: str) -> set[str]:
    """Those of some memories that changed since an engine was updated."""
    return {row["uuid"] for row in tx.all("mirror.changed_uuids", engine=engine, uuids=json.dumps([*uuids]))}


def progress(tx: Transaction, *, engine: str) -> Progress | None:
    """None: the engine never got anything of the tenant."""
    row = tx.one("mirror.progress", engine=engine)
    return None if row is None else Progress(**row)


def next_version(tx: Transaction, *, engine: str) -> Progress:
    """Begin a batch: from here on every earlier one of the tenant is outdated."""
    row = tx.one("mirror.next_version", engine=engine)
    assert row is not None
    return Progress(**row)


def read_batch(tx: Transaction, at: Progress, *, engine: str, limit: int) -> Batch:
    """The next changes, of at most `limit` memories, and some of those that are to be filled in."""
    entries: list[int] = []
    numbers: dict[str, int] = {}
    for row in tx.all("mirror.changes", engine=engine, read_to=at.read_to, limit=limit * ROWS_PER_MEMORY):
        if row["uuid"] not in numbers and len(numbers) == limit:
            break
        numbers[row["uuid"]] = row["memory_id"]
        entries.append(row["id"])
    fill_after = at.fill_after
    if fill_after is not None:
        room = max(limit - len(numbers), limit // 2)
        rows = tx.all("mirror.following", after=fill_after, limit=room)
        numbers |= {row["uuid"]: row["id"] for row in rows}
        fill_after = rows[-1]["id"] if len(rows) == room else None
    found = read_memories(tx, numbers)
    gone = tuple(uuid for uuid in numbers if uuid not in found)
    return Batch(
        entries=tuple(entries), numbers=numbers, memories=tuple(found.values()), gone=gone, fill_after=fill_after
    )


def acknowledge(tx: Transaction, batch: Batch, *, engine: str, version: int, sweep_after: str | None) -> None:
    """Remove the changes of a batch from the log, and save how far the engine is."""
    tx.run("mirror.delete_changes", ids=json.dumps(batch.entries))
    tx.run("mirror.save_progress", engine=engine, version=version, fill_after=batch.fill_after, sweep_after=sweep_after)


def acknowledge_gone(tx: Transaction, batch: Batch, *, engine: str) -> None:
    """The same for a tenant that has no memories: nothing is stored of how far the engine is."""
    tx.run("mirror.delete_changes", ids=json.dumps(batch.entries))
    tx.run("mirror.forget_progress", engine=engine)


def log(tx: Transaction, numbers: Mapping[str, int], *, engine: str) -> None:
    """Log memories, given by UUID and id, as changed."""
    tx.run_many("mirror.log", [{"engine": engine, "uuid": uuid, "memory_id": id} for uuid, id in numbers.items()])


def fill(tx: Transaction, *, engine: str) -> None:
    """Order that all memories of the tenant are written to an engine, and that nothing else is left there."""
    tx.run("mirror.fill", engine=engine)


def forget_engine(tx: Transaction, *, engine: str) -> None:
    """Remove what is stored about an engine and the tenant."""
    tx.run("mirror.forget_changes", engine=engine)
    tx.run("mirror.forget_progress", engine=engine)


def count_memories(tx: Transaction) -> int:
    row = tx.one("mirror.count_memories")
    assert row is not None
    return int(row["memories"])


def uuids(tx: Transaction) -> list[str]:
    """The UUIDs of all memories of the tenant, in order."""
    return sorted(row["uuid"] for row in tx.all("mirror.uuids"))


def existing(tx: Transaction, uuids: Iterable[str]) -> dict[str, int]:
    """The ids of those of some memories that exist, by UUID."""
    return {row["uuid"]: row["id"] for row in tx.all("mirror.existing", uuids=json.dumps([*uuids]))}


def read_memories(tx: Transaction, uuids: Iterable[str]) -> dict[str, MirroredMemory]:
    """Memories as engines hold them, by UUID. Those that do not exist are left out."""
    rows = {row["id"]: row for row in tx.all("mirror.memories", uuids=json.dumps([*uuids]))}
    if not rows:
        return {}
    ids = json.dumps([*rows])
    tags = _grouped(tx.all("mirror.tags", ids=ids), lambda row: str(row["tag"]))
    entities = _grouped(tx.all("mirror.entities", ids=ids), lambda row: MirroredEntity(**row))
    facts = _grouped(tx.all("mirror.facts", ids=ids), lambda row: MirroredFact(id=row.pop("uuid"), **row))
    links = _grouped(tx.all("mirror.links", ids=ids), lambda row: MirroredLink(**row), by="source_id")
    vectors = {row["memory_id"]: row for row in tx.all("mirror.vectors", ids=ids)}
    found = {}
    for id, row in rows.items():
        uuid, body, vector = row.pop("uuid"), row.pop("body"), vectors.get(id)
        row.pop("id")
        memory = MirroredMemory(
            id=uuid,
            digest="",
            content=body,
            tags=tuple(sorted(tags.get(id, ()))),
            entities=_distinct(entities.get(id, ())),
            facts=tuple(sorted(facts.get(id, ()), key=lambda fact: fact.id)),
            links=tuple(sorted(links.get(id, ()), key=lambda link: (link.type, link.target))),
            vector=MirroredVector(embedder=vector["embedder"], bytes=bytes(vector["bytes"])) if vector else None,
            **row,
        )
        found[uuid] = memory.replace(digest=digest(memory))
    return found


def digest(memory: MirroredMemory) -> str:
    """A hash over all fields of a memory but the digest itself."""
    fields = {**memory.as_dict(), "digest": ""}
    return blake2b(json.dumps(fields, sort_keys=True).encode(), digest_size=16).hexdigest()


def _grouped(rows: Sequence[Row], make: Callable[[Row], T], *, by: str = "memory_id") -> dict[int, list[T]]:
    found: dict[int, list[T]] = {}
    for row in rows:
        found.setdefault(row.pop(by), []).append(make(row))
    return found


def _distinct(entities: Iterable[MirroredEntity]) -> tuple[MirroredEntity, ...]:
    """In order, each once: a memory may mention an entity by its own name and by that of one merged into it."""
    best: dict[tuple[str, str], MirroredEntity] = {}
    for one in sorted(entities, key=lambda one: -1.0 if one.confidence is None else one.confidence):
        best[one.category, one.slug] = one
    return tuple(best[key] for key in sorted(best))
