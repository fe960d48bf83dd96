"""What became of a document, a memory or a job: what it is, what is still to be done with it, and what was tried.

It reads one snapshot and writes nothing. Nothing of another tenant is ever found, not even that it exists.
"""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.job_records import CommandResult, Job
from jotsam.core.names import COMMAND, EVERY_QUEUE
from jotsam.core.records import Document, Entity, Fact, Link, Memory, Pattern, Record, Redaction
from jotsam.retrieval.present.hits import line_range
from jotsam.retrieval.question.terms import uuid_prefix
from jotsam.storage import documents, facts, graph, ledger, memories, patterns, queue, redactions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

LARGEST_NUMBER = 2**63 - 1


class Attempt(Record):
    """One delivery of a job that has ended. `outcome` is done, retry, released, dead or expired."""

    job_id: int
    received: int
    owner: str | None
    started_at: int
    ended_at: int
    outcome: str
    error: str | None


class Period(Record):
    """Whole days, in milliseconds, from `first` up to `until`."""

    first: int
    until: int
    named: bool  # the memory names them; else it was only said then


class ModelUsage(Record):
    """One request to a model, made for a job. One that is `open` runs, or was cut off: it counts as estimated."""

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
    """What became of something. `kind` is document, memory or job; a job tells the story of what it works on too."""

    kind: str
    id: str  # a UUID, or the number of a job
    done: bool  # nothing is left to do; a dead job waits for somebody, and is not worked on
    document: Document | None = None
    memory: Memory | None = None
    lines: tuple[int, int] | None = None  # of its document: the first and the last one of a memory that was cut from it
    memories: tuple[str, ...] = ()  # UUIDs of the chunks of a document, in order
    jobs: tuple[Job, ...] = ()  # those not done, dead ones among them
    attempts: tuple[Attempt, ...] = ()  # of the chunks of a document only those that did not end well
    entities: tuple[Entity, ...] = ()  # that a memory mentions
    facts: tuple[Fact, ...] = ()  # that a memory says
    links: tuple[Link, ...] = ()  # that leave a memory
    patterns: tuple[Pattern, ...] = ()  # that a memory shows
    rejected: tuple[str, ...] = ()  # what of a memory's reading was not believed, and why
    usage: tuple[ModelUsage, ...] = ()  # what models have taken for its job; of a document, for those of its chunks
    periods: tuple[Period, ...] = ()  # when what a memory tells of may have been
    redactions: tuple[Redaction, ...] = ()  # what was taken out of it before it was kept
    arguments: tuple[str, ...] = ()  # of a command
    result: CommandResult | None = None  # how a command ended last, for a day


def show(tx: Transaction, *, id: str) -> Details:
    """The story of an id: a UUID, the beginning of one, a caller's external id, or the number of a job.

    Of a fact it is that of the memory that says it.
    Raises `NotFound`, and `InvalidInput` for a beginning that is not unique.
    """
    if not isinstance(id, str) or not id.strip():
        raise InvalidInput(f"id is {id!r}: give the id of a document, memory or job, or the beginning of a UUID")
    wanted = _askable(id)
    own = memories.by_external_id(tx, external_id=wanted)
    if own:
        return _of_memory(tx, own)
    story = _of_number(tx, wanted)
    if story:
        return story
    known = _known(tx, wanted)
    if known is None:
        raise NotFound(f"there is no {wanted!r}: `jotsam recall` and `jotsam jobs` show ids")
    return _of_uuid(tx, known)


def memory_row(tx: Transaction, *, id: str) -> Row:
    """The row of a memory, named as for `show`. Raises `NotFound`, also for what is no memory."""
    found = locate(tx, id=id)
    if found is None:
        raise NotFound(f"there is no memory {id!r}: `jotsam recall` shows ids")
    if found.kind != "memory":
        raise NotFound(f"{id!r} is a {found.kind}: give the id of a memory")
    return found.row


class Located(Record):
    """A memory, a document or a fact, and its row."""

    kind: str
    row: Row


def locate(tx: Transaction, *, id: str) -> Located | None:
    """The memory, document or fact that an id names: a caller's external id, a UUID, or the beginning of one.

    Raises `InvalidInput` for a beginning that is not unique.
    """
    wanted = _askable(str(id))
    uuid = memories.by_external_id(tx, external_id=wanted) or _known(tx, wanted)
    if uuid is None:
        return None
    for kind, room in (("memory", memories), ("document", documents), ("fact", facts)):
        row = room.get(tx, uuid=uuid)
        if row is not None:
            return Located(kind=kind, row=row)
    return None


def _askable(id: str) -> str:
    """An id as a database can be asked for it: what none can store is found nowhere, and so replaced."""
    return id.strip().replace("\0", "\ufffd").encode(errors="replace").decode()


def _known(tx: Transaction, wanted: str) -> str | None:
    """The one UUID that begins like this."""
    prefix = uuid_prefix(wanted)
    if prefix is None:
        return None
    found = memories.matching(tx, prefix=prefix)
    found += documents.matching(tx, prefix=prefix)
    found += facts.matching(tx, prefix=prefix)
    if len(found) > 1:
        raise InvalidInput(f"id {wanted!r} is not unique: {found[0]} and {found[1]} begin like it; give more of it")
    return found[0] if found else None


