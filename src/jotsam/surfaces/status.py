"""`jotsam status`: what waits, what runs, what is known, and what to do about what has failed."""

from __future__ import annotations

import sys

from jotsam import status as door
from jotsam.surfaces.screen import DEGRADED, OK, duration, emit, paint, plural, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from jotsam.settings import Settings
    from jotsam.status import Status


def status(settings: Settings, *, as_json: bool = False, check: bool = False) -> int:
    """Print the status. Returns the exit code; with `check`, 3 when the queue is too full or has dead letters."""
    now = door.of(settings)
    if as_json:
        emit(status=now)
    else:
        for name, text in _lines(now, settings):
            say(f"{paint(name.ljust(8), 'bold', sys.stdout)} {text}")
    return DEGRADED if check and (now.level != "ok" or now.depth.dead) else OK


def command(arguments: argparse.Namespace) -> int:
    """`status` with the options that the full parser knows."""
    return status(arguments.settings, as_json=arguments.json, check=arguments.check)


def _lines(now: Status, settings: Settings) -> Iterator[tuple[str, str]]:
    yield "queue", _queue(now)
    yield "worker", _worker(now, settings)
    yield "memory", _memory(now)
    if now.level != "ok":
        colour = "red" if now.level == "error" else "yellow"
        share = f"{now.depth.live:,} of {now.soft_cap:,} jobs are waiting; more are still accepted"
        yield "level", f"{paint(now.level, colour, sys.stdout)}: {share}"
    if now.depth.dead:
        yield "dead", "see why with `jotsam jobs --state dead`, then `jotsam jobs retry ID` or `jotsam jobs discard ID`"
    if now.spooled:
        yield "spool", f"{plural(now.spooled, 'turn')} set aside by hooks, not findable yet; the worker takes them in"


def _queue(now: Status) -> str:
    depth = now.depth
    parts = [(depth.pending, "pending"), (depth.in_progress, "in progress"), (now.done, "done")]
    counts = [f"{count:,} {name}" for count, name in parts]
    counts.append(paint(f"{depth.failed:,} failed", "yellow", sys.stdout) if depth.failed else "0 failed")
    counts.append(paint(f"{depth.dead:,} dead", "red", sys.stdout) if depth.dead else "0 dead")
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
    counts.append(plural(now.entities, "entity", "entities"))
    if now.memories:
        counts.append(f"{100 * now.enriched / now.memories:.1f} % enriched")
    return " · ".join(counts)
