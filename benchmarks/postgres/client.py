"""A process that sends jobs to a queue on a server, or waits for somebody to."""

from __future__ import annotations

from time import perf_counter_ns

import jotsam
from benchmarks.child import serve
from benchmarks.queue.contestant import BODY

END_MS = 60_000

queues: list[jotsam.Queue] = []


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
                tx.rung = False  # type: ignore[attr-defined]
    return perf_counter_ns() - began


def listen() -> None:
    """Hear every ring, until a job of the kind `end` is there."""
    queue = queues[0]
    while not queue.jobs(kind="end"):
        queue.database.wait(END_MS)


def end() -> None:
    queues[0].send(None, kind="end")


if __name__ == "__main__":
    serve({f.__name__: f for f in (start, send, listen, end)})
