"""What waits, what runs, what is known: the numbers that every surface shows, read in one snapshot.

Light, like `accept`: `jotsam status` must start in milliseconds.
"""

from __future__ import annotations

from jotsam.core.clock import format_time
from jotsam.core.errors import CapReached
from jotsam.core.job_records import QueueDepth
from jotsam.core.names import EMBED, ENRICH, EVERY_QUEUE, MEMORY_QUEUES
from jotsam.core.records import Record
from jotsam.ingest import spawn, spool
from jotsam.ingest.accept import LEASE_MS, NOBODY
from jotsam.storage import connect, documents, facts, graph, ledger, memories, queue, vectors, worker_lease

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Transaction
    from jotsam.storage.ledger import Cap


CAPPED = CapReached.__name__
"""How the error begins of a job that waits for tomorrow."""


class PausedQueue(Record):
    """A queue from which nobody receives, whatever the tenant; `probe_ms` is set where its breaker paused it."""

    queue: str
    reason: str
    probe_ms: int | None  # until it lets one job through to see; 0 when that is due


class Spending(Record):
    """What models have taken today (UTC); of all tenants with what is reserved for requests that run."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0
    tokens_of_all: int = 0  # of all tenants together: the cap is one, as the bill is
    cost_of_all: float = 0.0


class DailyCost(Record):
    """What one model has taken on one day of UTC."""

    day: str  # ISO
    model: str
    calls: int
    tokens: int
    cost: float


class StageStatus(Record):
    """One step on a text's way: `ingest` cuts it, `enrich` reads it, `embed` makes its vector. Of one tenant."""

    name: str
    done: int  # jobs, ever
    degraded: int  # memories: read by rules alone, although a model was to; or without a vector, for none can be made
    failed_attempts: int  # ever; a job that is done may have had several
    p50_ms: int | None  # how long the latest took that were done
    p95_ms: int | None


class Status(Record):
    """Of one tenant. `level` is `ok`, `warning` (80 % of the soft cap) or `error` (100 %)."""

    depth: QueueDepth
    done: int
    oldest_ms: int | None
    level: str
    soft_cap: int
    worker: str  # running, starting, or none
    worker_pid: int | None
    documents: int
    memories: int
    enriched: int
    degraded: int  # of these: read by rules alone, although a model was to
    entities: int
    facts: int
    spent: Spending
    capped: int  # jobs that wait for tomorrow, because the cap of today is reached
    freed: int  # jobs that wait for tomorrow because of a cap that holds no more: the next worker takes them up
    done_last_hour: int  # as far as the latest 10,000 jobs tell
    p50_ms: int | None  # how long the latest jobs took
    p95_ms: int | None
    stages: tuple[StageStatus, ...]
    paused: tuple[PausedQueue, ...]
    spooled: int  # turns that hooks set aside and no worker has taken in yet, of all tenants


def of(settings: Settings) -> Status:
    """The status of the tenant and the database that the settings name."""
    database = connect(settings.db, wait_ms=settings.lock_timeout_ms)
    try:
        return read(database, settings)
    finally:
        database.close()


def read(database: Database, settings: Settings) -> Status:
    """The status of the tenant, in one snapshot."""
    spooled = len(spool.waiting(database.url))
    with database.snapshot(tenant=settings.tenant) as tx:
        return status(tx, settings, spooled=spooled, leased=database.is_file)


