"""`jotsam jobs work` and `jotsam jobs wait`: run the worker in this process, or wait until the queue is processed.

A background worker is the same command, with its output in the log file of the database.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading

from jotsam.admin.logs import log_to_stderr
from jotsam.core.clock import monotonic_ms, run_time
from jotsam.core.errors import JotsamError
from jotsam.ingest import spawn
from jotsam.memory.api.client import Jotsam
from jotsam.memory.jobs.worker_session import run_worker, wait_for_database
from jotsam.surfaces.cli import queued_commands
from jotsam.surfaces.cli.output import (
    FAILED,
    OK,
    PENDING,
    echo,
    hint,
    plural,
    print_error,
    print_interrupted,
    print_json,
    report,
    warn,
)
from jotsam.surfaces.cli.progress import QueueProgress
from jotsam.surfaces.cli.terminal import is_person

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import FrameType
    from typing import Protocol

    from jotsam.core.job_records import Job

    class Worker(Protocol):
        """A worker that a signal can stop."""

        done: int

        def stop(self) -> None: ...


log = logging.getLogger("jotsam")

MAX_DEAD = 10  # dead jobs that `wait` without ids lists
PAGE = 500


def work(arguments: argparse.Namespace) -> int:
    """Run the worker until the queue is empty, forever (`--forever`), or until a signal stops it."""
    in_background = arguments.reserved is not None
    if in_background:
        os.chdir(os.sep)  # Do not keep the current directory of the parent in use.
    is_terminal = sys.stderr.isatty() and arguments.log_format == "text" and not arguments.beside_server
    log_to_stderr(logging.WARNING if is_terminal else logging.INFO, log_format=arguments.log_format)
    try:
        with _open(arguments) as jot:
            return _work(jot, arguments)
    except JotsamError as error:
        if not in_background:
            raise
        log.error("worker stopped: %s", error)
        return FAILED


def wait(arguments: argparse.Namespace) -> int:
    """Wait for the given ids, or for everything."""
    return wait_for(arguments, arguments.ids)


def wait_for(arguments: argparse.Namespace, ids: Sequence[str], *, quiet: bool = False) -> int:
    """Wait until the ids are processed, or everything.

    Returns 8 after the timeout, 1 if one of the jobs is dead or discarded; without ids, if one of them died meanwhile.
    """
    with Jotsam(settings=arguments.settings) as jot:
        earlier = {job.id for job in _dead(jot)} if not ids else set()
        earlier_discarded = jot.status().discarded if not ids else 0
        started = monotonic_ms()
        try:
            with QueueProgress(jot):
                done = jot.wait(ids, timeout_ms=round(arguments.timeout * 1000))
        except KeyboardInterrupt:
            _print_stopped_waiting(jot)
            raise
        took = monotonic_ms() - started
        now = jot.status()
        live, spooled = now.depth.live, now.spooled
        shown = {id: jot.show(id) for id in ids}
        dead = [job for one in shown.values() for job in one.jobs if job.state == "dead"]
        discarded = [id for id, one in shown.items() if one.discarded]
        if not ids and now.depth.dead:
            dead = [job for job in _dead(jot) if job.id not in earlier]
    if arguments.json and not quiet:
        print_json(done=done, live=live, spooled=spooled, dead=[job.id for job in dead], discarded=discarded)
    elif not quiet:
        turns = f", {plural(spooled, 'turn')} of hooks not stored yet" if spooled else ""
        time = f" in {run_time(took)}" if took >= 1_000 and is_person() else ""
        finished = f"done{time}" if not discarded else "discarded"
        echo(finished if done else f"{plural(live, 'job')} not done yet{turns}")
    if not done and spawn.refused:
        print_error(f"{spawn.refused}: run `jotsam jobs work`")
    _report_dead(dead if ids else dead[:MAX_DEAD], more=0 if ids else len(dead) - MAX_DEAD)
    if earlier and not dead and not arguments.json and not quiet:
        hint(f"{plural(len(earlier), 'job')} died before: `jotsam jobs groups` groups them by error")
    if not ids and (lost := now.discarded - earlier_discarded) > 0:
        warn(f"{lost:,} not processed because their job was discarded: run `jotsam models reprocess --all`")
    for id in discarded:
        failed = JotsamError(f"{id} is not processed: its job was discarded")
        failed.add_note(f"queue it again with `jotsam models reprocess {id}`")
        report(failed)
    return FAILED if dead or discarded else OK if done else PENDING


def _report_dead(jobs: Iterable[Job], *, more: int) -> None:
    for job in jobs:
        failed = JotsamError(f"job {job.id} ({job.kind}) is dead: {job.error}")
        failed.add_note(f"retry it with `jotsam jobs retry {job.id}`")
        report(failed)
    if more > 0:
        print_error(f"{more:,} more jobs are dead: `jotsam jobs groups` groups them by error")


def _dead(jot: Jotsam) -> Iterator[Job]:
    after = 0
    while found := jot.admin.jobs(state="dead", after=after, limit=PAGE):
        yield from found
        after = found[-1].id


def _print_stopped_waiting(jot: Jotsam) -> None:
    now = jot.status()
    verb = "is" if now.depth.live == 1 else "are"
    if now.worker == "none":
        advice = "`jotsam jobs work` processes them, `jotsam jobs wait` waits again"
        print_interrupted(f"{plural(now.depth.live, 'job')} {verb} left, and no worker is running", advice)
    else:
        kept = f"{plural(now.depth.live, 'job')} {verb} left, and the worker processes them in the background"
        print_interrupted(kept, "`jotsam jobs wait` waits again, `jotsam status` shows what is left")


def _open(arguments: argparse.Namespace) -> Jotsam:
    """With `--forever`, wait for a database that is not available, as a running worker does."""
    if not arguments.forever:
        return Jotsam(settings=arguments.settings)
    return wait_for_database(lambda: Jotsam(settings=arguments.settings))


def _work(jot: Jotsam, arguments: argparse.Namespace) -> int:
    with QueueProgress(jot, show=not arguments.beside_server) as progress:
        done = run_worker(
            jot,
            forever=arguments.forever,
            reserved=arguments.reserved,
            started=_starter(jot, progress),
            commands=queued_commands.runner(jot.settings),
        )
    if arguments.json:
        print_json(done=done, another_worker=done is None)
    elif arguments.reserved is not None or arguments.beside_server or arguments.log_format == "json":
        log.info("%s", "another worker is running" if done is None else f"stopped after {plural(done, 'job')}")
    elif done is None:
        echo(f"another worker is running (pid {jot.status().worker_pid}) and processes the queue")
    else:
        echo(f"completed {plural(done, 'job')}")
    return OK


def _starter(jot: Jotsam, progress: QueueProgress) -> Callable[[Worker], None]:
    def started(worker: Worker) -> None:
        log.info("working on %s, pid %d", jot.database.url, os.getpid())
        progress.follow(worker)
        _stop_on_signals(worker)

    return started


def _stop_on_signals(worker: Worker) -> None:
    """Stop gracefully on the first signal; a second one ends the process immediately.

    A thread stops the worker: the handler runs in the main thread, which may hold a lock that stopping needs.
    """
    reader, writer = os.pipe()

    def handle(number: int, _: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        os.write(writer, bytes([number]))

    def stop() -> None:
        (number,) = os.read(reader, 1)
        log.info("stopping on %s", signal.Signals(number).name)
        worker.stop()

    threading.Thread(target=stop, daemon=True).start()
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP.
            signal.signal(getattr(signal, name), handle)
