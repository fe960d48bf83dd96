"""Details of a document, a memory or a job: its content, pending jobs and past attempts.

It reads one snapshot and writes nothing. Ids of other tenants are not found.
"""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.job_records import CommandResult, Job
from jotsam.core.names import COMMAND, EVERY_QUEUE
from jotsam.core.records import Document, Entity, Fact, Link, Neighbour, Pattern, Record, Redaction, StoredMemory
from jotsam.retrieval.present.hits import line_range
from jotsam.retrieval.question.terms import uuid_prefix
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.graph import facts, graph, patterns
from jotsam.storage.lifecycle import relevance
from jotsam.storage.memories import archive, documents, memories, redactions
from jotsam.storage.recall import recall_counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from jotsam.storage.database import Row, Transaction

MAX_JOB_ID = 2**63 - 1


class Attempt(Record):
    """One delivery of a job that has ended. `outcome` is done, retry, released, dead, expired or interrupted."""

    job_id: int
    received: int
    owner: str | None
    started_at: int
    ended_at: int
    outcome: str
    error: str | None


class MemoryPeriod(Record):
    """Time that a memory mentions, mostly whole days, in milliseconds from `first` up to and without `until`."""

    first: int
    until: int


class ModelUsage(Record):
    """A request to a model, made for a job. An open one is running or was interrupted; it counts with its estimate."""

    job_id: int
    model: str
    purpose: str  # reading or embedding
    state: str  # open or done
    tokens_in: int
    tokens_cached: int  # of these
    tokens_out: int
    cost: float
    at: int


class Details(Record):
    """Details of a document, memory or job, as `kind` states. Those of a job include those of what it processes."""

    kind: str
    id: str  # a UUID, or the number of a job
    done: bool  # no job is pending; dead jobs are not pending
    discarded: bool = False  # not processed, or a chunk is not, because its job was discarded
    document: Document | None = None
    memory: StoredMemory | None = None
    lines: tuple[int, int] | None = None  # first and last line of a chunk in its document
    memories: tuple[str, ...] = ()  # UUIDs of the chunks of a document, in order
    jobs: tuple[Job, ...] = ()  # pending and dead ones
    attempts: tuple[Attempt, ...] = ()  # of a document's chunks only failed ones
    entities: tuple[Entity, ...] = ()  # mentioned by a memory
    facts: tuple[Fact, ...] = ()  # stated by a memory
    links: tuple[Link, ...] = ()  # outgoing links of a memory
    patterns: tuple[Pattern, ...] = ()  # exemplified by a memory
    rejected: tuple[str, ...] = ()  # extraction results that failed validation, and why
    usage: tuple[ModelUsage, ...] = ()  # of models for its job; of a document, for its chunks
    periods: tuple[MemoryPeriod, ...] = ()  # times that a memory mentions
    merged: tuple[str, ...] = ()  # UUIDs of memories that were archived because they were merged into it
    recalls: int = 0  # answers that contained a memory
    recalled_at: int | None = None  # the last of them
    relevance: float | None = None  # 0 to 1, as the step `decay` computed it last
    relevance_from: str = ""  # what that depends on, as it is now
    redactions: tuple[Redaction, ...] = ()  # removed before it was stored
    arguments: tuple[str, ...] = ()  # of a command
    result: CommandResult | None = None  # last result of a command, kept for a day


def show(tx: Transaction, *, id: str, actor: str | None = None) -> Details:
    """Details by UUID, UUID prefix, external id, or job id. The UUID of a fact returns the memory that states it.

    With `actor`, memories of other actors are not found, and links to them are left out. Raises `NotFound`, and
    `InvalidInput` for a prefix that is not unique.
    """
    if not isinstance(id, str) or not id.strip():
        raise InvalidInput(f"id is {id!r}: give the id of a document, memory or job, or the beginning of a UUID")
    wanted = _storable(id)
    details = _found(tx, wanted)
    item = None if details is None else details.memory or details.document
    if details is None or (actor is not None and (item is None or item.actor != actor)):
        raise NotFound(f"there is no {wanted!r}: `jotsam recall` and `jotsam jobs` show ids")
    if actor is None or details.memory is None:
        return details
    number = memory_row(tx, id=details.memory.id)["id"]
    return details.replace(
        links=_links(tx, details.memory.id, number, actor), patterns=patterns.of_memory(tx, number, actor=actor)
    )


def _found(tx: Transaction, wanted: str) -> Details | None:
    own = memories.by_external_id(tx, external_id=wanted)
    if own:
        return _of_memory(tx, own)
    details = _of_number(tx, wanted)
    if details:
        return details
    uuid = _find_uuid(tx, wanted)
    return None if uuid is None else _of_uuid(tx, uuid)