def status(tx: Transaction, settings: Settings, *, spooled: int = 0, leased: bool = True) -> Status:
    """Read everything in the one transaction given, but for what does not stand in the database.

    `leased` says whether its one worker holds a lease; of any number on a server those are seen that hold a job.
    """
    tenant, soft_cap = settings.tenant, settings.soft_cap
    whole = queue.depth(tx, queues=EVERY_QUEUE, tenant=tenant)
    counted = memories.count(tx)
    done, took = queue.done_last_hour(tx, tenant=tenant), queue.latest_durations(tx, tenant=tenant)
    times = queue.percentiles(time for name in EVERY_QUEUE for time in took.get(name, ())) or {}
    totals = {name: queue.totals(tx, queue=name, tenant=tenant) for name in EVERY_QUEUE}
    degraded = {ENRICH: counted["degraded"], EMBED: vectors.failed(tx)}
    state, pid = worker(tx) if leased else workers(tx)
    bill = spent(tx)
    has_spent = bill.tokens_of_all or bill.cost_of_all
    now, once = capped(tx, cap=ledger.cap_of(settings)) if has_spent else (0, 0)
    return Status(
        depth=whole,
        done=sum(one["done"] for one in totals.values()),
        oldest_ms=None if whole.oldest is None else max(0, tx.now - whole.oldest),
        level=level(whole.live, soft_cap),
        soft_cap=soft_cap,
        worker=state,
        worker_pid=pid,
        documents=documents.count(tx),
        memories=counted["memories"],
        enriched=counted["enriched"],
        degraded=counted["degraded"],
        entities=graph.count(tx),
        facts=facts.count(tx),
        spent=bill,
        capped=now,
        freed=once,
        done_last_hour=sum(done.get(name, 0) for name in EVERY_QUEUE),
        p50_ms=times.get("p50"),
        p95_ms=times.get("p95"),
        stages=tuple(stages(totals, degraded, took)),
        paused=paused(tx),
        spooled=spooled,
    )


def stages(
    totals: Mapping[str, Mapping[str, int]], degraded: Mapping[str, int], took: Mapping[str, list[int]]
) -> Iterator[StageStatus]:
    """The stages in the order in which a text passes them."""
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
    """What the models of a tenant, and of all, have taken today."""
    day = ledger.today(tx)
    rows = ledger.of_day(tx, first=day, last=day)
    tokens, cost = ledger.spent(tx)
    return Spending(
        calls=sum(row["calls"] for row in rows),
        tokens=sum(row["tokens_in"] + row["tokens_out"] for row in rows),
        cost=sum(row["cost"] for row in rows),
        tokens_of_all=tokens,
        cost_of_all=cost,
    )


def capped(tx: Transaction, *, cap: Cap) -> tuple[int, int]:
    """How many jobs wait for tomorrow, because today may cost no more; and how many because of another cap."""
    every, now = (
        sum(queue.count_waiting(tx, name, tenant=tx.tenant, error=error) for name in (ENRICH, EMBED))
        for error in (CAPPED, waits(cap))
    )
    return now, every - now


def waits(cap: Cap) -> str:
    """The error of a job that waits for tomorrow because of this cap."""
    return f"{CAPPED}: {ledger.reached(cap)}"


def costs(database: Database, *, tenant: str, days: int) -> list[DailyCost]:
    """What each model has taken on each of the latest days. Raises `InvalidInput`."""

    from jotsam.core import validate  # Only who asks for costs pays for it: `jotsam status` starts here.

    validate.check_int("days", days, 1, 100_000)
    with database.snapshot(tenant=tenant) as tx:
        today = ledger.today(tx)
        rows = ledger.of_days(tx, first=today - days + 1, last=today)
    return [DailyCost(**{**row, "day": format_time(row["day"] * ledger.DAY_MS)[:10]}) for row in rows]


def paused(tx: Transaction) -> tuple[PausedQueue, ...]:
    """The queues of this program that are paused."""
    return tuple(
        PausedQueue(
            queue=row["queue"],
            reason=row["reason"],
            probe_ms=None if row["probe_at"] is None else max(0, row["probe_at"] - tx.now),
        )
        for row in queue.paused(tx)
        if row["queue"] in EVERY_QUEUE
    )


def level(live: int, soft_cap: int) -> str:
    if live >= soft_cap:
        return "error"
    return "warning" if live * 10 >= soft_cap * 8 else "ok"


def workers(tx: Transaction) -> tuple[str, None]:
    """Whether any worker is `running`, in sight of the jobs that it holds, or there is `none`."""
    return ("running" if queue.count_receivers(tx, EVERY_QUEUE) else "none"), None


def worker(tx: Transaction) -> tuple[str, int | None]:
    """Whether a worker is `running`, `starting` or there is `none`, and its process id."""
    holder = worker_lease.holder(tx, longest_ms=LEASE_MS)
    if holder is None or (holder.pid != NOBODY and holder.host == spawn.host() and not spawn.is_alive(holder.pid)):
        return "none", None
    return ("starting", None) if holder.pid == NOBODY else ("running", holder.pid)
