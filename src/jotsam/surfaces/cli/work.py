"""`jotsam work` and `jotsam wait`: the worker in this process, and waiting for the one in another.

A worker that runs in the background is this same command with its output in the log file of the database.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading

from jotsam.core.clock import format_time
from jotsam.core.errors import JotsamError
from jotsam.memory.client import Jotsam
from jotsam.surfaces.cli import queued_commands
from jotsam.surfaces.cli.output import FAILED, OK, PENDING, complain, emit, plural, say
from jotsam.surfaces.cli.progress import Progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from types import FrameType
    from typing import Protocol

    class Worker(Protocol):
        """What a signal can stop."""

        done: int

        def stop(self) -> None: ...


log = logging.getLogger("jotsam")


def work(arguments: argparse.Namespace) -> int:
    """Run the worker until nothing is left to do, or for ever, or until a signal asks it to stop."""
    in_background = arguments.reserved is not None
    if in_background:
        os.chdir(os.sep)  # A process that stays must not keep the folder it was started in busy.
    _log_to_stderr(logging.WARNING if sys.stderr.isatty() else logging.INFO)
    try:
        with Jotsam(settings=arguments.settings) as jot:
            return _work(jot, arguments)
    except JotsamError as error:
        if not in_background:
            raise
        log.error("the worker ended: %s", error)
        return FAILED


def wait(arguments: argparse.Namespace) -> int:
    """Wait for what is named, or for everything."""
    return wait_for(arguments, arguments.ids)


def wait_for(arguments: argparse.Namespace, ids: Sequence[str], *, tell: bool = True) -> int:
    """Wait until the ids are through. Returns 8 if they still are not, 1 if one of their jobs is dead."""
    with Jotsam(settings=arguments.settings) as jot:
        with Progress(jot):
            done = jot.wait(ids, timeout_ms=round(arguments.timeout * 1000))
        live = jot.status().depth.live
        dead = [job for id in ids for job in jot.show(id).jobs if job.state == "dead"]
    if tell and arguments.json:
        emit(done=done, live=live, dead=[job.id for job in dead])
    elif tell:
        say("done" if done else f"{plural(live, 'job')} still to do")
    for job in dead:
        failed = JotsamError(f"job {job.id} ({job.kind}) is dead: {job.error}")
        failed.add_note(f"try it again with `jotsam jobs retry {job.id}`")
        complain(failed)
    return FAILED if dead else OK if done else PENDING


def _work(jot: Jotsam, arguments: argparse.Namespace) -> int:
    with Progress(jot) as progress:
        done = jot.work(
            forever=arguments.forever,
            reserved=arguments.reserved,
            started=_starter(jot, progress),
            commands=queued_commands.commands(jot.settings),
        )
    if arguments.reserved is not None:
        log.info("%s", "another worker is there" if done is None else f"ended after {plural(done, 'job')}")
    elif arguments.json:
        emit(done=done, another_worker=done is None)
    elif done is None:
        say(f"another worker is at work, pid {jot.status().worker_pid}; it does what waits")
    else:
        say(f"done {plural(done, 'job')}")
    return OK


def _starter(jot: Jotsam, progress: Progress) -> Callable[[Worker], None]:
    def started(worker: Worker) -> None:
        log.info("working on %s, pid %d", jot.database.url, os.getpid())
        progress.follow(worker)
        _stop_on_signals(worker)

    return started


def _stop_on_signals(worker: Worker) -> None:
    """The first signal lets what runs finish within its grace time; a second one ends the process at once."""

    def stop(number: int, _: FrameType | None) -> None:
        log.info("stopping on %s", signal.Signals(number).name)
        signal.signal(number, signal.SIG_DFL)
        worker.stop()

    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP.
            signal.signal(getattr(signal, name), stop)


class _Lines(logging.Formatter):
    """One line per event: when in UTC, how bad, what."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return format_time(int(record.created * 1000))


def _log_to_stderr(level: int) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines("%(asctime)s %(levelname)s %(message)s"))
    log.addHandler(handler)
    log.setLevel(level)
    threading.excepthook = _log_the_end_of_a_thread


def _log_the_end_of_a_thread(end: threading.ExceptHookArgs) -> None:
    log.error("a thread died of %r", end.exc_value, exc_info=end.exc_value)