def memory_row(tx: Transaction, *, id: str, actor: str | None = None) -> Row:
    """The row of a memory, by an id as for `show`. Raises `NotFound` for any other id."""
    found = locate(tx, id=id)
    if found is None or (actor is not None and found.row.get("actor") != actor):
        raise NotFound(f"there is no memory {id!r}: `jotsam recall` shows ids")
    if found.kind != "memory":
        raise NotFound(f"{id!r} is a {found.kind}: give the id of a memory")
    return found.row


class Located(Record):
    """A memory, document or fact, and its row."""

    kind: str
    row: Row


def locate(tx: Transaction, *, id: str) -> Located | None:
    """A memory, document or fact by external id, UUID or UUID prefix; None if not found.

    Raises `InvalidInput` for a prefix that is not unique.
    """
    wanted = _storable(str(id))
    uuid = memories.by_external_id(tx, external_id=wanted) or _find_uuid(tx, wanted)
    if uuid is None:
        return None
    for kind, store in (("memory", memories), ("document", documents), ("fact", facts)):
        row = store.get(tx, uuid=uuid)
        if row is not None:
            return Located(kind=kind, row=row)
    return None


def _storable(id: str) -> str:
    """The id with characters replaced that no database can store."""
    return id.strip().replace("\0", "\ufffd").encode(errors="replace").decode()


def _find_uuid(tx: Transaction, wanted: str) -> str | None:
    """The only UUID that starts with a prefix."""
    prefix = uuid_prefix(wanted)
    if prefix is None:
        return None
    found = memories.by_prefix(tx, prefix=prefix)
    found += documents.by_prefix(tx, prefix=prefix)
    found += facts.by_prefix(tx, prefix=prefix)
    if len(found) > 1:
        raise InvalidInput(f"id {wanted!r} is not unique: {found[0]} and {found[1]} start with it; give more of it")
    return found[0] if found else None


def _of_number(tx: Transaction, wanted: str) -> Details | None:
    """Details of a job. Of a finished job only the attempts are kept, for a while."""
    if not (wanted.isascii() and wanted.isdigit()) or len(wanted) > 19 or int(wanted) > MAX_JOB_ID:
        return None
    job = queue.get(tx, int(wanted))
    if job:
        return _of_job(tx, job) if job.tenant == tx.tenant and job.queue in EVERY_QUEUE else None
    attempts = _attempts(tx, int(wanted), tenant=tx.tenant)
    if not attempts:
        return None
    result = command_result(tx, int(wanted))
    arguments = result.arguments if result else ()
    usage = _usage(tx, int(wanted))
    return Details(
        kind="job", id=str(int(wanted)), done=True, attempts=attempts, usage=usage, arguments=arguments, result=result
    )


def _of_job(tx: Transaction, job: Job) -> Details:
    if job.queue == COMMAND:
        return _of_command(tx, job)
    uuid = json.loads(job.payload)
    row = documents.get(tx, uuid=uuid) or memories.get(tx, uuid=uuid)
    whole = Details(kind="job", id="", done=True) if row is None else _of_uuid(tx, uuid)
    attempts, usage = _attempts(tx, job.id), _usage(tx, job.id)
    return whole.replace(kind="job", id=str(job.id), jobs=(job,), attempts=attempts, usage=usage, done=_is_done((job,)))


def _of_command(tx: Transaction, job: Job) -> Details:
    return Details(
        kind="job",
        id=str(job.id),
        done=_is_done((job,)),
        jobs=(job,),
        attempts=_attempts(tx, job.id),
        arguments=command_arguments(job),
        result=command_result(tx, job.id),
    )


