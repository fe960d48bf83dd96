"""The process of one queue that is compared with others: it opens files, and says how long each verb took on them."""

from __future__ import annotations

import logging
import sqlite3
from importlib.metadata import version
from time import perf_counter_ns
from typing import Any

from benchmarks.child import serve
from benchmarks.timing import no_collection, timed

BODY = "x" * 198
LONGEST_TURN_NS = 500_000_000

queues: dict[str, Any] = {}


def start(name: str, file: str, durable: bool, **options: Any) -> str:
    """Open a file under a queue of this name. Returns which versions do the work."""
    if name == "jotsam":
        from benchmarks.queue.ours import Ours

        queues[file] = Ours(file, durable=durable, **options)
        return "jotsam"
    if name == "bare":
        from benchmarks.queue.bare import Bare

        queues[file] = Bare(file, durable=durable, **options)
        return "apsw " + version("apsw")
    from benchmarks.queue.peers import PEERS

    logging.disable(logging.CRITICAL)
    queues[file] = PEERS[name](file, durable=durable)
    library = "its own SQLite" if name == "localqueue" else f"SQLite {sqlite3.sqlite_version}"
    return f"{name} {version(name)} on {library}"


def fill(file: str, count: int, available: bool) -> None:
    """Lay jobs ahead. The log is empty afterwards, for a log that was long once is cheaper to write than a new one."""
    if count:
        queues[file].fill(count, available=available)
    queues[file].settle()


def put(file: str, count: int) -> None:
    for _ in range(count):
        queues[file].put(BODY)


def claims(file: str, count: int) -> list[int]:
    """How long each claim took; fewer of them where claims are slow. What is claimed is put before and done after."""
    queue = queues[file]
    put(file, count)
    took: list[int] = []
    with no_collection():
        while len(took) < count and sum(took) < LONGEST_TURN_NS:
            began = perf_counter_ns()
            job = queue.claim()
            took.append(perf_counter_ns() - began)
            queue.acknowledge(job)
    return took


def cycles(file: str, count: int) -> dict[str, list[int]]:
    """Put, claim, acknowledge: how long each took."""
    queue = queues[file]
    took: dict[str, list[int]] = {"put": [], "claim": [], "acknowledge": []}
    with no_collection():
        for _ in range(count):
            began = perf_counter_ns()
            queue.put(BODY)
            is_put = perf_counter_ns()
            job = queue.claim()
            is_claimed = perf_counter_ns()
            queue.acknowledge(job)
            took["acknowledge"].append(perf_counter_ns() - is_claimed)
            took["claim"].append(is_claimed - is_put)
            took["put"].append(is_put - began)
    return took


def batches(file: str, size: int, count: int) -> list[float]:
    """What a message costs from put to acknowledgement, when `size` of them go together."""
    queue = queues[file]

    def batch() -> None:
        queue.put_many([BODY] * size)
        queue.take_many(size)

    return [took / size for took in timed(batch, count)]


def close() -> None:
    for queue in queues.values():
        queue.close()
    queues.clear()


if __name__ == "__main__":
    serve({f.__name__: f for f in (start, fill, put, claims, cycles, batches, close)})
