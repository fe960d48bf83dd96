"""The process of one worker of one queue on a server."""

from __future__ import annotations

import logging
from importlib.metadata import version
from time import perf_counter_ns
from typing import Any

from benchmarks.child import serve
from benchmarks.timing import no_collection

queues: list[Any] = []


def start(name: str, url: str, **options: Any) -> list[str]:
    """Open a queue. Returns which version it is, and the table in which a job stands until it is done."""
    while queues:
        queues.pop().close()
    if name == "jotsam":
        from benchmarks.postgres.ours import Ours

        queues.append(Ours(url, **options))
        return ["", Ours.table]
    if name == "bare":
        from benchmarks.postgres.bare import Bare

        queues.append(Bare(url))
        return ["psycopg " + version("psycopg"), Bare.table]
    from benchmarks.postgres.peers import PEERS

    logging.disable(logging.CRITICAL)
    queues.append(PEERS[name](url))
    library = name.partition(",")[0]
    return [f"{library} {version(library)}", queues[0].table]


def install() -> None:
    queues[0].install()


def fill(count: int) -> None:
    queues[0].fill(count)


def prepare(batch: int) -> None:
    queues[0].prepare(batch)


def drain() -> None:
    queues[0].drain()


def claims(count: int) -> list[int]:
    """How long each of so many claims took. What is claimed is acknowledged."""
    queue, took = queues[0], []
    with no_collection():
        for _ in range(count):
            began = perf_counter_ns()
            job = queue.claim()
            took.append(perf_counter_ns() - began)
            queue.acknowledge(job)
    return took


def close() -> None:
    while queues:
        queues.pop().close()


if __name__ == "__main__":
    serve({f.__name__: f for f in (start, install, fill, prepare, drain, claims, close)})
