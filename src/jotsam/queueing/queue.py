"""`jotsam.Queue`: a durable job queue in a SQLite file or a PostgreSQL database, usable without the rest of Jotsam.

Several queues can share a database, beside the tables of the caller. What is written in the transaction that
acknowledges a job is committed with it, or not at all.
"""

from __future__ import annotations

import os

import msgspec

from jotsam.core.clock import monotonic_ms, new_owner
from jotsam.core.errors import InvalidInput, LeaseLost, NotFound
from jotsam.core.job_records import Delivery, JobSpec
from jotsam.core.records import Record
from jotsam.core.validate import check_bool, check_identifier, check_int, check_job_id
from jotsam.queueing.retention import HISTORY_MS
from jotsam.storage import QUEUE, connect, queue
from jotsam.storage.database import transact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager
    from os import PathLike
    from types import TracebackType
    from typing import Any, Self, TypedDict, TypeVar, Unpack

    from jotsam.core.clock import Clock
    from jotsam.core.job_records import Job, Sent
    from jotsam.storage.database import Database, Transaction

    T = TypeVar("T")

    class SendOptions(TypedDict, total=False):
        """Keyword arguments of `Queue.send`."""

        tenant: str
        key: str | None  # idempotency key, kept for 30 days
        lane: str | None
        parallel: bool  # False: a barrier, which runs alone in its lane; needs a lane
        priority: int  # higher runs sooner
        delay_ms: int
        lease_ms: int
        max_receive: int  # failures after which the job is a dead letter

    class JobOptions(SendOptions, total=False):
        """Options of one job of `Queue.send_many`."""

        kind: str


SEND_OPTIONS = ("tenant", "key", "lane", "parallel", "priority", "delay_ms", "lease_ms", "max_receive")
MAX_BYTES = 1 << 20
MAX_MS = 10**15
POLL_INTERVAL_MS = 1_000  # a receiver that waits looks for jobs at this interval in case a wake-up was lost


class QueueStats(Record):
    """The number of jobs in each state, counters of all events until now, and latencies."""

    ready: int
    leased: int
    waiting: int
    blocked: int
    dead: int
    oldest_ms: int | None  # age of the oldest job that is neither done nor dead
    accepted: int
    done: int
    retried: int
    discarded: int
    paused: str | None  # the reason, if the queue is paused
    p50_ms: int | None  # median duration of the latest deliveries
    p95_ms: int | None


