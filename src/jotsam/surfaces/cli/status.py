"""`jotsam status`: queue, worker, memory and model use, with the commands that fix what is wrong."""

from __future__ import annotations

from jotsam.core.durations import duration, run_time
from jotsam.ingest import backlog
from jotsam.memory.status import of
from jotsam.surfaces.cli.output import DEGRADED, OK, paint, plural, print_field, print_json, print_table, shorten

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from jotsam.core.records import ReplicaState
    from jotsam.core.settings import Settings
    from jotsam.memory.status import LifecycleRunState, PausedQueue, StageStatus, Status


def status(settings: Settings, *, as_json: bool = False, check: bool = False) -> int:
    """Print the status. Returns the exit code; with `check`, 3 if the queue is too full, paused, or has dead jobs."""
    now = of(settings)
    if as_json:
        print_json(status=now)
    else:
        print_status(now, settings)
    return DEGRADED if check and (now.level != "ok" or now.depth.dead or now.paused) else OK


def print_status(now: Status, settings: Settings) -> None:
    """Print the status for people."""
    for name, text in _lines(now, settings):
        print_field(name, text, width=8)
    if any(stage.done or stage.failed_attempts or stage.degraded for stage in now.stages):
        print_table(("stage", "done", "degraded", "failed attempts", "p50", "p95"), map(_stage, now.stages))


def run(arguments: argparse.Namespace) -> int:
    """`jotsam status` with all options of the full parser."""
    return status(arguments.settings, as_json=arguments.json, check=arguments.check)


def _lines(now: Status, settings: Settings) -> Iterator[tuple[str, str]]:
    yield "queue", queue_line(now)
    yield "worker", _worker(now, settings) + _throughput(now)
    yield "memory", _memory(now)
    if settings.llm_url or now.spent.calls or now.capped or now.freed:
        yield "model", _model(now, settings)
    if now.awaiting_model:
        what = f"{plural(now.awaiting_model, 'memory', 'memories')} processed by rules only because the model failed"
        yield "waiting", f"{paint(what, 'yellow')}: retried automatically when it replies"
    if now.degraded > now.awaiting_model:
        final = now.degraded - now.awaiting_model
        what = f"{plural(final, 'memory', 'memories')} processed in part because the model or a rule failed"
        yield "degraded", f"{paint(what, 'yellow')}: run `jotsam reprocess --degraded`"
    if now.discarded:
        what = f"{now.discarded:,} not processed because their job was discarded"
        yield "discarded", f"{paint(what, 'yellow')}: run `jotsam reprocess --all`"
    if now.depth.unknown:
        what = f"{plural(now.depth.unknown, 'job')} given back by a worker that does not know their kind"
        yield "unknown", f"{paint(what, 'yellow')}: start workers of the version that sent them; see `jotsam jobs`"
    yield "level", _level(now)
    for paused in now.paused:
        yield "paused", _paused(paused)
    if now.depth.dead:
        yield "dead", "find out why with `jotsam jobs groups`, then `jotsam jobs retry ID` or `jotsam jobs discard ID`"
    for run in now.lifecycle_runs:
        yield "step", _run_of_step(run)
    for replica in now.replicas:
        yield "replica", f"{replica.name}: {_replica(replica)}"
    for what in now.capture_off:
        yield "capture", f"{paint('off', 'yellow')}: {what}"
    if now.spooled:
        yield "spool", f"{plural(now.spooled, 'turn')} spooled by hooks, not searchable until the worker imports them"


def _stage(stage: StageStatus) -> tuple[str, ...]:
    times = ("" if time is None else run_time(time) for time in (stage.p50_ms, stage.p95_ms))
    return stage.name, f"{stage.done:,}", f"{stage.degraded:,}", f"{stage.failed_attempts:,}", *times


