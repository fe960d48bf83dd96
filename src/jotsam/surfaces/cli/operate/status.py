"""`jotsam status`: queue, worker, memory and model use, with the commands that fix what is wrong."""

from __future__ import annotations

import sys

from jotsam.core.clock import duration, format_time, run_time, sleep, system_clock
from jotsam.memory.status.health import OK as FINE
from jotsam.memory.status.status import of
from jotsam.surfaces.cli.output import (
    DEGRADED,
    OK,
    echo,
    paint,
    plural,
    print_field,
    print_json,
    print_table,
    redraws,
    shorten,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam
    from jotsam.memory.status.health import Finding
    from jotsam.memory.status.status import StageStatus, Status

COLOURS = {"error": "red", "warning": "yellow"}
SECOND_SCREEN, FIRST_SCREEN, FROM_THE_TOP = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l", "\x1b[H\x1b[J"
CHANGES = ("depth", "done", "worker", "level", "memories", "documents", "enriched", "discarded", "spooled")


def status(settings: Settings, *, as_json: bool = False, check: bool = False) -> int:
    """Print the status. Returns the exit code; with `check`, 3 if something is wrong."""
    now = of(settings)
    if as_json:
        print_json(status=now)
    else:
        print_status(now, settings)
    return DEGRADED if check and now.level != "ok" else OK


def print_status(now: Status, settings: Settings) -> None:
    """Print the status for people."""
    for name, text in _lines(now, settings):
        print_field(name, text, width=8)
    if any(stage.done or stage.failed_attempts or stage.degraded for stage in now.stages):
        print_table(("stage", "done", "degraded", "failed attempts", "p50", "p95"), map(_stage, now.stages))


def show_status(arguments: argparse.Namespace) -> int:
    """`jotsam status` with all options of the full parser."""
    if arguments.cost:
        from jotsam.surfaces.cli.operate.doctor import costs

        return costs(arguments)
    if arguments.watch:
        return _watch(arguments)
    return status(arguments.settings, as_json=arguments.json, check=arguments.check)


def _lines(now: Status, settings: Settings) -> Iterator[tuple[str, str]]:
    yield "queue", queue_line(now)
    yield "worker", _worker(now, settings) + _throughput(now)
    yield "memory", _memory(now)
    if settings.has_model or now.spent.calls or now.capped or now.freed:
        yield "model", _model(now, settings)
    yield "level", _level(now)
    for finding in now.findings:
        yield finding.name, _finding(finding)
    for run in now.lifecycle_runs:
        if run.state != "failed":
            yield "step", f"{run.step} {run.state} (`jotsam db lifecycle show {run.id[:8]}`)"
    for replica in now.replicas:
        if replica.lag_ms is not None:
            yield "replica", f"{replica.name}: {replica.lag_ms / 1_000:,.1f} s behind"


def _stage(stage: StageStatus) -> tuple[str, ...]:
    times = ("" if time is None else run_time(time) for time in (stage.p50_ms, stage.p95_ms))
    return stage.name, f"{stage.done:,}", f"{stage.degraded:,}", f"{stage.failed_attempts:,}", *times


def _model(now: Status, settings: Settings) -> str:
    """The models in use, and today's calls, tokens and cost with their caps."""
    spent = now.spent
    cap = f" of {settings.llm_daily_tokens:,}" if settings.llm_daily_tokens else ""
    models = [
        settings.model_name,
        settings.embed_model if settings.embed_url else "",
        settings.rerank_model if settings.rerank_url else "",
    ]
    parts = [
        " and ".join(filter(None, models)) or "none",
        plural(spent.calls, "call"),
        f"{spent.tokens_of_all:,}{cap} tokens today",
    ]
    if spent.cost_of_all or settings.llm_daily_cost:
        cap = f" of {settings.llm_daily_cost:g}" if settings.llm_daily_cost else ""
        parts.append(f"cost {spent.cost_of_all:.4f}{cap}")
    return " · ".join(parts)


def _level(now: Status) -> str:
    """The verdict: the worst level, and how much there is to do."""
    shown = FINE if now.level == FINE else paint(now.level, COLOURS[now.level])
    return f"{shown}: {plural(now.depth.live, 'job')} (soft cap {now.soft_cap:,})"


def _finding(finding: Finding) -> str:
    text = paint(shorten(finding.text, 200), COLOURS[finding.level]) if finding.level in COLOURS else finding.text
    return f"{text}: run `{finding.command}`" if finding.command else text


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
        return "none; with a server, workers are not started automatically: run `jotsam jobs work --forever` anywhere"
    if now.worker == "none" and now.depth.live and settings.worker == "off":
        return "none; automatic start is disabled (worker = off): run `jotsam jobs work`"
    return now.worker


def _memory(now: Status) -> str:
    counts = [plural(now.memories, "memory", "memories"), plural(now.documents, "document")]
    counts += [plural(now.entities, "entity", "entities"), plural(now.facts, "fact")]
    if now.memories:
        counts.append(f"{100 * (now.enriched - now.degraded) / now.memories:.1f} % enriched")
    if now.archived:
        counts.append(f"{now.archived:,} archived")
    return " · ".join(counts)


def _watch(arguments: argparse.Namespace) -> int:
    """Show the status every `interval` seconds. Ctrl-C ends it with exit code 0.

    On a terminal it is drawn in place, on the terminal's second screen. In a pipe, and for a screen reader, it is a
    line for each change, with --json an object in each line.
    """
    from jotsam.memory.api.client import Jotsam

    with Jotsam(settings=arguments.settings) as jot:
        try:
            if redraws(sys.stdout) and not arguments.json:
                _draw(jot, arguments)
            else:
                _print_changes(jot, arguments)
        except KeyboardInterrupt:
            pass
    return OK


def _draw(jot: Jotsam, arguments: argparse.Namespace) -> None:
    import signal  # slow to import

    now = jot.status()
    signal.signal(signal.SIGTERM, _end)
    sys.stdout.write(SECOND_SCREEN)
    try:
        while True:
            sys.stdout.write(FROM_THE_TOP)
            print_status(now, jot.settings)
            echo(f"\n{format_time(system_clock())}, every {arguments.interval:g} s; Ctrl-C ends")
            sys.stdout.flush()
            sleep(arguments.interval)
            now = jot.status()
    finally:
        sys.stdout.write(FIRST_SCREEN)
        print_status(now, jot.settings)
        sys.stdout.flush()


def _end(number: int, _: object) -> None:
    """Without this handler SIGTERM would leave the terminal on its second screen, without a cursor."""
    raise SystemExit(128 + number)


def _print_changes(jot: Jotsam, arguments: argparse.Namespace) -> None:
    before = None
    while True:
        now = jot.status()
        if before is None or _differ(now, before):
            before = now
            if arguments.json:
                print_json(status=now)
            else:
                echo(f"{format_time(system_clock())}  {queue_line(now)} · worker {now.worker} · level {now.level}")
            sys.stdout.flush()
        sleep(arguments.interval)


def _differ(now: Status, before: Status) -> bool:
    paused = [[one.queue for one in status.paused] for status in (now, before)]
    return paused[0] != paused[1] or any(getattr(now, name) != getattr(before, name) for name in CHANGES)
