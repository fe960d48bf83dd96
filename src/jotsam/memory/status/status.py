"""Status of a tenant in one snapshot: jobs, memories, spending, paused queues, the worker.

Imports nothing slow: `jotsam status` must start in milliseconds.
"""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.core.job_records import QueueDepth
from jotsam.core.names import EMBED, ENRICH, EVERY_QUEUE, MEMORY_QUEUES
from jotsam.core.records import Record, ReplicaState
from jotsam.ingest import capture_switch, spool
from jotsam.memory.status import health
from jotsam.memory.status.health import Counted, Finding, PausedQueue
from jotsam.memory.status.queue_state import CAPPED, paused, worker_state
from jotsam.storage import connect, queue
from jotsam.storage.costs import ledger
from jotsam.storage.graph import facts, graph
from jotsam.storage.lifecycle import lifecycle_status
from jotsam.storage.memories import documents, memories
from jotsam.storage.recall import vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jotsam.core.settings import Settings
    from jotsam.storage.costs.ledger import Cap
    from jotsam.storage.database import Database, Transaction

MAX_LIVE = 1_000_000  # jobs among which the oldest is looked for
MAX_DISCARDED = 10_000  # documents that are counted


class Spending(Record):
    """Use of models today (UTC). The totals of all tenants include what is reserved for running requests."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    tokens_of_all: int = 0  # the daily cap applies to all tenants together
    cost_of_all: float = 0.0


class DailyCost(Record):
    """Use of one model on one day (UTC)."""

    day: str  # ISO 8601
    model: str
    calls: int
    tokens: int
    cost: float


class StageStatus(Record):
    """One pipeline stage of a tenant: `ingest` chunks, `enrich` extracts, `embed` computes vectors."""

    name: str
    done: int  # jobs in total
    degraded: int  # memories of which the model or a rule failed, or that could not be embedded
    failed_attempts: int  # in total; a job that is done may have had several
    p50_ms: int | None  # duration of the latest done jobs
    p95_ms: int | None


class LifecycleRunState(Record):
    """A run of a step of the lifecycle that needs attention, or is at work."""

    id: str
    step: str
    state: str  # waiting, running, undoing or failed
    error: str | None


class Status(Record):
    """The status of a tenant. `findings` are what is wrong, the worst first; `level` is ok, warning or error."""

    depth: QueueDepth
    done: int
    oldest_ms: int | None  # age of the oldest job that is not dead
    oldest_undelivered_ms: int | None  # age of the oldest job that could run and was never delivered
    level: str
    findings: tuple[Finding, ...]
    soft_cap: int
    worker: str  # running, starting, or none
    worker_pid: int | None
    documents: int
    memories: int
    enriched: int
    degraded: int  # of these, extracted in part, because the model or a rule failed
    awaiting_model: int  # of these, extracted again when the server of the model, which failed, replies
    archived: int  # memories that are hidden from recall until they are restored
    entities: int
    facts: int
    spent: Spending
    capped: int  # jobs that wait for the next day because of today's cap
    freed: int  # jobs that wait because of an earlier cap; the next worker releases them
    done_last_hour: int  # counted among the latest 10,000 jobs
    p50_ms: int | None  # duration of the latest jobs
    p95_ms: int | None
    stages: tuple[StageStatus, ...]
    paused: tuple[PausedQueue, ...]
    spooled: int  # turns in spool files, of all tenants
    discarded: int  # documents and memories that are not processed because their job was discarded
    capture_off: tuple[str, ...] = ()  # for which hooks store no turns
    replicas: tuple[ReplicaState, ...] = ()  # that the address of the database names
    lifecycle_runs: tuple[LifecycleRunState, ...] = ()  # that wait, work or are undone, and last ones that failed


def of(settings: Settings) -> Status:
    """The status of the settings' tenant and database."""
    database = connect(settings.db, wait_ms=settings.lock_timeout_ms)
    try:
        return read_status(database, settings)
    finally:
        database.close()


