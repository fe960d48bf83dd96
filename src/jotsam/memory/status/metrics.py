"""The numbers of a database for an operator: of all tenants, in one snapshot.

Their cost does not grow with the number of jobs that are ready.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.ingest import backlog, spool, start_worker
from jotsam.memory.status import health, queue_state
from jotsam.memory.status.health import Counted, Finding
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.lifecycle import lifecycle_status
from jotsam.storage.status import overview

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.storage.database import Database, Transaction


class JobMetrics(Record):
    """The jobs of one kind: how many there are by state, and what was counted since the database was made."""

    queue: str
    kind: str
    ready: int  # also those that are blocked by their lane
    leased: int
    waiting: int  # for a delay, or to be retried
    dead: int
    accepted: int
    done: int
    retried: int
    buried: int
    redriven: int
    discarded: int
    busy_ms: int  # of the deliveries that are done, failed or were cancelled, from the claim to the outcome


class ModelUse(Record):
    """What all tenants together have used of a model since the database was made."""

    model: str
    purpose: str
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float


class StepMetrics(Record):
    """Runs of a step of the lifecycle in one state, of those that are kept."""

    step: str
    state: str
    runs: int
    changed: int
    ended_ms: int | None  # since the last one ended


class Metrics(Record):
    """The numbers of a database. The counters only rise, also when a tenant is forgotten."""

    jobs: tuple[JobMetrics, ...]
    oldest_ms: dict[str, int]  # by queue: the age of the oldest job that is neither done nor dead
    paused: tuple[str, ...]  # queues
    models: tuple[ModelUse, ...]
    workers: int
    spooled: int  # turns in spool files of this machine
    bytes: int
    findings: tuple[Finding, ...]  # the verdict on all tenants together
    steps: tuple[StepMetrics, ...] = ()  # of one tenant


def read_metrics(database: Database, *, tenant: str = "", soft_cap: int = backlog.SOFT_CAP) -> Metrics:
    """The numbers, in one snapshot. With `tenant`, the steps of its lifecycle too."""
    spooled = len(spool.waiting(database.url))
    with database.snapshot(tenant=tenant) as tx:
        found = metrics(tx, spooled=spooled, leased=database.is_file, soft_cap=soft_cap)
        return found.replace(steps=tuple(_steps(tx))) if tenant else found


def metrics(tx: Transaction, *, spooled: int, leased: bool, soft_cap: int) -> Metrics:
    """The numbers. `leased`: the one worker holds a lease, as for a file."""
    jobs = tuple(JobMetrics(**row) for row in queue.by_kind(tx))
    oldest_ms = {name: max(0, tx.now - sent) for name, sent in queue.oldest(tx).items()}
    return Metrics(
        jobs=jobs,
        oldest_ms=oldest_ms,
        paused=tuple(row["queue"] for row in queue.paused(tx)),
        models=tuple(ModelUse(**row) for row in ledger.use_of_all(tx)),
        workers=_has_worker(tx) if leased else queue.count_workers(tx),
        spooled=spooled,
        bytes=overview.size_in_bytes(tx),
        findings=_findings(tx, jobs, oldest_ms, spooled=spooled, leased=leased, soft_cap=soft_cap),
    )


def level(database: Database, *, soft_cap: int) -> str:
    """The verdict on all tenants in a word: ok, warning or error."""
    spooled = len(spool.waiting(database.url))
    with database.snapshot() as tx:
        jobs = tuple(JobMetrics(**row) for row in queue.by_kind(tx))
        oldest_ms = {name: max(0, tx.now - sent) for name, sent in queue.oldest(tx).items()}
        return health.level_of(
            _findings(tx, jobs, oldest_ms, spooled=spooled, leased=database.is_file, soft_cap=soft_cap)
        )


def _findings(
    tx: Transaction,
    jobs: tuple[JobMetrics, ...],
    oldest_ms: dict[str, int],
    *,
    spooled: int,
    leased: bool,
    soft_cap: int,
) -> tuple[Finding, ...]:
    """The verdict. Of a queue with jobs that are ready, the oldest that is not done counts as the one that waits."""
    ready = {one.queue for one in jobs if one.ready}
    waiting_ms = max((ms for name, ms in oldest_ms.items() if name in ready), default=None)
    facts = health.Facts(
        dead=_sum(one.dead for one in jobs),
        live=_sum(one.ready + one.leased + one.waiting for one in jobs),
        undelivered_ms=waiting_ms,
        soft_cap=soft_cap,
        worker=queue_state.worker_state(tx, leased=leased, undelivered_ms=waiting_ms)[0],
        capped=Counted(number=queue.count_capped(tx, error=queue_state.CAPPED)),
        paused=queue_state.paused(tx),
        spooled=spooled,
    )
    return health.findings(facts)


def _sum(numbers: Iterable[int]) -> Counted:
    return Counted(number=sum(numbers))


def _steps(tx: Transaction) -> Iterator[StepMetrics]:
    for row in lifecycle_status.step_statistics(tx):
        ended_ms = None if row["ended_at"] is None else max(0, tx.now - row["ended_at"])
        yield StepMetrics(**{name: row[name] for name in ("step", "state", "runs", "changed")}, ended_ms=ended_ms)


def _has_worker(tx: Transaction) -> int:
    holder = start_worker.live_holder(tx)
    return int(holder is not None and holder.pid != start_worker.NO_PID)
