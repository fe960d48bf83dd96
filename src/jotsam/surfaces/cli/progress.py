"""Progress bars on a terminal: work done, rate and remaining time. Without a terminal, they print nothing."""

from __future__ import annotations

import sys
import threading

from jotsam.core.clock import duration, monotonic_ms
from jotsam.core.errors import JotsamError
from jotsam.surfaces.cli.output import (
    DEFAULT_WIDTH,
    paint,
    plural,
    print_interrupted,
    printable,
    redraws,
    terminal_width,
    warn,
)
from jotsam.surfaces.cli.table import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Protocol, Self

    from jotsam.memory.api.client import Jotsam
    from jotsam.memory.status.status import Status

    class Worker(Protocol):
        """A worker that counts the jobs it has done."""

        done: int

    from collections.abc import Callable, Iterable

    from jotsam.core.settings import Settings
    from jotsam.ingest.capture import Outcome

INTERVAL_SECONDS = 0.2
RATE_WINDOW_MS = 30_000  # The rate is an average over this time.
RATE_AFTER_MS = 2_000  # Earlier, an estimate would be too uncertain to show.
WIDTH = 24
CLEAR = "\r\x1b[K"


class QueueProgress:
    """Shows the progress of the queue on standard error during a `with` block, from its own thread.

    Only at a terminal, and not if `show` is false.
    """

    def __init__(self, jot: Jotsam, *, show: bool = True) -> None:
        self._jot = jot
        self._is_shown = show and redraws()
        self._worker: Worker | None = None
        self._ended = threading.Event()
        self._most = 0
        self._rate = Rate()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def follow(self, worker: Worker) -> None:
        """Count the jobs done by this worker, instead of the jobs that have left the queue."""
        self._worker = worker

    def __enter__(self) -> Self:
        if self._is_shown:
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        try:
            self._draw(self._jot.status())
            while not self._ended.wait(INTERVAL_SECONDS):
                self._draw(self._jot.status())
        except JotsamError:
            pass  # The command itself uses the same database and reports the error.
        finally:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()

    def _draw(self, now: Status) -> None:
        live = now.depth.live
        self._most = max(self._most, live)
        done = self._worker.done if self._worker else self._most - live
        failed = f" · {now.depth.failed:,} failed" if now.depth.failed else ""
        _draw_bar(
            done, done + live, f"{done:,} done · {live:,} remaining{failed}{self._rate(done, live, at=monotonic_ms())}"
        )


class Rate:
    """Rate and remaining time as text, averaged over the latest `RATE_WINDOW_MS`; empty until they can be estimated."""

    def __init__(self) -> None:
        self._samples: list[tuple[int, int]] = []

    def __call__(self, done: int, left: int, *, at: int) -> str:
        """Record that `done` units are done at the time `at` (milliseconds), and describe the rate."""
        self._samples = [one for one in self._samples if at - one[0] <= RATE_WINDOW_MS] + [(at, done)]
        began, before = self._samples[0]
        if at - began < RATE_AFTER_MS or done <= before:
            return ""
        rate = (done - before) * 1000 / (at - began)
        per_second = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
        return f" · {per_second}/s" + (f" · about {duration(round(left * 1000 / rate))} left" if left else "")


class ProgressBar:
    """Progress bar that is called with the amount done and the total; redrawn at most five times a second."""

    def __init__(self) -> None:
        self._shown_at = -1_000
        self._rate = Rate()

    def __call__(self, what: str, done: int, total: int) -> None:
        if redraws() and monotonic_ms() >= self._shown_at + INTERVAL_SECONDS * 1_000:
            self._shown_at = monotonic_ms()
            rate = self._rate(done, total - done, at=self._shown_at)
            _draw_bar(done, total, f"{done:,} of {total:,}{rate} · {what}")

    def clear(self) -> None:
        """Remove the bar, to print a line in its place; the next call draws it again."""
        if self._shown_at >= 0:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
            self._shown_at = -1_000

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.clear()


class ProgressLine:
    """One line on standard error that each call replaces: for work of which the total is not known."""

    def __init__(self) -> None:
        self._is_shown = False

    def __call__(self, text: str) -> None:
        if redraws():
            self._is_shown = True
            width = (terminal_width(sys.stderr) or DEFAULT_WIDTH) - 1
            sys.stderr.write(CLEAR + printable(cut(printable(text), width)))
            sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._is_shown:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()


def _draw_bar(done: int, total: int, text: str) -> None:
    """Draw the bar on one line of the terminal; CLEAR cannot remove a line that was wrapped."""
    width = (terminal_width(sys.stderr) or DEFAULT_WIDTH) - 1
    size = min(WIDTH, width // 3)
    filled = min(size, size * done // max(1, total))
    bar = paint("━" * filled, "green", sys.stderr) + paint("─" * (size - filled), "dim", sys.stderr)
    sys.stderr.write(CLEAR + printable(f"{bar} {cut(printable(text), width - size - 1)}"))
    sys.stderr.flush()


class Interruptible:
    """Within the block, Ctrl-C prints what was kept and how to continue. Put it outside of a progress bar."""

    def __init__(self, kept: str, advice: str) -> None:
        self.kept, self.advice = kept, advice

    def __enter__(self) -> Interruptible:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if kind is KeyboardInterrupt:
            print_interrupted(self.kept, self.advice)


def print_progress(
    found: Iterable[Outcome], *, total: int, verbose: bool, print_outcome: Callable[..., str | None]
) -> list[Outcome]:
    """Show a bar while files are accepted. Errors and warnings are printed, and if `verbose` a line per file."""
    outcomes: list[Outcome] = []
    crowded = None
    try:
        with ProgressBar() as bar:
            for outcome in found:
                outcomes.append(outcome)
                if verbose or outcome.error or (outcome.receipt and outcome.receipt.warnings):
                    bar.clear()
                crowded = print_outcome(outcome, as_json=False, quiet=not verbose) or crowded
                bar(outcome.name, len(outcomes), total)
    except KeyboardInterrupt:
        stored = sum(outcome.receipt is not None for outcome in outcomes)
        kept = f"{stored:,} of {plural(total, 'file')} {'is' if stored == 1 else 'are'} stored"
        print_interrupted(kept, "the same command adds the rest; files that are stored already are not added twice")
        raise
    if crowded:
        warn(f"{crowded}: new documents are accepted, but processed later")
    return outcomes


def background(settings: Settings) -> str:
    """What happens to what was stored, and how to follow it."""
    if settings.worker == "off":
        return "`jotsam jobs work` processes them"
    return "they are processed in the background, `jotsam jobs wait` shows the progress"