def read_status(database: Database, settings: Settings) -> Status:
    """The status of the tenant, in one snapshot."""
    spooled = len(spool.waiting(database.url))
    with database.snapshot(tenant=settings.tenant) as tx:
        found = status(tx, settings, spooled=spooled, leased=database.is_file)
    found = found.replace(capture_off=capture_switch.described(settings), replicas=database.replica_states())
    return judged(found, settings)


def judged(found: Status, settings: Settings) -> Status:
    """The status with the verdict on it."""
    findings = health.findings(_facts(found, settings))
    return found.replace(findings=findings, level=health.level_of(findings))


def _facts(found: Status, settings: Settings) -> health.Facts:
    depth = found.depth
    return health.Facts(
        dead=Counted(number=depth.dead),
        failed=Counted(number=depth.failed),
        unknown=Counted(number=depth.unknown),
        live=Counted(number=depth.live),
        undelivered_ms=found.oldest_undelivered_ms,
        soft_cap=found.soft_cap,
        worker=found.worker,
        capped=Counted(number=found.capped),
        freed=Counted(number=found.freed),
        paused=found.paused,
        discarded=Counted(number=found.discarded),
        awaiting_model=Counted(number=found.awaiting_model),
        degraded=Counted(number=found.degraded - found.awaiting_model),
        not_embeddable=Counted(number=sum(one.degraded for one in found.stages if one.name == EMBED)),
        failed_runs=failed_runs(found.lifecycle_runs),
        spooled=found.spooled,
        capture_off=found.capture_off,
        replicas=found.replicas,
        max_replica_lag_ms=settings.max_replica_lag_ms,
    )


def status(tx: Transaction, settings: Settings, *, spooled: int = 0, leased: bool = True) -> Status:
    """The status, read in one transaction. `spooled` is counted by the caller: it is not in the database.

    `leased`: the worker holds a lease, as for a file.
    """
    tenant, soft_cap = settings.tenant, settings.soft_cap
    whole = queue.depth(tx, queues=EVERY_QUEUE, tenant=tenant)
    sent = queue.oldest_undelivered(tx, queues=EVERY_QUEUE, tenant=tenant, limit=MAX_LIVE)
    undelivered = None if sent is None else max(0, tx.now - sent)
    counted = memories.count(tx)
    done, took = queue.done_last_hour(tx, tenant=tenant), queue.latest_durations(tx, tenant=tenant)
    times = queue.percentiles(time for name in EVERY_QUEUE for time in took.get(name, ())) or {}
    totals = {name: queue.totals(tx, queue=name, tenant=tenant) for name in EVERY_QUEUE}
    degraded = {ENRICH: counted["degraded"], EMBED: vectors.count_failed(tx)}
    state, pid = worker_state(tx, leased=leased, undelivered_ms=undelivered)
    spending = spent(tx)
    now, once = capped(tx, cap=ledger.cap_of(settings))
    found = Status(
        depth=whole,
        done=sum(one["done"] for one in totals.values()),
        oldest_ms=None if whole.oldest is None else max(0, tx.now - whole.oldest),
        oldest_undelivered_ms=undelivered,
        level=health.OK,
        findings=(),
        soft_cap=soft_cap,
        worker=state,
        worker_pid=pid,
        documents=documents.count(tx),
        memories=counted["memories"],
        enriched=counted["enriched"],
        degraded=counted["degraded"],
        awaiting_model=counted["awaiting_model"],
        archived=counted["archived"],
        entities=graph.count(tx),
        facts=facts.count(tx),
        spent=spending,
        capped=now,
        freed=once,
        done_last_hour=sum(done.get(name, 0) for name in EVERY_QUEUE),
        p50_ms=times.get("p50"),
        p95_ms=times.get("p95"),
        stages=tuple(stages(totals, degraded, took)),
        paused=paused(tx),
        spooled=spooled,
        discarded=sum(discarded(tx)) if any(one["discarded"] for one in totals.values()) else 0,
        lifecycle_runs=lifecycle_runs(tx),
    )
    return judged(found, settings)


