"""Real processes for tests: started in milliseconds, killed without mercy, and waited for with patience."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from jotsam import Jotsam

PATIENCE = 240  # seconds after which a test says that something never came; a busy machine needs many
WAIT_MS = 60_000
"""How long a test waits for a lock: that whoever holds it stands still for a while is no reason to fail."""

LOOK_EVERY = 0.005

# Each process is a fork of a server that has imported the program and nothing else has happened in, so that starting
# one costs milliseconds, and it shares neither threads nor connections with the test. What the server has not imported,
# each process imports again, in up to half a second; the folder of the tests is not on its path.
PRELOADED = ["pytest", "jotsam.admin.copy_database", "jotsam.admin.move_tenant", "jotsam.memory.access.audit"]
PRELOADED += ["jotsam.memory.api.client", "jotsam.memory.transfer.import_export"]
PRELOADED += ["jotsam.memory.writing.update", "jotsam.memory.jobs.worker_session", "jotsam.models.spacy_ner"]
PRELOADED += ["jotsam.pipeline.dates.chinese_dates", "jotsam.queueing.processor", "jotsam.storage.postgres.postgres"]
PRELOADED += [
    "jotsam.storage.sqlite.sqlite",
    "jotsam.worker.command",
    "jotsam.worker.handlers",
    "jotsam.worker.lifecycle.run",
]
HAS_FORKSERVER = "forkserver" in multiprocessing.get_all_start_methods()  # Windows has none.
CONTEXT = multiprocessing.get_context("forkserver" if HAS_FORKSERVER else "spawn")
if HAS_FORKSERVER:
    CONTEXT.set_forkserver_preload(PRELOADED)


class Running:
    """A process that runs a function, and a pipe to talk to it."""

    def __init__(self, role: Callable[..., None], *args: Any) -> None:
        self.pipe, there = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=role, args=(there, *args), daemon=True)
        self.process.start()
        there.close()

    def says(self) -> Any:
        """The next thing it says. Fails if it says nothing, or has ended."""
        if not self.pipe.poll(PATIENCE):
            pytest.fail("the other process says nothing")
        try:
            return self.pipe.recv()
        except EOFError:
            self.process.join(PATIENCE)
            pytest.fail(f"the other process ended without a word, with exit code {self.process.exitcode}")

    def tell(self, word: object) -> None:
        self.pipe.send(word)

    @property
    def alive(self) -> bool:
        return self.process.is_alive()

    def ends(self) -> int:
        """Its exit code; -9 when it was killed. Fails if it does not end."""
        self.process.join(PATIENCE)
        code = self.process.exitcode
        if code is None:
            self.kill()
            pytest.fail("the other process does not end")
        return code

    def kill(self) -> None:
        """As the kernel does it when there is no memory left: no signal handler, no cleaning up."""
        if self.process.is_alive():
            with contextlib.suppress(ProcessLookupError):  # It may end meanwhile.
                os.kill(self.process.pid or 0, signal.SIGKILL)
        self.process.join()


def start(role: Callable[..., None], *args: Any) -> Running:
    return Running(role, *args)


def killed_at(number: int, call: Callable[[], object], *, folder: str) -> bool:
    """Make a call in a fork, which is killed at its call to the operating system of this number that concerns a folder.

    Returns whether it was killed; False if it ended before.
    """
    child = os.fork()
    if child:
        status = os.waitpid(child, 0)[1]
        assert status in (0, signal.SIGKILL), "the call failed"
        return status == signal.SIGKILL
    calls = 0

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal calls
        if event in ("os.rename", "os.remove", "os.link") or (event == "open" and folder in str(arguments[0])):
            calls += 1
            if calls == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(count)
    try:
        call()
        os._exit(0)
    finally:
        traceback.print_exc()
        os._exit(1)


def until(condition: Callable[[], object]) -> None:
    """Look until it is so, however busy the machine is; what never comes to be ends with the time of the test."""
    never = threading.Event()
    while not condition():
        never.wait(LOOK_EVERY)


__all__ = ["PATIENCE", "WAIT_MS", "Connection", "Running", "killed_at", "start", "until"]


@contextlib.contextmanager
def working(jot: Jotsam) -> Iterator[None]:
    """A thread does the jobs, also those that are sent late."""
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(0.1):
            jot.work()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield
    finally:
        ended.set()
        worker.join()
