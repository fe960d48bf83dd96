"""Memories: single units of knowledge, chunks of documents or stored directly, and their tags."""

from __future__ import annotations

from jotsam.core.job_records import Job
from jotsam.core.records import Memory, Record, StoredMemory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction, Value

# Memories that wait for the model: the shortest interval between two tries, and how many have a job at a time.
FIRST_RETRY_MS = 60_000
MAX_RETRIES = 64

# Why a memory is degraded between its two jobs, `enrich` and `model`. Failures of rules may follow.
UNREAD = "the language model has not read it yet"


def save(
    tx: Transaction,
    memory: Memory,
    *,
    metadata: str | None,
    key: str | None,
    job_id: int,
    document: int | None = None,
    joined_from: str | None = None,
) -> int:
    """Save a memory with its tags. `metadata` is JSON text, `document` the id of the document that it is a chunk of.

    Returns its id, under which its text is indexed.
    """
    row = tx.one(
        "memories.save",
        uuid=memory.id,
        tenant=memory.tenant,
        project=memory.project,
        joined_from=joined_from,
        document_id=document,
        position=memory.position,
        line=memory.line,
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
        external_id=memory.external_id,
        key=key,
        job_id=job_id,
    )
    assert row is not None
    number: int = row["id"]
    tag(tx, number=number, tags=memory.tags)
    if metadata is not None:
        from jotsam.storage.metadata_index import hashes  # Slow to import, and needed only with metadata.

        same: dict[str, Value] = {"tenant": memory.tenant, "memory_id": number}
        tx.run_many("memories.index_metadata", [{**same, "hash": hash} for hash in hashes(metadata)])
    return number


def latest_names(tx: Transaction, *, project: str | None, latest: int) -> list[Row]:
    """Of the latest memories: id, actor, session, source."""
    return tx.all("memories.latest_names", project=project, latest=latest)


def counted_tags(tx: Transaction, memories: Iterable[int], *, limit: int) -> dict[str, int]:
    """The tags of memories by how many have them, the most frequent first."""
    import json

    rows = tx.all("memories.counted_tags", memories=json.dumps([*memories]), limit=limit)
    return {row["tag"]: row["memories"] for row in rows}


def last_turn(tx: Transaction, *, tenant: str, source: str) -> int | None:
    """When the last turn of an agent was said, or None. The source of a turn is its agent."""
    row = tx.one("memories.last_turn", tenant=tenant, source=source)
    return None if row is None else row["said_at"]


def lock_key(tx: Transaction, key: str) -> None:
    """Let no other transaction store a memory with an idempotency key until this one ends."""
    tx.lock(f"memory {tx.tenant} key {key}")


def by_key(tx: Transaction, *, key: str) -> str | None:
    """The UUID of the memory with an idempotency key."""
    row = tx.one("memories.by_key", key=key)
    return None if row is None else str(row["uuid"])


def by_keys(tx: Transaction, keys: Iterable[str]) -> list[str]:
    """The UUIDs of the memories with idempotency keys, in no order."""
    import json

    return [row["uuid"] for row in tx.all("memories.by_keys", keys=json.dumps([*keys]))]


def find_duplicate(tx: Transaction, memory: Memory, *, key: str | None) -> Row | None:
    """The id, uuid, job_id and processed_at of the memory with the same idempotency key or external id.

    Locks the key until this transaction ends: a caller that gets None may save.
    """
    if key is not None:
        tx.lock(f"memory {memory.tenant} key {key}")
    if memory.external_id is not None:
        tx.lock(f"memory {memory.tenant} external id {memory.external_id}")
    found = tx.one("memories.by_key", tenant=memory.tenant, key=key) if key is not None else None
    if found is None and memory.external_id is not None:
        found = tx.one("memories.by_external_id", tenant=memory.tenant, external_id=memory.external_id)
    return found


def tag(tx: Transaction, *, number: int, tags: Iterable[str], extractor: str | None = None) -> None:
    """Add tags. Existing ones are kept. `extractor` is None for tags given by a caller."""
    row: dict[str, Value] = {"memory_id": number, "extractor": extractor}
    tx.run_many("memories.tag", [{**row, "tag": name} for name in tags])


def clear(tx: Transaction, *, number: int) -> None:
    """Remove everything extracted except tags, and the time of enrichment."""
    tx.run("memories.clear", id=number)


