"""A line on a terminal that shows how far the work is, how fast it goes, and how long it will still take.

Without a terminal it does nothing at all.
"""

from __future__ import annotations

import sys
import threading

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JotsamError
from jotsam.surfaces.cli.output import duration, paint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Protocol, Self

    from jotsam.memory.client import Jotsam
    from jotsam.memory.status import Status

    class Running(Protocol):
        """A worker that counts what it has done."""

        done: int


EVERY_SECONDS = 0.2
LOOK_BACK_MS = 30_000
"""The pace is that of so much time: what was done long before says little about what is done now."""

SURE_AFTER_MS = 2_000
WIDTH = 24
CLEAR = "\r\x1b[K"


class Progress:
    """Shows the queue of `jot` on standard error while the `with` block runs, from a thread of its own."""

    def __init__(self, jot: Jotsam) -> None:
        self._jot = jot
        self._worker: Running | None = None
        self._ended = threading.Event()
        self._most = 0
        self._rate = Rate()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def follow(self, worker: Running) -> None:
        """Count what this worker does as done; without one, what leaves the queue."""
        self._worker = worker

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        try:
            self._draw(self._jot.status())
            while not self._ended.wait(EVERY_SECONDS):
                self._draw(self._jot.status())
        except JotsamError:
            pass  # A line of decoration has nothing to say about a database that the work itself will complain about.
        finally:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()

    def _draw(self, now: Status) -> None:
        live = now.depth.live
        self._most = max(self._most, live)
        done = self._worker.done if self._worker else self._most - live
        failed = f" · {now.depth.failed:,} failed" if now.depth.failed else ""
        _show(done, done + live, f"{done:,} done · {live:,} to do{failed}{self._rate(done, live, at=monotonic_ms())}")


class Rate:
    """How many a second were done lately, and how long the rest takes at that: in words, as soon as it can be said."""

    def __init__(self) -> None:
        self._seen: list[tuple[int, int]] = []

    def __call__(self, done: int, left: int, *, at: int) -> str:
        """`at` is the time in milliseconds; each call notes how many are done by then."""
        self._seen = [one for one in self._seen if at - one[0] <= LOOK_BACK_MS] + [(at, done)]
        (began, before), took = self._seen[0], at - self._seen[0][0]
        if took < SURE_AFTER_MS or done <= before:
            return ""
        rate = (done - before) * 1000 / (at - began)
        told = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
        return f" · {told}/s" + (f" · about {duration(round(left * 1000 / rate))} left" if left else "")


class Bar:
    """The same line for what tells by itself how far it is; drawn at most every fifth of a second."""

    def __init__(self) -> None:
        self._shown_at = -1_000
        self._rate = Rate()

    def __call__(self, what: str, done: int, total: int) -> None:
        if sys.stderr.isatty() and monotonic_ms() >= self._shown_at + EVERY_SECONDS * 1_000:
            self._shown_at = monotonic_ms()
            pace = self._rate(done, total - done, at=self._shown_at)
            _show(done, total, f"{done:,} of {total:,}{pace} · {what}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._shown_at >= 0:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()


def _show(done: int, total: int, words: str) -> None:
    filled = min(WIDTH, WIDTH * done // max(1, total))
    bar = paint("━" * filled, "green", sys.stderr) + paint("━" * (WIDTH - filled), "dim", sys.stderr)
    sys.stderr.write(f"{CLEAR}{bar} {words}")
    sys.stderr.flush()
