"""What the first page of the dashboard shows of a tenant, in one snapshot.

It costs the same however many jobs and memories there are: numbers are counted up to a limit, or kept by the queue.
Where `status` counts everything, this says "10,000 or more"; below the limits, both agree.
"""

from __future__ import annotations

from jotsam.core.names import EMBED, ENRICH, EVERY_QUEUE, STATES
from jotsam.core.records import Record
from jotsam.ingest import capture_switch, spool
from jotsam.memory.events import events
from jotsam.memory.status import health, queue_state, status
from jotsam.memory.status.health import Counted, Finding
from jotsam.memory.status.status import StageStatus
from jotsam.storage import queue
from jotsam.storage.costs import ledger
from jotsam.storage.status import overview

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jotsam.core.event_records import Event
    from jotsam.core.records import ReplicaState
    from jotsam.core.settings import Settings
    from jotsam.memory.status.health import PausedQueue
    from jotsam.storage.database import Database, Row, Transaction

MAX_JOBS = 10_000  # that are counted by state, of each queue
MAX_COUNTED = 100_000  # memories, documents, entities, facts
HOUR_MS, HOURS = 3_600_000, 24
LATEST_EVENTS = 10
TIMED_DELIVERIES = queue.TIMED_DELIVERIES  # the latest of all tenants, of which `stages` has the durations


class HourCounts(Record):
    """The jobs of one hour."""

    at: int  # its beginning
    accepted: int = 0
    done: int = 0
    retried: int = 0  # deliveries that failed
    buried: int = 0  # jobs that became dead letters


class JobCounts(Record):
    """The jobs of a tenant that are not done."""

    states: Mapping[str, Counted]  # by state
    failed: Counted  # failed before, and are not running
    capped: Counted  # wait for the next day because of a daily cap
    live: Counted  # not dead
    oldest_ms: int | None  # age of the oldest job that is not dead
    oldest_undelivered_ms: int | None  # age of the oldest job that could run and was never delivered


class MemoryCounts(Record):
    """What is stored for a tenant, and what is missing."""

    documents: Counted
    memories: Counted
    entities: Counted
    facts: Counted
    not_enriched: Counted
    degraded: Counted  # extracted in part, because the model or a rule failed
    awaiting_model: Counted  # of these, extracted again when the server of the model replies
    not_embedded: Counted
    not_embeddable: Counted  # of texts that the embedder refused


