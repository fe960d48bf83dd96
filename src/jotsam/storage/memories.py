"""Memories: single units of knowledge, cut from a document or handed in whole, and their tags."""

from __future__ import annotations

from jotsam.records import Job, Memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction


def save(
    tx: Transaction, memory: Memory, *, metadata: str | None, key: str | None, job_id: int, document: int | None = None
) -> int:
    """Keep a memory with its tags. `metadata` is JSON text, `document` the number of the document it was cut from.

    Returns its number inside the database, under which its words are indexed.
    """
    row = tx.one(
        "memories.save",
        uuid=memory.id,
        tenant=memory.tenant,
        project=memory.project,
        document_id=document,
        position=memory.position,
        section=memory.section,
        body=memory.text,
        type=memory.type,
        importance=memory.importance,
        confidence=memory.confidence,
        metadata=metadata,
        actor=memory.actor,
        session=memory.session,
        source=memory.source,
        said_at=memory.said_at,
        valid_from=memory.valid_from,
        valid_until=memory.valid_until,
        own_id=memory.own_id,
        key=key,
        job_id=job_id,
    )
    assert row is not None
    number: int = row["id"]
    tag(tx, tenant=memory.tenant, number=number, tags=memory.tags)
    return number


def known(tx: Transaction, memory: Memory, *, key: str | None) -> Row | None:
    """The uuid and job_id of the memory that was accepted under this key or with this own id.

    Until this transaction ends, nobody else gets an answer about the same: who finds nothing may save.
    """
    if key is not None:
        tx.lock(f"memory {memory.tenant} key {key}")
    if memory.own_id is not None:
        tx.lock(f"memory {memory.tenant} own id {memory.own_id}")
    found = tx.one("memories.by_key", tenant=memory.tenant, key=key) if key is not None else None
    if found is None and memory.own_id is not None:
        found = tx.one("memories.by_own_id", tenant=memory.tenant, own_id=memory.own_id)
    return found


def tag(tx: Transaction, *, tenant: str, number: int, tags: Iterable[str]) -> None:
    """Add tags; those it has already stay."""
    tx.each("memories.tag", [{"tenant": tenant, "tag": name, "memory_id": number} for name in tags])


def tags(tx: Transaction, number: int) -> tuple[str, ...]:
    return tuple(row["tag"] for row in tx.all("memories.tags", memory_id=number))


def get(tx: Transaction, *, tenant: str, uuid: str) -> Row | None:
    """A memory with its number `id`, and the UUID of its `document`."""
    return tx.one("memories.get", tenant=tenant, uuid=uuid)


def by_own_id(tx: Transaction, *, tenant: str, own_id: str) -> str | None:
    """The UUID of the memory with the caller's own id."""
    row = tx.one("memories.by_own_id", tenant=tenant, own_id=own_id)
    return row["uuid"] if row else None


def matching(tx: Transaction, *, tenant: str, prefix: str) -> list[str]:
    """The UUIDs that begin with a prefix; two are enough to know that it is not unique."""
    rows = tx.all("memories.find", tenant=tenant, low=prefix, high=prefix + "g")
    return [row["uuid"] for row in rows]


def of_document(tx: Transaction, number: int) -> list[Row]:
    """Number, uuid, section, position, job_id and enriched_at of each chunk, in order."""
    return tx.all("memories.of_document", document_id=number)


def jobs_of_document(tx: Transaction, *, tenant: str, number: int) -> list[Job]:
    """The jobs, not done yet, of the chunks of a document, without their payloads."""
    rows = tx.all("memories.jobs_of_document", tenant=tenant, document_id=number)
    return [Job(**{**row, "parallel": bool(row["parallel"])}) for row in rows]


def failures_of_document(tx: Transaction, *, tenant: str, number: int) -> list[Row]:
    """The deliveries of the jobs of its chunks that did not end well: job_id, received, owner, started_at, ..."""
    return tx.all("memories.failures_of_document", tenant=tenant, document_id=number)


def chunk_number(tx: Transaction, *, document: int, position: int) -> int | None:
    """The number of the memory at a position of a document, if it was cut already."""
    row = tx.one("memories.chunk", document_id=document, position=position)
    return row["id"] if row else None


def supersede_older(tx: Transaction, *, tenant: str, project: str | None, source: str) -> None:
    """Hide what was cut from any document of a source but the newest one that is cut, in whatever order they were."""
    row = tx.one("memories.newest_cut", tenant=tenant, project=project, source=source)
    if row and row["id"] is not None:
        tx.run("memories.supersede_older", tenant=tenant, project=project, source=source, newest=row["id"])


def supersede(tx: Transaction, *, tenant: str, number: int, by: int, at: int) -> None:
    """From `at` on, another memory holds in the place of this one."""
    tx.run("memories.supersede", tenant=tenant, id=number, by=by, at=at)


def restore(tx: Transaction, *, tenant: str, number: int) -> None:
    """It holds again."""
    tx.run("memories.restore", tenant=tenant, id=number)


def supersede_chunks(tx: Transaction, *, tenant: str, document: int, by: int, at: int) -> None:
    """From `at` on, another document holds in the place of this one: of its chunks, those that still held."""
    tx.run("memories.supersede_chunks", tenant=tenant, document_id=document, by=by, at=at)


def restore_chunks(tx: Transaction, *, tenant: str, document: int, at: int) -> None:
    """The chunks that were superseded with their document hold again."""
    tx.run("memories.restore_chunks", tenant=tenant, document_id=document, at=at)


def heirs(tx: Transaction, *, tenant: str, number: int) -> list[Row]:
    """The `id` and `uuid` of what holds in its place, and of what holds in the place of that, and so on."""
    return tx.all("memories.heirs", tenant=tenant, id=number)


def mark_enriched(tx: Transaction, *, number: int, summary: str | None) -> None:
    tx.run("memories.enriched", id=number, summary=summary)


def said_before(tx: Transaction, *, tenant: str, session: str, number: int) -> int | None:
    """The number of the memory said just before this one in the same session."""
    row = tx.one("memories.before", tenant=tenant, session=session, id=number)
    return row["id"] if row else None


def count(tx: Transaction, *, tenant: str) -> Row:
    """How many `memories` a tenant has, and how many of them are `enriched`."""
    row = tx.one("memories.count", tenant=tenant)
    assert row is not None
    return row


def not_enriched(tx: Transaction, *, tenant: str) -> int:
    """How many memories wait to be enriched, or could not be."""
    row = tx.one("memories.not_enriched", tenant=tenant)
    return int(row["memories"]) if row else 0


def numbers(tx: Transaction, tenant: str) -> list[int]:
    return [row["id"] for row in tx.all("memories.numbers", tenant=tenant)]


def forget_tenant(tx: Transaction, tenant: str) -> None:
    """Remove all memories of a tenant, with their tags, mentions and links."""
    tx.run("memories.forget_tenant", tenant=tenant)


def record(row: Row, tags: tuple[str, ...], metadata: dict[str, object] | None) -> Memory:
    same = ("tenant", "project", "type", "importance", "confidence", "actor", "session", "position", "said_at")
    more = ("valid_from", "valid_until", "own_id", "source", "section", "document", "summary", "created_at")
    last = ("enriched_at", "superseded_at")
    fields = {name: row[name] for name in (*same, *more, *last)}
    return Memory(text=row["body"], id=row["uuid"], tags=tags, metadata=metadata, **fields)
