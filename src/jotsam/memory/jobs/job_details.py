"""One job by its number, also when it is done: its state, its deliveries, and what it is about or has made.

Of a job that has ended, its deliveries are kept for a while. It reads one snapshot and writes nothing; a job of another
tenant is not found.
"""

from __future__ import annotations

import json

from jotsam.core import validate
from jotsam.core.errors import NotFound
from jotsam.core.job_records import CommandResult, Delivery
from jotsam.core.names import COMMAND, EVERY_QUEUE, INGEST
from jotsam.core.records import Record
from jotsam.memory.reading.show import ModelUsage, command_arguments, command_result
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.memories import documents, memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.job_records import Job
    from jotsam.storage.database import Row, Transaction

ENDED = ("done", "cancelled")  # outcomes of a delivery after which the job does not exist
DISCARDED = "discarded"


class JobDetails(Record):
    """A job and its history.

    `state` is ready, leased, waiting, dead or blocked; or, when the job does not exist any longer, done, cancelled or
    discarded. `ended`: it is not delivered again, unless a dead job is retried.
    """

    id: int
    queue: str
    kind: str
    state: str
    ended: bool
    priority: int | None = None  # this and the following until `wake_at`: None when the job does not exist any longer
    received: int | None = None  # number of deliveries
    failures: int | None = None
    max_receive: int | None = None  # failures after which it is dead
    created_at: int | None = None
    wake_at: int | None = None  # end of the lease, or of the delay
    ended_at: int | None = None  # end of the last delivery
    error: str | None = None  # of the last delivery that failed
    progress: float | None = None  # 0 to 1
    note: str | None = None
    document: str | None = None  # UUID of the document that it splits
    memories: tuple[str, ...] = ()  # UUIDs of the memories that it made of the document, or of the one it enriches
    deliveries: tuple[Delivery, ...] = ()  # that have ended
    usage: tuple[ModelUsage, ...] = ()  # requests to models
    arguments: tuple[str, ...] = ()  # of a command
    result: CommandResult | None = None  # of a command


def job_details(tx: Transaction, *, id: int) -> JobDetails:
    """Details of a job of the tenant. Raises `NotFound`, `InvalidInput`."""
    number = validate.check_job_id(id)
    job = queue.get(tx, number)
    rows = [row for row in queue.attempts(tx, number) if row["tenant"] == tx.tenant and row["queue"] in EVERY_QUEUE]
    is_own = job is not None and job.tenant == tx.tenant and job.queue in EVERY_QUEUE
    if not is_own and (job is not None or not rows):
        raise NotFound(f"there is no job {number}: `jotsam jobs` shows ids; the history of a job is kept for 30 days")
    found = _live(tx, job) if job is not None else _gone(number, rows[-1])
    deliveries = tuple(Delivery(**{name: row[name] for name in Delivery._fields}) for row in rows)
    errors = [one.error for one in deliveries if one.error]
    return _with_items(tx, found, job).replace(
        deliveries=deliveries,
        ended_at=deliveries[-1].ended_at if deliveries else None,
        error=found.error or (errors[-1] if errors else None),
        usage=tuple(ModelUsage(**row) for row in ledger.of_job(tx, job_id=number)),
    )


def _live(tx: Transaction, job: Job) -> JobDetails:
    same = ("id", "queue", "kind", "state", "priority", "received", "failures", "max_receive", "created_at", "wake_at")
    progress, note = queue.progress(tx, job.id) or (None, None)
    fields = {name: getattr(job, name) for name in same}
    return JobDetails(**fields, ended=job.state == "dead", error=job.error, progress=progress, note=note)


def _gone(number: int, last: Row) -> JobDetails:
    state = last["outcome"] if last["outcome"] in ENDED else DISCARDED
    return JobDetails(id=number, queue=last["queue"], kind=last["kind"], state=state, ended=True)


def _with_items(tx: Transaction, found: JobDetails, job: Job | None) -> JobDetails:
    """With the document or memory that it is about; of a command, with its arguments and its result."""
    if found.queue == COMMAND:
        return _with_command(tx, found, job)
    uuid = json.loads(job.payload) if job is not None else None
    if found.kind == INGEST:
        uuid = documents.of_job(tx, found.id) if uuid is None else uuid
        row = None if uuid is None else documents.get(tx, uuid=uuid)
        if row is None:
            return found
        chunks = tuple(chunk["uuid"] for chunk in memories.of_document(tx, row["id"]))
        return found.replace(document=row["uuid"], memories=chunks)
    if uuid is None:
        uuid = memories.of_job(tx, found.id)
    row = None if uuid is None else memories.get(tx, uuid=uuid)
    return found if row is None else found.replace(memories=(row["uuid"],), document=row["document"])


def _with_command(tx: Transaction, found: JobDetails, job: Job | None) -> JobDetails:
    result = command_result(tx, found.id)
    arguments = command_arguments(job) if job is not None else () if result is None else result.arguments
    return found.replace(arguments=arguments, result=result)
