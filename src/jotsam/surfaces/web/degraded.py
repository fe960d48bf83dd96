"""What is worse than it could be, in words: why, and what to do about it."""

from __future__ import annotations

from jotsam.core.durations import duration, run_time
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.records import ReplicaState
    from jotsam.core.settings import Settings
    from jotsam.memory.overview import Counted, MemoryCounts, Overview
    from jotsam.memory.status import PausedQueue

LEVELS = ("error", "warning", "note")


class Degraded(Record):
    """One thing. `level` is error, warning, or note for what is only switched off or still to come."""

    level: str
    text: str
    command: str = ""  # that repairs it
    link: str = ""  # the page that shows more
    label: str = ""  # of the link


def degraded(now: Overview, settings: Settings) -> list[Degraded]:
    """What is degraded, the worst first."""
    found = [*_jobs(now), *_memories(now.memories, settings), *_around(now, settings)]
    return sorted(found, key=lambda one: LEVELS.index(one.level))


def counted(count: Counted | int, one: str, many: str = "") -> str:
    """A number with its noun: `1 job`, `10,000+ jobs`."""
    shown = f"{count:,}" if isinstance(count, int) else str(count)
    return f"{shown} {one if shown == '1' else many or one + 's'}"


def _jobs(now: Overview) -> Iterator[Degraded]:
    jobs = now.jobs
    if now.level != "ok":
        late = f"the oldest has waited {duration(jobs.oldest_undelivered_ms or 0)}: the workers do not keep up"
        text = f"{counted(jobs.live, 'job')} are not done, and {late}. New jobs are still accepted."
        yield Degraded(level=now.level, text=text, command="jotsam work")
    if jobs.states["dead"]:
        text = f"{counted(jobs.states['dead'], 'job')} failed too often or for good, and will not be tried again."
        yield Degraded(level="error", text=text, link="/ui/jobs/failures", label="Errors, and retry")
    for paused in now.paused:
        yield Degraded(level="warning", text=f"{_paused(paused)}.", command=_resume(paused))
    if now.worker == "none" and jobs.states["ready"] and not now.paused:
        yield Degraded(level="warning", text="Jobs wait, and no worker runs.", command="jotsam work --forever")
    if jobs.capped:
        text = f"{counted(jobs.capped, 'job')} wait until 00:00 UTC, because the daily cap of the model is reached."
        yield Degraded(level="warning", text=text, link="/ui/cost", label="Cost")


def _memories(memories: MemoryCounts, settings: Settings) -> Iterator[Degraded]:
    if memories.awaiting_model:
        text = f"{_memory(memories.awaiting_model)} processed by rules only, because the model could not be reached."
        yield Degraded(level="warning", text=f"{text} They are processed again when it answers.")
    final = memories.degraded.number - memories.awaiting_model.number
    if final > 0:
        text = f"{_memory(memories.degraded.replace(number=final))} processed in part: the model or a rule failed."
        yield Degraded(level="warning", text=text, command="jotsam reprocess --degraded")
    if memories.not_embeddable:
        text = f"{counted(memories.not_embeddable, 'text')} could not be embedded, so words alone find them."
        yield Degraded(level="warning", text=text, command="jotsam embedder refresh")
    if not settings.embed_model:
        text = "No embedding model is chosen: recall finds words, names and dates, but no similar meaning."
        yield Degraded(level="note", text=text, command="jotsam embedder")
    elif memories.not_embedded:
        yield Degraded(level="note", text=f"{_unembedded(memories)}: words alone find them until then.")
    if memories.not_enriched:
        text = f"{_memory(memories.not_enriched, 'is', 'are')} not enriched yet: only words find them."
        yield Degraded(level="note", text=text)
    if not settings.llm_url:
        text = "No language model is used: rules find entities and facts, and nothing leaves this machine."
        yield Degraded(level="note", text=text, link="/ui/cost", label="How to switch it on")


def _around(now: Overview, settings: Settings) -> Iterator[Degraded]:
    if now.spooled:
        text = f"{counted(now.spooled, 'turn')} of agents are in spool files: a worker makes them searchable."
        yield Degraded(level="warning", text=text, command="jotsam work")
    for what in now.capture_off:
        yield Degraded(level="note", text=f"Turns of agents are not stored: {what}.", command="jotsam capture on")
    for replica in now.replicas:
        if replica.lag_ms is None or replica.lag_ms > settings.max_replica_lag_ms:
            yield Degraded(level="warning", text=_replica(replica))


def _paused(paused: PausedQueue) -> str:
    name = paused.queue
    what = f"The engine {name.removeprefix('mirror-')} is not kept up" if name.startswith("mirror-") else ""
    what = what or f"The queue {name} is paused"
    if paused.probe_ms is None:
        return f"{what}: {paused.reason}"
    return f"{what}: {paused.reason}. The next attempt is in {run_time(paused.probe_ms)}"


def _resume(paused: PausedQueue) -> str:
    return f"jotsam resume {paused.queue}" if paused.probe_ms is None else ""


def _unembedded(memories: MemoryCounts) -> str:
    missing, whole = memories.not_embedded, memories.memories
    share = "" if missing.more or whole.more or not whole.number else f" ({missing.number / whole.number:.0%} of all)"
    return f"{counted(missing, 'memory has', 'memories have')} no vector yet{share}"


def _memory(count: Counted, one: str = "was", many: str = "were") -> str:
    return counted(count, f"memory {one}", f"memories {many}")


def _replica(replica: ReplicaState) -> str:
    if replica.lag_ms is None:
        return f"The replica {replica.name} cannot be used: {replica.problem}. The primary answers instead."
    return f"The replica {replica.name} is {duration(replica.lag_ms)} behind, so the primary answers instead."