def _model(now: Status, settings: Settings) -> str:
    """The models in use, and today's calls, tokens and cost with their caps."""
    spent = now.spent
    cap = f" of {settings.llm_daily_tokens:,}" if settings.llm_daily_tokens else ""
    models = [settings.llm_model, settings.embed_model if settings.embed_url else ""]
    parts = [
        " and ".join(filter(None, models)) or "none",
        plural(spent.calls, "call"),
        f"{spent.tokens_of_all:,}{cap} tokens today",
    ]
    if spent.cost_of_all or settings.llm_daily_cost:
        cap = f" of {settings.llm_daily_cost:g}" if settings.llm_daily_cost else ""
        parts.append(f"cost {spent.cost_of_all:.4f}{cap}")
    if now.capped:
        parts.append(paint(f"daily cap reached: {plural(now.capped, 'job')} waiting until 00:00 UTC", "yellow"))
    if now.freed:
        what = f"{plural(now.freed, 'job')} waiting for a daily cap that was changed"
        parts.append(paint(f"{what}: run `jotsam work`", "yellow"))
    return " · ".join(parts)


def _level(now: Status) -> str:
    """Whether the workers keep up. Past the soft cap nothing is refused."""
    jobs = f"{plural(now.depth.live, 'job')} (soft cap {now.soft_cap:,})"
    if now.level == "ok" or now.oldest_undelivered_ms is None:
        return f"ok: {jobs}"
    waited = f"the oldest has waited for {duration(now.oldest_undelivered_ms)}"
    colour = "red" if now.level == "error" else "yellow"
    return f"{paint(now.level, colour)}: {jobs}, and {waited}: {backlog.SUFFIX}; new jobs are still accepted"


def _paused(paused: PausedQueue) -> str:
    reason = shorten(paused.reason, 120)
    if paused.probe_ms is None:
        end = f"until `jotsam resume {paused.queue}`"
    else:
        end = f"circuit breaker, next attempt in {run_time(paused.probe_ms)}"
    return f"{paint(paused.queue, 'yellow')}: {reason} ({end})"


def _run_of_step(run: LifecycleRunState) -> str:
    is_failed = run.state == "failed"
    state = (
        f"{paint('failed', 'red')}: {shorten(run.error or 'its job was discarded', 120)}" if is_failed else run.state
    )
    return f"{run.step} {state} (`jotsam lifecycle show {run.id[:8]}`)"


def _replica(replica: ReplicaState) -> str:
    if replica.lag_ms is None:
        return f"{paint(replica.problem, 'yellow')}; the primary answers instead"
    return f"{replica.lag_ms / 1_000:,.1f} s behind"


def _throughput(now: Status) -> str:
    parts = []
    if now.done_last_hour:
        parts.append(f"{now.done_last_hour:,} done in the last hour")
    if now.p50_ms is not None and now.p95_ms is not None:
        parts.append(f"p50 {run_time(now.p50_ms)} · p95 {run_time(now.p95_ms)}")
    return "".join(f" · {part}" for part in parts)


def queue_line(now: Status) -> str:
    """The number of jobs by state, and the age of the oldest."""
    depth = now.depth
    parts = [(depth.pending, "pending"), (depth.in_progress, "in progress"), (now.done, "done")]
    counts = [f"{count:,} {name}" for count, name in parts]
    counts.append(paint(f"{depth.failed:,} failed", "yellow") if depth.failed else "0 failed")
    counts.append(paint(f"{depth.dead:,} dead", "red") if depth.dead else "0 dead")
    oldest = "" if now.oldest_ms is None else f"      oldest {duration(now.oldest_ms)}"
    return " · ".join(counts) + oldest


def _worker(now: Status, settings: Settings) -> str:
    if now.worker == "running":
        return "running" if now.worker_pid is None else f"running, pid {now.worker_pid}"
    if now.worker == "none" and now.depth.live and "://" in settings.db:
        return "none; with a server, workers are not started automatically: run `jotsam work --forever` on any machine"
    if now.worker == "none" and now.depth.live and settings.worker == "off":
        return "none; automatic start is disabled (worker = off): run `jotsam work`"
    return now.worker


def _memory(now: Status) -> str:
    counts = [plural(now.memories, "memory", "memories"), plural(now.documents, "document")]
    counts += [plural(now.entities, "entity", "entities"), plural(now.facts, "fact")]
    if now.memories:
        counts.append(f"{100 * (now.enriched - now.degraded) / now.memories:.1f} % enriched")
    if now.archived:
        counts.append(f"{now.archived:,} archived")
    return " · ".join(counts)