class Overview(Record):
    """The state of a tenant. `findings` and `level` are those of `Status`, with notes of what is still to come."""

    at: int
    jobs: JobCounts
    level: str
    findings: tuple[Finding, ...]
    soft_cap: int
    worker: str  # running, starting, or none
    done: int
    done_today: int  # since 00:00 UTC
    hours: tuple[HourCounts, ...]  # the last 24, the oldest first
    stages: tuple[StageStatus, ...]
    paused: tuple[PausedQueue, ...]
    memories: MemoryCounts
    tokens_today: int  # of all tenants, because the daily cap applies to all together; with those that are reserved
    cost_today: float
    events: tuple[Event, ...]  # the newest first
    spooled: int
    capture_off: tuple[str, ...]
    replicas: tuple[ReplicaState, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever stored."""
        stored = self.memories.documents or self.memories.memories or self.jobs.live or self.jobs.states["dead"]
        return not (stored or self.done)


def read_overview(database: Database, settings: Settings) -> Overview:
    """The overview of the settings' tenant."""
    spooled = len(spool.waiting(database.url))
    with database.snapshot(tenant=settings.tenant) as tx:
        jobs, counted = count_jobs(tx), count_memories(tx)
        hours = queue.by_hour(tx, queues=EVERY_QUEUE, tenant=tx.tenant)
        tokens, cost = ledger.spent(tx)
        found = Overview(
            at=tx.now,
            jobs=jobs,
            level=health.OK,
            findings=(),
            soft_cap=settings.soft_cap,
            worker=queue_state.worker_state(tx, leased=database.is_file, undelivered_ms=jobs.oldest_undelivered_ms)[0],
            done=sum(row["done"] for row in hours),
            done_today=sum(row["done"] for row in hours if row["hour"] >= tx.now // ledger.DAY_MS * HOURS),
            hours=tuple(_by_hour(hours, tx.now // HOUR_MS)),
            stages=tuple(_stages(tx, hours, counted)),
            paused=queue_state.paused(tx),
            memories=counted,
            tokens_today=tokens,
            cost_today=cost,
            events=events.latest(tx, limit=LATEST_EVENTS),
            spooled=spooled,
            capture_off=capture_switch.described(settings),
            replicas=database.replica_states(),
        )
        facts = _facts(tx, found, settings)
    return judged(found, facts, settings)


def judged(found: Overview, facts: health.Facts, settings: Settings) -> Overview:
    """The overview with the verdict on it."""
    findings = health.findings(facts, [] if found.is_empty else _notes(found.memories, settings))
    return found.replace(findings=findings, level=health.level_of(findings))


def _facts(tx: Transaction, found: Overview, settings: Settings) -> health.Facts:
    jobs, memories = found.jobs, found.memories
    capped, freed = status.capped(tx, cap=ledger.cap_of(settings)) if jobs.capped else (0, 0)
    was_discarded = any(queue.totals(tx, queue=name, tenant=tx.tenant)["discarded"] for name in EVERY_QUEUE)
    gone = sum(status.discarded(tx)) if was_discarded else 0
    return health.Facts(
        dead=jobs.states["dead"],
        failed=jobs.failed,
        live=jobs.live,
        undelivered_ms=jobs.oldest_undelivered_ms,
        soft_cap=found.soft_cap,
        worker=found.worker,
        capped=Counted(number=capped),
        freed=Counted(number=freed),
        paused=found.paused,
        discarded=Counted(number=gone),
        awaiting_model=memories.awaiting_model,
        degraded=memories.degraded.replace(number=memories.degraded.number - memories.awaiting_model.number),
        not_embeddable=memories.not_embeddable,
        failed_runs=status.failed_runs(status.lifecycle_runs(tx)),
        spooled=found.spooled,
        capture_off=found.capture_off,
        replicas=found.replicas,
        max_replica_lag_ms=settings.max_replica_lag_ms,
    )


def _notes(memories: MemoryCounts, settings: Settings) -> Iterator[Finding]:
    """What is switched off or still to come."""
    if not settings.embed_model:
        text = "No embedding model is chosen: recall finds words, names and dates, but no similar meaning"
        yield Finding(name="embedder", level="note", text=text, command="jotsam models")
    elif memories.not_embedded:
        missing, whole = memories.not_embedded, memories.memories
        is_exact = not (missing.more or whole.more) and whole.number
        share = f" ({missing.number / whole.number:.0%} of all)" if is_exact else ""
        text = f"{health.counted(missing, 'memory has', 'memories have')} no vector yet{share}"
        yield Finding(name="embed", level="note", text=f"{text}: words alone find them until then")
    if memories.not_enriched:
        text = f"{health.counted(memories.not_enriched, 'memory is', 'memories are')} not enriched yet"
        yield Finding(name="enrich", level="note", text=f"{text}: only words find them")
    if not settings.has_model:
        text = "No language model is used: rules find entities and facts, and nothing leaves this machine"
        yield Finding(name="llm", level="note", text=text)


def count_jobs(tx: Transaction) -> JobCounts:
    """The tenant's jobs by state. Exact unless a queue has more than `MAX_JOBS`, of which the oldest are looked at."""
    found = {
        name: queue.live_states(tx, queue=name, tenant=tx.tenant, limit=MAX_JOBS, error=queue_state.CAPPED)
        for name in EVERY_QUEUE
    }
    full = {name for name, states in found.items() if sum(row["jobs"] for row in states.values()) == MAX_JOBS}
    held, is_all_held = queue.held_states(tx, tenant=tx.tenant, limit=MAX_JOBS) if full else ({}, True)
    rows = [row for states in found.values() for row in states.values()]
    states = dict.fromkeys(STATES, Counted())
    for name, by_state in found.items():
        for state, before in states.items():
            one = Counted(number=by_state[state]["jobs"] if state in by_state else 0)
            if name in full:
                one = _beyond(one.number, state, held.get((name, state), 0), is_all_held)
            states[state] = Counted(number=before.number + one.number, more=before.more or one.more)
    dead = queue.count_dead(tx, queues=EVERY_QUEUE, tenant=tx.tenant, limit=MAX_JOBS)
    return JobCounts(
        states=states | {"dead": Counted(number=dead, more=dead >= MAX_JOBS)},
        failed=_sum(rows, "failed", more=bool(full)),
        capped=_sum(rows, "delayed", more=bool(full)),
        live=_sum(rows, "jobs", more=bool(full)),
        oldest_ms=_age(tx, rows, "oldest"),
        oldest_undelivered_ms=_age(tx, rows, "undelivered"),
    )


def _beyond(jobs: int, state: str, held: int, is_all_held: bool) -> Counted:
    """The jobs of a queue that were not all looked at: leases and delays are also found by their end."""
    if state in ("leased", "waiting"):
        return Counted(number=max(jobs, held), more=not is_all_held)
    return Counted(number=jobs, more=state == "ready" or jobs > 0)


def count_memories(tx: Transaction) -> MemoryCounts:
    """What is stored, and what is missing, each counted up to `MAX_COUNTED`."""
    counts = overview.counts(tx, limit=MAX_COUNTED)
    return MemoryCounts(**{name: Counted(number=n, more=n == MAX_COUNTED) for name, n in counts.items()})


def _sum(rows: Iterable[Row], name: str, *, more: bool) -> Counted:
    number = sum(row[name] for row in rows)
    return Counted(number=number, more=more and number > 0)


def _age(tx: Transaction, rows: Iterable[Row], name: str) -> int | None:
    sent = min((row[name] for row in rows if row[name] is not None), default=None)
    return None if sent is None else max(0, tx.now - sent)


def _by_hour(rows: Iterable[Row], last: int) -> Iterator[HourCounts]:
    """The last `HOURS` hours up to `last`, with those in which nothing was counted."""
    sums = {hour: HourCounts(at=hour * HOUR_MS) for hour in range(last - HOURS + 1, last + 1)}
    for row in rows:
        if one := sums.get(row["hour"]):
            names = ("accepted", "done", "retried", "buried")
            sums[row["hour"]] = one.replace(**{name: getattr(one, name) + row[name] for name in names})
    yield from sums.values()


def _stages(tx: Transaction, rows: Iterable[Row], counted: MemoryCounts) -> Iterator[StageStatus]:
    totals = {name: dict.fromkeys(("done", "retried", "buried"), 0) for name in EVERY_QUEUE}
    for row in rows:
        for event in totals[row["queue"]]:
            totals[row["queue"]][event] += row[event]
    degraded = {ENRICH: counted.degraded.number, EMBED: counted.not_embeddable.number}
    return status.stages(totals, degraded, queue.latest_durations(tx, tenant=tx.tenant))