def clear_tags(tx: Transaction, *, number: int, whose: int) -> None:
    """Remove the tags that were found, see `names.WHOSE`."""
    tx.run("memories.clear_tags", memory_id=number, whose=whose)


def tags(tx: Transaction, number: int) -> tuple[str, ...]:
    return tuple(row["tag"] for row in tx.all("memories.tags", memory_id=number))


def found_tags(tx: Transaction, number: int) -> dict[str, str]:
    """The tags that were found, each with its extractor."""
    return {row["tag"]: row["extractor"] for row in tx.all("memories.found_tags", memory_id=number)}


def get(tx: Transaction, *, uuid: str) -> Row | None:
    """A memory with its `id`, and the UUIDs of its `document` and of what supersedes it (`superseded_by_uuid`)
    and of what it was merged into (`archived_by_uuid`)."""
    return tx.one("memories.get", uuid=uuid)


def by_external_id(tx: Transaction, *, external_id: str) -> str | None:
    """The UUID of the memory with the caller's own id."""
    row = tx.one("memories.by_external_id", external_id=external_id)
    return row["uuid"] if row else None


def by_prefix(tx: Transaction, *, prefix: str) -> list[str]:
    """The UUIDs that start with a prefix, at most two: enough to know whether it is unique."""
    rows = tx.all("memories.by_prefix", low=prefix, high=prefix + "g")
    return [row["uuid"] for row in rows]


def of_document(tx: Transaction, number: int) -> list[Row]:
    """id, uuid, section, position, job_id and enriched_at of each chunk, in order."""
    return tx.all("memories.of_document", document_id=number)


def jobs_of_document(tx: Transaction, *, number: int) -> list[Job]:
    """The pending and dead jobs of the chunks of a document, without their payloads."""
    rows = tx.all("memories.jobs_of_document", document_id=number)
    return [Job(**{**row, "parallel": bool(row["parallel"])}) for row in rows]


def failures_of_document(tx: Transaction, *, number: int) -> list[Row]:
    """The unsuccessful deliveries of the jobs of its chunks: job_id, received, owner, started_at, ..."""
    return tx.all("memories.failures_of_document", document_id=number)


def costs_of_document(tx: Transaction, *, number: int) -> list[Row]:
    """The model usage of the jobs of its chunks: job_id, model, purpose, state, tokens_in, ..."""
    return tx.all("memories.costs_of_document", document_id=number)


def chunk_number(tx: Transaction, *, document: int, position: int) -> int | None:
    """The id of the memory at a position of a document; None if that chunk is not saved yet."""
    row = tx.one("memories.chunk", document_id=document, position=position)
    return row["id"] if row else None


def supersede_source(tx: Transaction, *, document: int, by: int, at: int) -> None:
    """A newer document of its source replaces this one from `at` on, section by section.

    Chunks that were superseded for another reason stay as they are.
    """
    tx.run("memories.supersede_source", document_id=document, by=by, at=at)


def supersede(tx: Transaction, *, number: int, by: int, at: int) -> None:
    """Another memory replaces this one from `at` on."""
    tx.run("memories.supersede", id=number, by=by, at=at)


def restore(tx: Transaction, *, number: int) -> None:
    """Make it current again."""
    tx.run("memories.restore", id=number)


def supersede_chunks(tx: Transaction, *, document: int, by: int, at: int) -> None:
    """Another document replaces this one from `at` on: supersedes its current chunks."""
    tx.run("memories.supersede_chunks", document_id=document, by=by, at=at)


def restore_chunks(tx: Transaction, *, document: int, at: int) -> None:
    """Make the chunks current again that were superseded with their document."""
    tx.run("memories.restore_chunks", document_id=document, at=at)


def successors(tx: Transaction, *, number: int) -> list[Row]:
    """The `id` and `uuid` of what supersedes it, directly and indirectly, in order."""
    return tx.all("memories.successors", id=number)


def mark_enriched(
    tx: Transaction,
    *,
    number: int,
    extractor: str,
    summary: str | None,
    type: str | None = None,
    confidence: float | None = None,
    importance: float | None = None,
    degraded: str | None = None,
) -> None:
    """Save the result of enrichment. A type, confidence or importance given by a caller stays."""
    tx.run(
        "memories.mark_enriched",
        id=number,
        extractor=extractor,
        summary=summary,
        type=type,
        confidence=None if confidence is None else float(confidence),
        importance=None if importance is None else float(importance),
        degraded=degraded,
        unread=f"{UNREAD}%",
    )