def command_arguments(job: Job) -> tuple[str, ...]:
    """The command line of a job; empty if its payload is not one."""
    try:
        return _printable(json.loads(job.payload)["arguments"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ()


def command_result(tx: Transaction, job_id: int) -> CommandResult | None:
    """The result of a command. Other jobs have none."""
    result = queue.result(tx, job_id)
    if result is None:
        return None
    stored = CommandResult(**json.loads(result))
    return stored.replace(arguments=_printable(stored.arguments))


def _printable(arguments: Iterable[object]) -> tuple[str, ...]:
    """Arguments as text. Undecodable bytes of file names are replaced."""
    return tuple(str(argument).encode(errors="replace").decode() for argument in arguments)


def _of_uuid(tx: Transaction, uuid: str) -> Details:
    row = documents.get(tx, uuid=uuid)
    if row is not None:
        return _of_document(tx, row)
    fact = facts.get(tx, uuid=uuid)
    return _of_memory(tx, uuid if fact is None else fact["memory"])


def _of_document(tx: Transaction, row: Row) -> Details:
    ingest = queue.get(tx, row["job_id"])
    jobs = (*((ingest,) if ingest else ()), *memories.jobs_of_document(tx, number=row["id"]))
    failures = memories.failures_of_document(tx, number=row["id"])
    chunks, live = memories.of_document(tx, row["id"]), {job.id for job in jobs}
    unprocessed = [row["job_id"]] if row["cut_at"] is None else []
    unprocessed += [chunk["job_id"] for chunk in chunks if chunk["enriched_at"] is None]
    return Details(
        kind="document",
        id=row["uuid"],
        done=_is_done(jobs),
        discarded=not live.issuperset(unprocessed),
        document=documents.record(row),
        memories=tuple(chunk["uuid"] for chunk in chunks),
        jobs=jobs,
        attempts=(*_attempts(tx, row["job_id"]), *(Attempt(**failure) for failure in failures)),
        usage=tuple(ModelUsage(**one) for one in memories.costs_of_document(tx, number=row["id"])),
        redactions=redactions.of_document(tx, row["id"]),
    )


def _of_memory(tx: Transaction, uuid: str) -> Details:
    row = memories.get(tx, uuid=uuid)
    assert row is not None
    metadata = None if row["metadata"] is None else json.loads(row["metadata"])
    enrich = queue.get(tx, row["job_id"])
    jobs = (enrich,) if enrich else ()
    recalled = recall_counts.of_memory(tx, row["id"])
    return Details(
        kind="memory",
        id=uuid,
        done=_is_done(jobs),
        discarded=not jobs and row["enriched_at"] is None,
        memory=memories.record(row, memories.tags(tx, row["id"]), metadata),
        lines=line_range(row["line"], row["body"]),
        jobs=jobs,
        attempts=_attempts(tx, row["job_id"]),
        usage=_usage(tx, row["job_id"]),
        rejected=tuple(json.loads(row["rejected"] or "[]")),
        entities=graph.mentions(tx, row["id"]),
        facts=facts.of_memory(tx, number=row["id"]),
        links=_links(tx, uuid, row["id"]),
        patterns=patterns.of_memory(tx, row["id"]),
        redactions=redactions.of_memory(tx, row["id"]),
        periods=tuple(
            MemoryPeriod(first=one["first"], until=one["until"]) for one in memories.date_ranges(tx, row["id"])
        ),
        merged=archive.merged_into(tx, row["id"]),
        recalls=recalled["recalls"] if recalled else 0,
        recalled_at=recalled["recalled_at"] if recalled else None,
        relevance=relevance.of_memory(tx, row["id"]),
        relevance_from=_relevance_from(tx, row["id"]),
    )


def _relevance_from(tx: Transaction, number: int) -> str:
    """What the relevance of a memory is computed from; "" if it is not computed, because the memory is superseded."""
    from jotsam.pipeline.extraction.estimate_importance import MAX_CHARACTERS
    from jotsam.worker.lifecycle import decay

    row = relevance.inputs_of(tx, number, characters=MAX_CHARACTERS)
    return "" if row is None else decay.describe(row, now=tx.now)


def _links(tx: Transaction, uuid: str, number: int, actor: str | None = None) -> tuple[Link, ...]:
    return tuple(_link(uuid, link) for link in graph.links(tx, number, actor=actor))


def _attempts(tx: Transaction, job_id: int, *, tenant: str | None = None) -> tuple[Attempt, ...]:
    rows = [row for row in queue.attempts(tx, job_id) if tenant in (None, row["tenant"])]
    rows = [row for row in rows if row["queue"] in EVERY_QUEUE]
    fields = [field for field in Attempt._fields if field != "job_id"]
    return tuple(Attempt(job_id=job_id, **{field: row[field] for field in fields}) for row in rows)


def _usage(tx: Transaction, job_id: int) -> tuple[ModelUsage, ...]:
    return tuple(ModelUsage(**row) for row in ledger.of_job(tx, job_id=job_id))


def _is_done(jobs: tuple[Job, ...]) -> bool:
    return all(job.state == "dead" for job in jobs)


def parsed_properties(text: str | None) -> dict[str, Any] | None:
    """The stored properties of a link."""
    found: dict[str, Any] | None = None if text is None else json.loads(text)
    return found


def neighbour(row: Row) -> Neighbour:
    """The record of a row of `graph.neighbours`."""
    return Neighbour(
        id=row["uuid"],
        type=row["type"],
        weight=row["weight"],
        outgoing=bool(row["outgoing"]),
        summary=row["summary"],
        extractor=row["extractor"],
        properties=parsed_properties(row["properties"]),
    )


def _link(source: str, row: Row) -> Link:
    return Link(source=source, **{**row, "properties": parsed_properties(row["properties"])})
