"""`jotsam demo`: a temporary memory with a month of sessions of an invented team, questions, a brief, the dashboard.

Everything is below one temporary folder, which is removed at the end. No setting of the user is used.
"""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from jotsam.core.clock import DAY, format_time, parse_time, run_time, system_clock
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.core.settings import Settings
from jotsam.memory.api.client import Jotsam
from jotsam.memory.jobs.worker_session import run_worker
from jotsam.surfaces.cli.output import OK, echo, hint, paint, plural, stdout
from jotsam.surfaces.cli.progress import QueueProgress

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from types import FrameType
    from typing import Protocol

    class Worker(Protocol):
        """A worker that can be stopped."""

        def stop(self) -> None: ...


FILE = Path(__file__).with_name("demo.json")
ACTORS = ("user", "assistant")
MINUTE = 60_000
TERMINATED = 128 + signal.SIGTERM


class Session(Record):
    """A session of one project, some days ago. The user and the agent speak in turn."""

    session: str
    project: str
    day: int
    at: str
    turns: Sequence[str]


class Ask(Record):
    """A question, and what is to be noticed in its answer."""

    question: str
    why: str = ""


def demo(arguments: argparse.Namespace) -> int:
    """Show it. At a terminal the dashboard is served until Ctrl-C."""
    month = json.loads(FILE.read_text(encoding="utf-8"))
    with _temporary() as settings:
        _fill(settings, [Session(**one) for one in month["sessions"]])
        for one in (Ask(**one) for one in month["asks"]):
            if one.why:
                echo(paint(one.why, "dim"))
            _run(settings, "recall", one.question, "--as", "list", "--limit", "2")
        echo(paint("What the next session of an agent in this project begins with, and why:", "dim"))
        _run(settings, "brief", "--project", month["project"])
        if stdout().isatty() and not arguments.no_serve:
            _serve(settings, is_opened=not arguments.no_open)
    echo("The demo is over, and its memory is removed. `jotsam install` gives your agent one that stays.")
    return OK


@contextmanager
def _temporary() -> Iterator[Settings]:
    """Settings with their defaults and a database in a folder that is removed at the end, also after SIGTERM."""
    signal.signal(signal.SIGTERM, _terminate)
    with TemporaryDirectory(prefix="jotsam-demo-", ignore_cleanup_errors=True) as folder:
        # A worker looks into the spool of hooks, which is there; that of the user is not for it.
        os.environ["XDG_DATA_HOME"] = folder
        yield Settings(db=os.path.join(folder, "demo.db"), worker="off", worker_idle_ms=0)


def _terminate(number: int, frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


def _fill(settings: Settings, sessions: Sequence[Session]) -> None:
    """Accept the turns of all sessions as hooks do, and work until nothing is left."""
    began = system_clock()
    with Jotsam(settings=settings) as jot:
        for one in sessions:
            date = format_time(began - one.day * DAY)[:10]
            said_at = parse_time(f"{date}T{one.at}:00Z", name="at")
            for position, text in enumerate(one.turns):
                jot.add_turn(
                    text,
                    session=one.session,
                    actor=ACTORS[position % 2],
                    position=position,
                    said_at=said_at + position * MINUTE,
                    project=one.project,
                    source="claude-code",
                )
        with QueueProgress(jot):
            jot.work()
        now = jot.status()
    turns = sum(len(one.turns) for one in sessions)
    projects = len({one.project for one in sessions})
    echo(
        f"A month of an invented team: {plural(len(sessions), 'session')} of {plural(projects, 'project')}, "
        f"{turns} turns; {plural(now.memories, 'memory', 'memories')} "
        f"stored, read and linked in {run_time(system_clock() - began)}\n"
    )


def _run(settings: Settings, *words: str) -> None:
    """Show a command and its output."""
    from jotsam.surfaces.cli.dispatch import call
    from jotsam.surfaces.cli.parser import parse

    shown = " ".join(f'"{word}"' if " " in word else word for word in words if word not in ("--as", "list"))
    echo(paint(f"$ jotsam {shown}", "bold"))
    parsed = parse(words)
    parsed.settings, parsed.origins = settings, {}
    call(parsed)
    echo()


def _serve(settings: Settings, *, is_opened: bool) -> None:
    """Serve the dashboard until a signal. The worker is a thread: a process would read the settings of the user."""
    loops: list[Worker] = []
    with Jotsam(settings=settings) as jot:
        worker = threading.Thread(target=run_worker, args=(jot,), kwargs={"forever": True, "started": loops.append})
        worker.start()
        try:
            options = ("--open",) if is_opened else ()
            _run(settings, "server", "start", "--port", "0", "--no-worker", *options)
        except InvalidInput as error:
            hint(str(error))  # The extra is not installed.
        finally:
            for loop in loops:
                loop.stop()
            worker.join()