def set_awaiting_model(tx: Transaction, *, number: int, awaits: bool) -> None:
    """Save whether a degraded memory waits for the model. The time since when it waits stays."""
    tx.run("memories.set_awaiting_model", id=number, awaits=int(awaits))


def stop_waiting(tx: Transaction, *, job_id: int) -> None:
    """The memory of this job, if any, waits for the model no longer: it is degraded."""
    tx.run("memories.stop_waiting", job_id=job_id)


def set_rejected(tx: Transaction, *, number: int, rejected: str | None) -> None:
    """Save the rejected parts of an extraction: a JSON list, or None."""
    tx.run("memories.set_rejected", id=number, rejected=rejected)


def extractor(tx: Transaction, number: int) -> str | None:
    """The extractor that enriched a memory last."""
    row = tx.one("memories.extractor", id=number)
    return row["extractor"] if row else None


def count_discarded(tx: Transaction) -> int:
    """How many current memories are not enriched and have no job: it was discarded."""
    row = tx.one("memories.count_discarded")
    return int(row["memories"]) if row else 0


def set_enrich_job(tx: Transaction, *, number: int, job_id: int) -> None:
    """Set the job that enriches a memory."""
    tx.run("memories.set_enrich_job", id=number, job_id=job_id)


class Wanted(Record):
    """Filter of `to_enrich`. None matches any value."""

    uuid: str | None = None
    project: str | None = None
    source: str | None = None
    type: str | None = None
    extractor: str | None = None  # a prefix
    degraded: bool = False  # only those of which the model or a rule failed


def to_enrich(tx: Transaction, wanted: Wanted, *, after: int, limit: int) -> list[Row]:
    """Current memories with an id above `after`, each with `job_state`: the state of its job, None if it is done."""
    extractor = wanted.extractor
    if extractor is not None:
        extractor = _escaped(extractor) + "%"
    return tx.all(
        "memories.to_enrich",
        uuid=wanted.uuid,
        project=wanted.project,
        source=wanted.source,
        type=wanted.type,
        extractor=extractor,
        degraded=int(wanted.degraded),
        after=after,
        limit=limit,
    )


def awaiting_model(tx: Transaction, *, limit: int, is_paced: bool) -> list[Row]:
    """`id` and `uuid` of memories that wait for the model and have no job, the one tried longest ago first.

    None if `MAX_RETRIES` have one, where the first job of a memory does not count. With `is_paced` only those whose
    interval since the last try is over: at least a minute, and doubled each time.
    """
    return tx.all(
        "memories.awaiting_model",
        paced=int(is_paced),
        shortest=FIRST_RETRY_MS,
        unread=f"{UNREAD}%",
        window=MAX_RETRIES,
        limit=limit,
    )


def stored_before(tx: Transaction, number: int, *, within_ms: int, limit: int) -> list[int]:
    """The ids of memories of its project stored before this one and said at most `within_ms` before it, latest first.

    Chunks of documents are left out.
    """
    row = tx.one("memories.said_at", id=number)
    assert row is not None
    since = row["at"] - within_ms
    return [found["id"] for found in tx.all("memories.stored_before", **row, id=number, since=since, limit=limit)]


def set_date_ranges(tx: Transaction, *, number: int, periods: Iterable[tuple[int, int]]) -> None:
    """Replace the dates that a memory mentions: the first millisecond of each, and the one after its last."""
    tx.run("memories.clear_date_ranges", memory_id=number)
    tx.run_many(
        "memories.add_date_range",
        [{"memory_id": number, "first": first, "until": until} for first, until in periods],
    )


def date_ranges(tx: Transaction, number: int) -> list[Row]:
    """`first` and `until` of each date that a memory mentions, the shortest first."""
    return tx.all("memories.date_ranges", memory_id=number)


def session_neighbours(tx: Transaction, row: Row) -> tuple[int | None, int | None]:
    """The ids of the memories said just before and just after one in its session; `row` comes from `get`.

    Locks the session.
    """
    tx.lock(f"memory {row['tenant']} session {row['session']}")
    return beside_in_session(tx, row)


