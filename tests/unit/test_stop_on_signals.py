"""A signal stops a worker, whatever the interrupted thread is doing."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from jotsam.surfaces.cli.operate.work import _stop_on_signals
from processes import PATIENCE


@pytest.fixture
def handlers() -> Iterator[None]:
    """Puts back what this process does on signals."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class Worker:
    """Its `stop` takes a lock, as that of a loop on a server does."""

    def __init__(self) -> None:
        self.lock, self.stopped = threading.Lock(), threading.Event()

    def stop(self) -> None:
        with self.lock:
            self.stopped.set()


@pytest.mark.usefixtures("handlers")
def test_the_handler_does_not_wait_for_a_lock_of_the_thread_that_it_interrupts() -> None:
    worker = Worker()
    _stop_on_signals(worker)  # type: ignore[arg-type]
    with worker.lock:
        os.kill(os.getpid(), signal.SIGTERM)
        assert not worker.stopped.is_set()
    assert worker.stopped.wait(PATIENCE)
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL, "a second signal ends the process"
