"""A process that sends jobs to a queue on a server, or waits for somebody to."""

from __future__ import annotations

import threading
from time import perf_counter_ns

import jotsam
from benchmarks.child import serve
from benchmarks.queue.contestant import BODY

WAIT_MS = 1_000

queues: list[jotsam.Queue] = []
listeners: list[threading.Thread] = []
ended = threading.Event()


def start(url: str, durable: bool) -> None:
    while queues:
        queues.pop().close()
    queues.append(jotsam.Queue(url, durable=durable))


def send(jobs: int, rings: bool) -> int:
    """How long it took to send so many jobs, each in a commit of its own, in nanoseconds."""
    queue = queues[0]
    began = perf_counter_ns()
    for _ in range(jobs):
        with queue.transaction() as tx:
            queue.send(BODY, tx=tx)
            if not rings:
                tx.notified = False  # type: ignore[attr-defined]
    return perf_counter_ns() - began


def listen() -> None:
    """From now on hear every ring, and do nothing about it."""
    ended.clear()
    listeners.append(threading.Thread(target=_listen))
    listeners[0].start()


def _listen() -> None:
    while not ended.is_set():
        queues[0].database.wait(WAIT_MS)


def end() -> None:
    ended.set()
    listeners.pop().join()


if __name__ == "__main__":
    serve({f.__name__: f for f in (start, send, listen, end)})