class Queue:
    """One named queue in a SQLite file or on a PostgreSQL server. Safe to use from many threads and processes.

    `where` is the path of the file, `postgresql://...`, or an open database (`Jotsam(...).database`). A payload is any
    JSON value, or bytes, of at most `max_bytes`. With `fair=True` tenants are served in turn.
    """

    def __init__(
        self,
        where: str | PathLike[str] | Database,
        name: str = "default",
        *,
        max_bytes: int = MAX_BYTES,
        fair: bool | None = None,
        durable: bool = True,
        clock: Clock | None = None,
    ) -> None:
        if not check_identifier("queue name", name).strip():
            raise InvalidInput(f"invalid queue name {name!r}: must not be blank")
        where = os.fspath(where) if isinstance(where, os.PathLike) else where
        if not isinstance(where, str) and not hasattr(where, "snapshot"):
            raise InvalidInput(f"invalid where {where!r}: must be the path of a file, postgresql://..., or a database")
        self.name = name
        self.max_bytes = check_int("max_bytes", max_bytes, 1, MAX_MS)
        self._durable = durable
        self._owns = isinstance(where, str)
        self.database = connect(where, schemas=QUEUE, clock=clock) if isinstance(where, str) else where
        self._owner = new_owner()
        if fair is not None:
            with self.transaction() as tx:
                queue.set_fair(tx, name, on=fair)

    def transaction(self) -> AbstractContextManager[Transaction]:
        """A transaction for the caller's own SQL, `tx.execute(sql, params)`, and for the methods below with `tx=tx`."""
        return self.database.transaction(durable=self._durable)

    def send(
        self, payload: Any, *, kind: str = "default", tx: Transaction | None = None, **options: Unpack[SendOptions]
    ) -> Sent:
        """Add a job: tenant, key, lane, parallel, priority, delay_ms, lease_ms, max_receive.

        Returns its id. With a `key` that was sent before, returns the id of that job and `duplicate=True`. Raises
        `InvalidInput`.
        """
        spec = self._job_spec(kind, options, payload=encode_payload(payload, self.max_bytes))
        return self._write(tx, lambda tx: queue.send(tx, spec))

    def send_many(
        self,
        payloads: Iterable[Any],
        *,
        kind: str = "default",
        each: Iterable[JobOptions] | None = None,
        tx: Transaction | None = None,
        **options: Unpack[SendOptions],
    ) -> list[Sent]:
        """Add many jobs in one commit. If one of them is invalid, none is added.

        They have the same options, or with `each`, one dict per payload, their own in addition.
        """
        encoded = [encode_payload(payload, self.max_bytes) for payload in payloads]
        if each is None:
            specs = [self._job_spec(kind, options)] * len(encoded)
        else:
            own = list(each)
            if len(own) != len(encoded):
                raise InvalidInput(f"invalid each of {len(own):,} items: must have one per payload ({len(encoded):,})")
            specs = [self._job_spec(kind, {**options, **one}) for one in own]
        return self._write(tx, lambda tx: queue.send_many(tx, specs, encoded))

    def receive(self, *, lease_ms: int | None = None, wait_ms: int = 0) -> Job | None:
        """Claim the next ready job under a lease of `lease_ms`, by default its own. Waits for one up to `wait_ms`."""
        jobs = self.receive_many(1, lease_ms=lease_ms, wait_ms=wait_ms)
        return jobs[0] if jobs else None

    def receive_many(self, limit: int, *, lease_ms: int | None = None, wait_ms: int = 0) -> list[Job]:
        """Claim up to `limit` ready jobs, in order."""
        check_int("limit", limit, 1, 10_000)
        check_int("lease_ms", 0 if lease_ms is None else lease_ms, 0, MAX_MS)
        deadline = monotonic_ms() + check_int("wait_ms", wait_ms, 0, MAX_MS)
        if wait_ms:
            self.database.wait(0)  # From here on no wake-up is missed.
        while True:
            with self.database.transaction(durable=False) as tx:
                jobs = queue.receive(tx, queue=self.name, owner=self._owner, limit=limit, lease_ms=lease_ms)
            left = deadline - monotonic_ms()
            if jobs or left <= 0:
                return jobs
            with self.database.snapshot() as tx:
                due, now = queue.next_wake(tx), tx.now
            self.database.wait(min(left, POLL_INTERVAL_MS if due is None else max(1, min(due - now, POLL_INTERVAL_MS))))

    def decode(self, job: Job) -> Any:
        """The value that was sent, of a received job. Raises `InvalidInput` if the stored JSON is damaged."""
        return decode_payload(job)

    def extend(self, job: Job, *, lease_ms: int, tx: Transaction | None = None) -> bool:
        """Set the end of the lease to `lease_ms` from now. Returns as `delete` does.

        0 ends it, which counts as a failure; `release(job, spend=False)` does not.
        """
        check_int("lease_ms", lease_ms, 0, MAX_MS)
        return self._fenced(tx, job, lambda tx: queue.extend(tx, job, lease_ms=lease_ms))

    def delete(self, job: Job, *, tx: Transaction | None = None) -> bool:
        """Acknowledge: the job is done. False if its lease was lost; then nothing is changed.

        With `tx` a lost lease raises `LeaseLost` instead, so that the transaction of the caller is rolled back.
        """
        return self._fenced(tx, job, lambda tx: queue.delete(tx, job))

    def delete_many(self, jobs: Iterable[Job], *, tx: Transaction | None = None) -> list[bool]:
        """Acknowledge many jobs in one commit. Returns for each what `delete` does.

        With `tx` a lost lease raises `LeaseLost`, as there.
        """
        jobs = list(jobs)
        own = [job for job in jobs if job.queue == self.name]
        done = self._write(tx, lambda tx: queue.delete_many(tx, own))
        results = [job.queue == self.name and (job.id, job.received) in done for job in jobs]
        if tx is not None and not all(results):
            raise _lost(jobs[results.index(False)])
        return results

    def release(
        self,
        job: Job,
        *,
        delay_ms: int = 0,
        error: str | None = None,
        spend: bool = True,
        tx: Transaction | None = None,
    ) -> bool:
        """Return the job to the queue. With `spend` this counts as a failure. Returns as `delete` does."""
        check_int("delay_ms", delay_ms, 0, MAX_MS)
        return self._fenced(
            tx, job, lambda tx: queue.release(tx, job, error=error, delay_ms=delay_ms, spend=spend) is not None
        )

    def bury(self, job: Job, *, error: str, tx: Transaction | None = None) -> bool:
        """Make the job a dead letter. Returns as `delete` does."""
        return self._fenced(tx, job, lambda tx: queue.bury(tx, job, error=error))

    def stats(self) -> QueueStats:
        """Counts and latencies, read in one snapshot."""
        with self.database.snapshot() as tx:
            states, totals = queue.states(tx, self.name), queue.totals(tx, queue=self.name)
            control, timings = queue.control(tx, self.name), queue.timings(tx, queue=self.name) or {}
            oldest = min((oldest for state, (_, oldest) in states.items() if state != "dead"), default=None)
            now = tx.now
        return QueueStats(
            **{name: states.get(name, (0, 0))[0] for name in ("ready", "leased", "waiting", "blocked", "dead")},
            **{name: totals[name] for name in ("accepted", "done", "retried", "discarded")},
            oldest_ms=None if oldest is None else max(0, now - oldest),
            paused=control["reason"] if control and control["paused"] else None,
            p50_ms=timings.get("p50"),
            p95_ms=timings.get("p95"),
        )

    def jobs(self, *, state: str | None = None, kind: str | None = None, after: int = 0, limit: int = 100) -> list[Job]:
        """Jobs that are not done, without their payloads, by id. `after` is the last id of the previous page."""
        with self.database.snapshot() as tx:
            return queue.jobs(tx, queue=self.name, state=state, kind=kind, after=after, limit=limit)

    def dead(self, *, after: int = 0, limit: int = 100) -> list[Job]:
        """The dead letters, without their payloads: `get` returns a job with it."""
        return self.jobs(state="dead", after=after, limit=limit)

    def get(self, job_id: int) -> Job | None:
        """A job with its payload. None if it is done or never existed."""
        with self.database.snapshot() as tx:
            job = queue.get(tx, check_job_id(job_id))
        return job if job and job.queue == self.name else None

    def attempts(self, job_id: int) -> list[Delivery]:
        """The deliveries of a job that have ended, oldest first."""
        with self.database.snapshot() as tx:
            rows = queue.attempts(tx, check_job_id(job_id))
        return [Delivery(**{field: row[field] for field in Delivery._fields}) for row in rows]

    def redrive(
        self, job_id: int | None = None, *, kind: str | None = None, error: str | None = None, delay_ms: int = 0
    ) -> int:
        """Revive a dead job, or all whose kind is `kind` and whose error contains `error`, to run after `delay_ms`.

        Returns how many.
        """
        check_int("delay_ms", delay_ms, 0, MAX_MS)
        with self.transaction() as tx:
            if job_id is not None:
                return int(self._has(tx, job_id) and queue.redrive(tx, job_id, delay_ms=delay_ms))
            dead = queue.jobs(tx, queue=self.name, state="dead", kind=kind, limit=MAX_MS)
            chosen = [job.id for job in dead if error is None or error in (job.error or "")]
            return sum(queue.redrive(tx, id, delay_ms=delay_ms) for id in chosen)

    def discard(self, job_id: int) -> bool:
        """Delete a job that is not leased. False if it does not exist."""
        with self.transaction() as tx:
            return self._has(tx, job_id) and queue.discard(tx, job_id)

    def cancel(self, job_id: int) -> bool:
        """Delete a job that is not leased, or ask the handler of a running one to stop. False if it does not exist."""
        with self.transaction() as tx:
            return self._has(tx, job_id) and queue.cancel(tx, job_id)

    def purge(self, *, state: str | None = None) -> int:
        """Delete every job that is not leased, or those in one state. Returns how many."""
        purged = 0
        while True:
            with self.transaction() as tx:
                batch = queue.purge(tx, self.name, state=state)
            purged += batch
            if not batch:
                return purged

    def prune(self, *, older_than_ms: int = HISTORY_MS) -> None:
        """Delete expired keys and results, and the attempts of jobs that ended before that, of all queues.

        A `Processor` does this about once a day. Call it if you only use `receive`.
        """
        check_int("older_than_ms", older_than_ms, 0, MAX_MS)
        after: int | None = 0
        while after is not None:
            with self.transaction() as tx:
                after = queue.prune(tx, before=tx.now - older_than_ms, after_job=after)

    def pause(self, reason: str = "paused by hand") -> None:
        """Stop deliveries from this queue. Jobs can still be sent."""
        with self.transaction() as tx:
            queue.pause(tx, self.name, reason=reason)

    def resume(self) -> None:
        """End a pause, also one caused by `ProviderUnavailable`."""
        with self.transaction() as tx:
            queue.resume(tx, self.name)

    def progress(self, job_id: int) -> tuple[float | None, str | None]:
        """The progress that a job has reported: a share from 0 to 1, and a note. Raises `NotFound`."""
        with self.database.snapshot() as tx:
            found = queue.progress(tx, check_job_id(job_id))
        if found is None:
            raise NotFound(f"job {job_id} does not exist, or is done: see result()")
        return found

    def result(self, job_id: int) -> Any:
        """The JSON value that the handler of a job returned; None if there is none, or a day after the job was done."""
        with self.database.snapshot() as tx:
            json = queue.result(tx, check_job_id(job_id))
        return None if json is None else msgspec.json.decode(json)

    def close(self) -> None:
        """Close the database, if this queue opened it. Later calls then raise `DatabaseClosed`."""
        if self._owns:
            self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _has(self, tx: Transaction, job_id: int) -> bool:
        """Whether the job is in this queue: ids are shared by all queues of a database."""
        job = queue.get(tx, check_job_id(job_id))
        return job is not None and job.queue == self.name

    def _write(self, tx: Transaction | None, write: Callable[[Transaction], T]) -> T:
        if tx is not None:
            return write(tx)
        return transact(self.database, write, durable=self._durable)

    def _fenced(self, tx: Transaction | None, job: Job, verb: Callable[[Transaction], bool]) -> bool:
        if tx is None:
            return self._write(None, verb) if job.queue == self.name else False
        if job.queue != self.name or not verb(tx):
            raise _lost(job)
        return True

    def _job_spec(self, kind: str, options: Mapping[str, Any], *, payload: str | bytes = "null") -> JobSpec:
        unknown = sorted(options.keys() - {*SEND_OPTIONS, "kind"})
        if unknown:
            raise InvalidInput(f"unknown option {unknown[0]!r}; allowed: kind, {', '.join(SEND_OPTIONS)}")
        spec = JobSpec(queue=self.name, payload=payload, **{"kind": kind, **options})
        for name in ("tenant", "kind", "key", "lane"):
            value = getattr(spec, name)
            if value is not None or name in ("tenant", "kind"):
                check_identifier(name, value)
        check_bool("parallel", spec.parallel)
        if not spec.parallel and spec.lane is None:
            raise InvalidInput("invalid parallel=False without a lane: a job runs alone only among those of its `lane`")
        check_int("priority", spec.priority, -1_000_000, 1_000_000)
        check_int("delay_ms", spec.delay_ms, 0, MAX_MS)
        check_int("lease_ms", spec.lease_ms, 0, MAX_MS)
        check_int("max_receive", spec.max_receive, 1, 1_000_000)
        return spec


