"""The one verdict on health: what is wrong, the worst first, each with what to do.

The first page, `status`, `/readyz`, `/metrics`, `doctor`, the brief and MCP read their numbers at different costs, and
all of them ask `findings`. Imports nothing slow: `jotsam status` must start in milliseconds.
"""

from __future__ import annotations

from jotsam.core.clock import duration, run_time
from jotsam.core.records import Record
from jotsam.ingest import backlog

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.core.records import ReplicaState

LEVELS = ("error", "warning", "note")  # a note is only switched off, or still to come
OK = "ok"
WORKER_MS = 60_000  # a job that could run has waited this long: a worker that is started needs less


class PausedQueue(Record):
    """A queue that delivers no jobs, for all tenants. `probe_ms` is None unless a circuit breaker paused it."""

    queue: str
    reason: str
    probe_ms: int | None  # time until the next probe, for which one job is delivered; 0 when it is due


class Counted(Record):
    """A number, or with `more` the part of it that was counted."""

    number: int = 0
    more: bool = False

    def __str__(self) -> str:
        return f"{self.number:,}{'+' if self.more else ''}"

    def __bool__(self) -> bool:
        return self.number > 0 or self.more


NONE = Counted()


class Finding(Record):
    """Something that is not as it could be. `level` is error, warning or note."""

    name: str  # what it is about: `dead`, `paused`, ...
    level: str
    text: str  # a sentence without its full stop
    command: str = ""  # that helps
    of_server: bool = False  # it concerns the machine of the server, so no tenant is told


class Facts(Record):
    """What the verdict is made of. A surface that does not read something leaves it out."""

    dead: Counted = NONE
    failed: Counted = NONE  # and will be retried
    unknown: Counted = NONE  # given back by a worker that does not know their kind
    live: Counted = NONE  # not dead
    undelivered_ms: int | None = None  # age of the oldest job that could run and was never delivered
    soft_cap: int = backlog.SOFT_CAP
    worker: str = ""  # running, starting, none; empty: unknown
    capped: Counted = NONE  # wait for the next day because of a daily cap
    freed: Counted = NONE  # wait because of an earlier cap
    paused: tuple[PausedQueue, ...] = ()
    discarded: Counted = NONE
    awaiting_model: Counted = NONE  # memories
    degraded: Counted = NONE  # memories, without those that await the model
    not_embeddable: Counted = NONE
    failed_runs: tuple[tuple[str, str], ...] = ()  # step and id of runs of the lifecycle
    spooled: int = 0
    capture_off: tuple[str, ...] = ()
    replicas: tuple[ReplicaState, ...] = ()
    max_replica_lag_ms: int = 0


def findings(facts: Facts, more: Iterable[Finding] = ()) -> tuple[Finding, ...]:
    """What is wrong, the worst first. `more` are notes that only one surface has."""
    found = [*_jobs(facts), *_memories(facts), *_around(facts), *more]
    return tuple(sorted(found, key=lambda one: LEVELS.index(one.level)))


def level_of(found: Iterable[Finding]) -> str:
    """ok, warning or error. Notes are ok."""
    return next((one.level for one in found if one.level != "note"), OK)


def worst(found: Iterable[Finding]) -> Finding | None:
    """The worst that is more than a note."""
    return next((one for one in found if one.level != "note"), None)


def counted(count: Counted | int, one: str, many: str = "") -> str:
    """A number with its noun: `1 job`, `10,000+ jobs`."""
    shown = f"{count:,}" if isinstance(count, int) else str(count)
    return f"{shown} {one if shown == '1' else many or one + 's'}"


