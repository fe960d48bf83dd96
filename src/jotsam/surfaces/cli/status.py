"""`jotsam status`: what waits, what runs, what is known, and what to do about what has failed."""

from __future__ import annotations

from jotsam.memory import status as door
from jotsam.surfaces.cli.output import DEGRADED, OK, duration, emit, paint, plural, say, shorten, table, took

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from jotsam.core.settings import Settings
    from jotsam.memory.status import PausedQueue, StageStatus, Status


def status(settings: Settings, *, as_json: bool = False, check: bool = False) -> int:
    """Print the status. Returns the exit code; with `check`, 3 when the queue is too full or has dead letters."""
    now = door.of(settings)
    if as_json:
        emit(status=now)
    else:
        for name, text in _lines(now, settings):
            say(f"{paint(name.ljust(8), 'bold')} {text}")
        if any(stage.done or stage.failed_tries or stage.degraded for stage in now.stages):
            table(("stage", "done", "degraded", "failed tries", "p50", "p95"), map(_stage, now.stages))
    return DEGRADED if check and (now.level != "ok" or now.depth.dead) else OK


def command(arguments: argparse.Namespace) -> int:
    """`status` with the options that the full parser knows."""
    return status(arguments.settings, as_json=arguments.json, check=arguments.check)


def _lines(now: Status, settings: Settings) -> Iterator[tuple[str, str]]:
    yield "queue", _queue(now)
    yield "worker", _worker(now, settings) + _pace(now)
    yield "memory", _memory(now)
    if settings.llm_url or now.spent.calls or now.capped or now.freed:
        yield "model", _model(now, settings)
    if now.degraded:
        what = f"{plural(now.degraded, 'memory', 'memories')} read by rules alone, although a model was to"
        yield "degraded", f"{paint(what, 'yellow')}: `jotsam reprocess --degraded` reads them again"
    yield "level", _level(now)
    for paused in now.paused:
        yield "paused", _paused(paused)
    if now.depth.dead:
        yield "dead", "see why with `jotsam jobs groups`, then `jotsam jobs retry ID` or `jotsam jobs discard ID`"
    if now.spooled:
        yield "spool", f"{plural(now.spooled, 'turn')} set aside by hooks, not findable yet; the worker takes them in"


def _stage(stage: StageStatus) -> tuple[str, ...]:
    times = ("" if time is None else took(time) for time in (stage.p50_ms, stage.p95_ms))
    return stage.name, f"{stage.done:,}", f"{stage.degraded:,}", f"{stage.failed_tries:,}", *times


def _model(now: Status, settings: Settings) -> str:
    """Who is asked and paid, what that has taken today, and of how much."""
    bill = now.spent
    most = f" of {settings.llm_daily_tokens:,}" if settings.llm_daily_tokens else ""
    asked = [settings.llm_model, settings.embed_model if settings.embed_url else ""]
    parts = [
        " and ".join(filter(None, asked)) or "none",
        plural(bill.calls, "call"),
        f"{bill.tokens_of_all:,}{most} tokens today",
    ]
    if bill.cost_of_all or settings.llm_daily_cost:
        most = f" of {settings.llm_daily_cost:g}" if settings.llm_daily_cost else ""
        parts.append(f"cost {bill.cost_of_all:.4f}{most}")
    if now.capped:
        parts.append(paint(f"the cap is reached: {plural(now.capped, 'job')} wait until 00:00 UTC", "yellow"))
    if now.freed:
        what = f"{plural(now.freed, 'job')} wait because of a cap that was changed: the next worker takes them up"
        parts.append(paint(f"{what} (`jotsam work`)", "yellow"))
    return " · ".join(parts)


def _level(now: Status) -> str:
    """The soft cap in words. It refuses nothing, so what it calls an error is that nobody keeps up."""
    waiting = f"{now.depth.live:,} of {now.soft_cap:,} jobs are waiting"
    if now.level == "ok":
        return f"ok: {waiting}"
    colour, share = ("red", "the soft cap is reached") if now.level == "error" else ("yellow", "80 % of the soft cap")
    return f"{paint(now.level, colour)}: {waiting} ({share}); more are still accepted"


def _paused(paused: PausedQueue) -> str:
    reason = shorten(paused.reason, 120)
    if paused.probe_ms is None:
        end = f"until `jotsam resume {paused.queue}`"
    else:
        end = f"by its breaker, which lets one job through in {took(paused.probe_ms)} to see"
    return f"{paint(paused.queue, 'yellow')}: {reason} ({end})"


def _pace(now: Status) -> str:
    """How the work gets on, once something was done."""
    parts = []
    if now.done_last_hour:
        parts.append(f"{now.done_last_hour:,} done in the last hour")
    if now.p50_ms is not None and now.p95_ms is not None:
        parts.append(f"p50 {took(now.p50_ms)} · p95 {took(now.p95_ms)}")
    return "".join(f" · {part}" for part in parts)


def _queue(now: Status) -> str:
    depth = now.depth
    parts = [(depth.pending, "pending"), (depth.in_progress, "in progress"), (now.done, "done")]
    counts = [f"{count:,} {name}" for count, name in parts]
    counts.append(paint(f"{depth.failed:,} failed", "yellow") if depth.failed else "0 failed")
    counts.append(paint(f"{depth.dead:,} dead", "red") if depth.dead else "0 dead")
    oldest = "" if now.oldest_ms is None else f"      oldest pending {duration(now.oldest_ms)}"
    return " · ".join(counts) + oldest


def _worker(now: Status, settings: Settings) -> str:
    if now.worker == "running":
        return "running" if now.worker_pid is None else f"running, pid {now.worker_pid}"
    if now.worker == "none" and now.depth.live and "://" in settings.db:
        return "none at work, and none is started by itself: run `jotsam work --forever` on any machine"
    if now.worker == "none" and now.depth.live and settings.worker == "off":
        return "none, and none is started by itself (worker = off): run `jotsam work`"
    return now.worker


def _memory(now: Status) -> str:
    counts = [plural(now.memories, "memory", "memories"), plural(now.documents, "document")]
    counts += [plural(now.entities, "entity", "entities"), plural(now.facts, "fact")]
    if now.memories:
        counts.append(f"{100 * now.enriched / now.memories:.1f} % enriched")
    return " · ".join(counts)