def lifecycle_runs(tx: Transaction) -> tuple[LifecycleRunState, ...]:
    """Runs that wait, work or are being undone, and of each step the last one if it has failed."""
    return tuple(
        LifecycleRunState(id=row["uuid"], step=row["step"], state=row["state"], error=row["error"])
        for row in lifecycle_status.attention(tx)
    )


def failed_runs(runs: Iterable[LifecycleRunState]) -> tuple[tuple[str, str], ...]:
    """Step and id of those that have failed."""
    return tuple((run.step, run.id) for run in runs if run.state == "failed")


def discarded(tx: Transaction) -> tuple[int, int]:
    """How many documents (at most 10,000) and memories are not processed because their job was discarded."""
    return len(documents.discarded(tx, limit=MAX_DISCARDED)), memories.count_discarded(tx)


def stages(
    totals: Mapping[str, Mapping[str, int]], degraded: Mapping[str, int], took: Mapping[str, list[int]]
) -> Iterator[StageStatus]:
    """The stages in pipeline order."""
    for name in MEMORY_QUEUES:
        times = queue.percentiles(took.get(name, ())) or {}
        yield StageStatus(
            name=name,
            done=totals[name]["done"],
            degraded=degraded.get(name, 0),
            failed_attempts=totals[name]["retried"] + totals[name]["buried"],
            p50_ms=times.get("p50"),
            p95_ms=times.get("p95"),
        )


def spent(tx: Transaction) -> Spending:
    """Today's use of models by this tenant, and by all."""
    day = ledger.today(tx)
    rows = ledger.by_model(tx, first=day, last=day)
    tokens, cost = ledger.spent(tx)
    return Spending(
        calls=sum(row["calls"] for row in rows),
        tokens=sum(row["tokens_in"] + row["tokens_out"] for row in rows),
        cost=sum(row["cost"] for row in rows),
        tokens_of_all=tokens,
        cost_of_all=cost,
    )


def capped(tx: Transaction, *, cap: Cap) -> tuple[int, int]:
    """The numbers of jobs that wait for the next day because of this cap, and because of an earlier cap."""
    every, now = (
        sum(queue.count_waiting(tx, name, tenant=tx.tenant, error=error) for name in MEMORY_QUEUES)
        for error in (CAPPED, cap_error(cap))
    )
    return now, every - now


def resume_capped(database: Database, settings: Settings) -> None:
    """Release the jobs of all tenants that wait for the next day because of an earlier cap."""
    but = cap_error(ledger.cap_of(settings))
    with database.transaction(durable=False) as tx:
        for name in MEMORY_QUEUES:
            queue.run_all_now(tx, name, error=CAPPED, but=but)


def resume_if_freed(database: Database, settings: Settings) -> None:
    """The same if jobs of the tenant wait for an earlier cap. Called once per wait: a worker may have another cap."""
    with database.snapshot(tenant=settings.tenant) as tx:
        _, freed = capped(tx, cap=ledger.cap_of(settings))
    if freed:
        resume_capped(database, settings)


def cap_error(cap: Cap) -> str:
    """The error of a job that waits for the next day because of this cap."""
    return f"{CAPPED}: {ledger.reached(cap)}"


def costs(database: Database, *, tenant: str, days: int) -> list[DailyCost]:
    """Use of models by day and model. Raises `InvalidInput`."""
    from jotsam.core import validate  # `jotsam status` does not need it.

    validate.check_int("days", days, 1, 100_000)
    with database.snapshot(tenant=tenant) as tx:
        today = ledger.today(tx)
        rows = ledger.by_day(tx, first=today - days + 1, last=today)
    return [DailyCost(**{**row, "day": format_time(row["day"] * ledger.DAY_MS)[:10]}) for row in rows]