def _of_number(tx: Transaction, wanted: str) -> Details | None:
    """The story of a job; of one that is gone only its attempts are left, for a while."""
    if not (wanted.isascii() and wanted.isdigit()) or int(wanted) > LARGEST_NUMBER:
        return None
    job = queue.get(tx, int(wanted))
    if job:
        return _of_job(tx, job) if job.tenant == tx.tenant and job.queue in EVERY_QUEUE else None
    attempts = _attempts(tx, int(wanted), tenant=tx.tenant)
    if not attempts:
        return None
    ran = _ran(tx, int(wanted))
    arguments = ran.arguments if ran else ()
    paid = _paid(tx, int(wanted))
    return Details(
        kind="job", id=str(int(wanted)), done=True, attempts=attempts, usage=paid, arguments=arguments, result=ran
    )


def _of_job(tx: Transaction, job: Job) -> Details:
    if job.queue == COMMAND:
        return _of_command(tx, job)
    uuid = json.loads(job.payload)
    row = documents.get(tx, uuid=uuid) or memories.get(tx, uuid=uuid)
    whole = Details(kind="job", id="", done=True) if row is None else _of_uuid(tx, uuid)
    attempts, paid = _attempts(tx, job.id), _paid(tx, job.id)
    return whole.replace(kind="job", id=str(job.id), jobs=(job,), attempts=attempts, usage=paid, done=_is_done((job,)))


def _of_command(tx: Transaction, job: Job) -> Details:
    return Details(
        kind="job",
        id=str(job.id),
        done=_is_done((job,)),
        jobs=(job,),
        attempts=_attempts(tx, job.id),
        arguments=_arguments(job),
        result=_ran(tx, job.id),
    )


def _arguments(job: Job) -> tuple[str, ...]:
    """The command line that a job carries; none, if somebody else sent what is no command."""
    try:
        return _printable(json.loads(job.payload)["arguments"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return ()


def _ran(tx: Transaction, job_id: int) -> CommandResult | None:
    """How a command ended. The jobs of memory leave no result."""
    result = queue.result(tx, job_id)
    if result is None:
        return None
    ran = CommandResult(**json.loads(result))
    return ran.replace(arguments=_printable(ran.arguments))


def _printable(arguments: Iterable[object]) -> tuple[str, ...]:
    """Arguments as text; bytes of a file's name that are none are replaced."""
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
    return Details(
        kind="document",
        id=row["uuid"],
        done=_is_done(jobs),
        document=documents.record(row),
        memories=tuple(chunk["uuid"] for chunk in memories.of_document(tx, row["id"])),
        jobs=jobs,
        attempts=(*_attempts(tx, row["job_id"]), *(Attempt(**failure) for failure in failures)),
        usage=tuple(ModelUsage(**one) for one in memories.paid_of_document(tx, number=row["id"])),
        redactions=redactions.of_document(tx, row["id"]),
    )


def _of_memory(tx: Transaction, uuid: str) -> Details:
    row = memories.get(tx, uuid=uuid)
    assert row is not None
    metadata = None if row["metadata"] is None else json.loads(row["metadata"])
    enrich = queue.get(tx, row["job_id"])
    jobs = (enrich,) if enrich else ()
    return Details(
        kind="memory",
        id=uuid,
        done=_is_done(jobs),
        memory=memories.record(row, memories.tags(tx, row["id"]), metadata),
        lines=line_range(row["line"], row["body"]),
        jobs=jobs,
        attempts=_attempts(tx, row["job_id"]),
        usage=_paid(tx, row["job_id"]),
        rejected=tuple(json.loads(row["rejected"] or "[]")),
        entities=graph.mentions(tx, row["id"]),
        facts=facts.of_memory(tx, number=row["id"]),
        links=tuple(Link(source=uuid, **link) for link in graph.links(tx, row["id"])),
        patterns=patterns.of_memory(tx, row["id"]),
        redactions=redactions.of_memory(tx, row["id"]),
        periods=tuple(
            Period(first=one["first"], until=one["until"], named=bool(one["named"]))
            for one in memories.periods(tx, row["id"])
        ),
    )


def _attempts(tx: Transaction, job_id: int, *, tenant: str | None = None) -> tuple[Attempt, ...]:
    rows = [row for row in queue.attempts(tx, job_id) if tenant in (None, row["tenant"])]
    rows = [row for row in rows if row["queue"] in EVERY_QUEUE]
    fields = [field for field in Attempt._fields if field != "job_id"]
    return tuple(Attempt(job_id=job_id, **{field: row[field] for field in fields}) for row in rows)


def _paid(tx: Transaction, job_id: int) -> tuple[ModelUsage, ...]:
    return tuple(ModelUsage(**row) for row in ledger.of_job(tx, job_id=job_id))


def _is_done(jobs: tuple[Job, ...]) -> bool:
    return all(job.state == "dead" for job in jobs)