def beside_in_session(tx: Transaction, row: Row) -> tuple[int | None, int | None]:
    """The same without the lock."""
    here = {"tenant": row["tenant"], **_place(row)}
    before, after = tx.one("memories.previous_in_session", **here), tx.one("memories.next_in_session", **here)
    return before["id"] if before else None, after["id"] if after else None


def turns_before(tx: Transaction, row: Row, *, limit: int) -> list[Row]:
    """What was said in the session of a memory before it, in order: id, actor, body. Only what was stored before it."""
    return tx.all("memories.turns_before", **_place(row), limit=limit)[::-1]


def _place(row: Row) -> dict[str, Value]:
    """The place of a memory in its session."""
    at = row["created_at"] if row["said_at"] is None else row["said_at"]
    return {"session": row["session"], "at": at, "place": row["position"] or 0, "id": row["id"]}


def turns_of_session(tx: Transaction, *, session: str) -> list[Row]:
    """The idempotency key and the text of each turn of a session that has a key."""
    return tx.all("memories.turns_of_session", session=session)


def in_other_sessions(tx: Transaction, *, session: str, line: str, said: str, first: int, last: int) -> list[str]:
    """The texts of the turns of a line in other sessions, and of those that a hook has stored there.

    `line` is the end of its external id, and `said` that of the key of a hook. It was said from `first` to `last`.
    """
    ends = {"line": f"%:{_escaped(line)}", "key": f"hook:%:{_escaped(said)}"}
    found = tx.all("memories.in_other_sessions", session=session, first=first, last=last, **ends)
    return [row["body"] for row in found]


def _escaped(text: str) -> str:
    """A text in a pattern of `like`."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def count(tx: Transaction) -> Row:
    """How many `memories` the tenant has, and how many are `enriched`, `degraded`, `awaiting_model` and
    `archived`."""
    row = tx.one("memories.count")
    assert row is not None
    return row


def not_enriched(tx: Transaction) -> int:
    """How many memories are not enriched."""
    row = tx.one("memories.not_enriched")
    return int(row["memories"]) if row else 0


def degraded(tx: Transaction) -> int:
    """How many memories were enriched in part, because the model or a rule failed."""
    row = tx.one("memories.degraded")
    return int(row["memories"]) if row else 0


def ids(tx: Transaction) -> list[int]:
    return [row["id"] for row in tx.all("memories.ids")]


def indexed_texts(tx: Transaction, *, after: int, limit: int) -> dict[int, Memory]:
    """By id, the indexed fields of the next memories with an id above `after`."""
    import json

    found: dict[int, Memory] = {}
    for row in tx.all("memories.indexed_texts", after=after, limit=limit):
        before = found[row["id"]].tags if row["id"] in found else ()
        tags = before if row["tag"] is None else (*before, row["tag"])
        same = {name: row[name] for name in ("project", "source", "section", "actor")}
        metadata = json.loads(row["metadata"]) if row["metadata"] else None
        found[row["id"]] = Memory(text=row["body"], tenant=tx.tenant, tags=tags, metadata=metadata, **same)
    return found


def record(row: Row, tags: tuple[str, ...], metadata: dict[str, object] | None) -> StoredMemory:
    same = ("tenant", "project", "type", "importance", "confidence", "actor", "session", "position", "line", "said_at")
    more = ("valid_from", "valid_until", "external_id", "source", "section", "document", "summary", "created_at")
    last = ("enriched_at", "superseded_at", "extractor", "degraded", "version", "changed_at", "summary_of")
    fields = {name: row[name] for name in (*same, *more, *last)}
    return StoredMemory(
        text=row["body"],
        id=row["uuid"],
        tags=tags,
        metadata=metadata,
        superseded_by=row["superseded_by_uuid"],
        archived_at=None if row["summary_of"] else row["archived_at"],
        archived_by=row["archived_by_uuid"],
        **fields,
    )


def of_job(tx: Transaction, job_id: int) -> str | None:
    """The UUID of the memory that a job enriched, or enriches."""
    row = tx.one("memories.of_job", job_id=job_id)
    return row["uuid"] if row else None


def by_project(tx: Transaction) -> list[Row]:
    """For each named project: how many memories, and when the first and the last were said."""
    return tx.all("memories.by_project")
