"""How everything here is measured.

A shared machine is noisy, and the cost of a sync to disk jumps by a factor of a hundred when a neighbour syncs too.
So the sides of a comparison take turns within one run, in rounds, each round in an order of its own; a figure is the
median of its rounds, and a ratio is the median of the ratios within each round.
"""

from __future__ import annotations

import gc
import os
import random
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter_ns
from typing import TypeVar

Side = TypeVar("Side")
Result = TypeVar("Result")

SYNCS = 40


def timed(operation: Callable[[], object], times: int) -> list[int]:
    """How long each of so many calls took, in nanoseconds."""
    took = []
    with no_collection():
        for _ in range(times):
            began = perf_counter_ns()
            operation()
            took.append(perf_counter_ns() - began)
    return took


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep the garbage collector from striking one side and not the other."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def take_turns(sides: Mapping[str, Side], rounds: int, turn: Callable[[Side], Result]) -> dict[str, list[Result]]:
    """The results of each side by its name, one per round. A round that only warms up goes before and is forgotten."""
    results: dict[str, list[Result]] = {name: [] for name in sides}
    order, dice = list(sides), random.Random(1)
    for number in range(rounds + 1):
        dice.shuffle(order)
        for name in order:
            result = turn(sides[name])
            if number:
                results[name].append(result)
    return results


def middle(values: Iterable[float]) -> float:
    return statistics.median(values)


def percentile(values: Iterable[float], share: float) -> float:
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the ratios within each round."""
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))


def sync_ns(folder: Path) -> float:
    """What one sync of a page costs at this moment, at the median."""
    path = folder / "sync"
    file = os.open(path, os.O_CREAT | os.O_WRONLY)
    try:
        return middle(timed(lambda: (os.pwrite(file, bytes(4096), 0), os.fsync(file)), SYNCS))
    finally:
        os.close(file)
        path.unlink()