def _lost(job: Job) -> LeaseLost:
    return LeaseLost(f"job {job.id} was delivered to another worker; roll back this transaction")


def decode_payload(job: Job) -> Any:
    """The value that was sent. Raises `InvalidInput` if the stored JSON is damaged, or the job was only listed."""
    if isinstance(job.payload, bytes):
        return job.payload
    if not job.payload:
        raise InvalidInput(f"job {job.id} has no payload here, because a list has none: `get({job.id})` returns it")
    try:
        return msgspec.json.decode(job.payload)
    except msgspec.DecodeError as error:
        raise InvalidInput(f"invalid payload of job {job.id}: not JSON: {error}") from error


def encode_payload(payload: Any, max_bytes: int) -> str | bytes:
    """The stored form of a payload. Raises `InvalidInput` if it is not a JSON value, or longer than `max_bytes`."""
    if isinstance(payload, bytes):
        data = payload
    else:
        _refuse_nan(payload)
        try:
            data = msgspec.json.encode(payload)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise InvalidInput(
                f"invalid payload of type {type(payload).__name__}: must be a JSON value: {error}"
            ) from error
    if len(data) > max_bytes:
        raise InvalidInput(f"invalid payload of {len(data):,} bytes: must be at most {max_bytes:,}")
    return data if isinstance(payload, bytes) else data.decode()


def _refuse_nan(value: Any) -> None:
    """JSON has neither NaN nor infinity, and the encoder would silently write null."""
    if isinstance(value, float) and value - value != 0:
        raise InvalidInput(f"invalid payload: JSON cannot represent {value}")
    if isinstance(value, dict):
        for inner in value.values():
            _refuse_nan(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_nan(inner)