def _jobs(facts: Facts) -> Iterator[Finding]:
    if facts.dead:
        text = f"{counted(facts.dead, 'job')} failed too often or for good, and will not be tried again"
        yield Finding(name="dead", level="error", text=text, command="jotsam jobs groups")
    late = backlog.level(facts.live.number, facts.undelivered_ms, soft_cap=facts.soft_cap)
    if late != OK:
        waited = f"the oldest has waited {duration(facts.undelivered_ms or 0)}: {backlog.SUFFIX}"
        text = f"{counted(facts.live, 'job')} are not done, and {waited}; new jobs are still accepted"
        yield Finding(name="backlog", level=late, text=text, command="jotsam jobs work")
    for paused in facts.paused:
        # A circuit breaker ends its pause by itself, once its cause is gone.
        command = f"jotsam jobs resume {paused.queue}" if paused.probe_ms is None else "jotsam doctor"
        yield Finding(name="paused", level="warning", text=_paused(paused), command=command)
    if facts.worker == "none" and not facts.paused and (facts.undelivered_ms or 0) >= WORKER_MS:
        text = f"Jobs have waited {duration(facts.undelivered_ms or 0)}, and no worker runs"
        yield Finding(name="worker", level="warning", text=text, command="jotsam jobs work --forever")
    if facts.capped:
        text = f"{counted(facts.capped, 'job waits', 'jobs wait')} until 00:00 UTC: the daily cap is reached"
        yield Finding(name="cap", level="warning", text=text, command="jotsam config set llm_daily_tokens NUMBER")
    if facts.freed:
        text = f"{counted(facts.freed, 'job waits', 'jobs wait')} for a daily cap that was changed"
        yield Finding(name="cap", level="warning", text=text, command="jotsam jobs work")
    if facts.unknown:
        text = f"{counted(facts.unknown, 'job was', 'jobs were')} given back by a worker that does not know their kind"
        yield Finding(name="unknown", level="warning", text=f"{text}: start workers of the version that sent them")
    if facts.discarded:
        text = f"{facts.discarded} not processed, because their job was discarded"
        yield Finding(name="discarded", level="warning", text=text, command="jotsam models reprocess --all")
    if facts.failed:
        text = f"{counted(facts.failed, 'job has', 'jobs have')} failed and will be retried"
        yield Finding(name="failed", level="note", text=text, command="jotsam jobs")


def _memories(facts: Facts) -> Iterator[Finding]:
    if facts.awaiting_model:
        text = f"{_memory(facts.awaiting_model)} processed by rules only: the model has not read them yet"
        yield Finding(name="waiting", level="note", text=f"{text}; they are processed again when it has time")
    if facts.degraded:
        text = f"{_memory(facts.degraded)} processed in part, because the model or a rule failed"
        yield Finding(name="degraded", level="warning", text=text, command="jotsam models reprocess --degraded")
    if facts.not_embeddable:
        text = f"{counted(facts.not_embeddable, 'text')} could not be embedded, so words alone find them"
        yield Finding(name="embed", level="warning", text=text, command="jotsam models refresh")
    for step, id in facts.failed_runs:
        text = f"The last run of the step {step} has failed"
        yield Finding(name="step", level="warning", text=text, command=f"jotsam db lifecycle show {id[:8]}")


def _around(facts: Facts) -> Iterator[Finding]:
    if facts.spooled:
        text = f"{counted(facts.spooled, 'turn')} of agents are in spool files: a worker makes them searchable"
        yield Finding(name="spool", level="warning", text=text, command="jotsam jobs work")
    for what in facts.capture_off:
        text = f"Turns of agents are not stored: {what}"
        yield Finding(name="capture", level="note", text=text, command="jotsam agents capture on", of_server=True)
    for replica in facts.replicas:
        if replica.lag_ms is None or replica.lag_ms > facts.max_replica_lag_ms:
            yield Finding(name="replica", level="warning", text=_replica(replica), of_server=True)


def _paused(paused: PausedQueue) -> str:
    name = paused.queue
    what = f"The engine {name.removeprefix('mirror-')} is not kept up" if name.startswith("mirror-") else ""
    text = f"{what or f'The queue {name} is paused'}: {paused.reason}"
    return text if paused.probe_ms is None else f"{text}; the next attempt is in {run_time(paused.probe_ms)}"


def _memory(count: Counted) -> str:
    return counted(count, "memory was", "memories were")


def _replica(replica: ReplicaState) -> str:
    if replica.lag_ms is None:
        return f"The replica {replica.name} cannot be used: {replica.problem}; the primary answers instead"
    return f"The replica {replica.name} is {duration(replica.lag_ms)} behind, so the primary answers instead"
