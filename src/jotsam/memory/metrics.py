"""The numbers of a database for an operator: of all tenants, in one snapshot.

Their cost does not grow with the number of jobs that are ready.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.ingest import spool, start_worker
from jotsam.storage import database_size, ledger, lifecycle_status, queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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
    steps: tuple[StepMetrics, ...] = ()  # of one tenant


def read(database: Database, *, tenant: str = "") -> Metrics:
    """The numbers, in one snapshot. With `tenant`, the steps of its lifecycle too."""
    spooled = len(spool.waiting(database.url))
    with database.snapshot(tenant=tenant) as tx:
        found = metrics(tx, spooled=spooled, leased=database.is_file)
        return found.replace(steps=tuple(_steps(tx))) if tenant else found


def metrics(tx: Transaction, *, spooled: int, leased: bool) -> Metrics:
    """The numbers. `leased`: the one worker holds a lease, as for a file."""
    return Metrics(
        jobs=tuple(JobMetrics(**row) for row in queue.by_kind(tx)),
        oldest_ms={name: max(0, tx.now - sent) for name, sent in queue.oldest(tx).items()},
        paused=tuple(row["queue"] for row in queue.paused(tx)),
        models=tuple(ModelUse(**row) for row in ledger.use_of_all(tx)),
        workers=_has_worker(tx) if leased else queue.count_workers(tx),
        spooled=spooled,
        bytes=database_size.in_bytes(tx),
    )


def _steps(tx: Transaction) -> Iterator[StepMetrics]:
    for row in lifecycle_status.step_statistics(tx):
        ended_ms = None if row["ended_at"] is None else max(0, tx.now - row["ended_at"])
        yield StepMetrics(**{name: row[name] for name in ("step", "state", "runs", "changed")}, ended_ms=ended_ms)


def _has_worker(tx: Transaction) -> int:
    holder = start_worker.live_holder(tx)
    return int(holder is not None and holder.pid != start_worker.NO_PID)
