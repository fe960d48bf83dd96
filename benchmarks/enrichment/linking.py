"""What linking costs as memories grow: `enrich` of the next memories at 1,000 and at 100,000, stage by stage.

    python -m benchmarks.enrichment.linking [--sizes 1000 10000 100000] [--svg FILE]

Memories are put in by the product's own rooms of storage, a hundred per transaction, and then the time is taken of
linking and of noting patterns for fifty more, each in a transaction of its own that is not synced.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from jotsam import Jotsam
from jotsam.records import Memory
from jotsam.settings import Settings
from jotsam.storage import memories
from jotsam.worker.enrich import by_rules
from jotsam.worker.keep import keep
from jotsam.worker.link import link, show_patterns

WORDS = ("billing", "search", "index", "cache", "worker", "queue", "server", "table", "login", "report", "backup")
SAMPLE = 50


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    points: list[tuple[int, float]] = []
    with tempfile.TemporaryDirectory() as folder, Jotsam(settings=_settings(folder)) as jot:
        done = 0
        for size in options.sizes:
            _fill(jot, done, size)
            took = sorted(_one(jot, size + number) for number in range(SAMPLE))
            done = size + SAMPLE
            points.append((size, took[SAMPLE // 2]))
            print(f"{size:>9,} memories: p50 {took[SAMPLE // 2]:.2f} ms, p95 {took[SAMPLE * 95 // 100]:.2f} ms")
    if options.svg:
        options.svg.write_text(_chart(points))


def _settings(folder: str) -> Settings:
    return Settings(db=str(Path(folder) / "linking.db"), worker="off")


def _text(number: int) -> str:
    dice = random.Random(number)
    one, two, three = (dice.choice(WORDS) for _ in range(3))
    return f"We decided to move the {one} of {two} {number % 997} to a new {three}."


def _put(tx: Any, number: int) -> int:
    memory = Memory(text=_text(number), id=f"00000000-0000-4000-8000-{number:012d}", tenant="default")
    return memories.save(tx, memory, metadata=None, key=None, job_id=0)


def _enrich(tx: Any, number: int) -> None:
    row = memories.get(tx, tenant="default", uuid=f"00000000-0000-4000-8000-{number:012d}")
    assert row is not None
    found = by_rules(row)
    keep(tx, row, found)
    link(tx, row)
    show_patterns(tx, row, found)


def _fill(jot: Jotsam, start: int, stop: int) -> None:
    for first in range(start, stop, 100):
        with jot.database.transaction(durable=False) as tx:
            tx.enter("default")
            for number in range(first, min(first + 100, stop)):
                _put(tx, number)
                _enrich(tx, number)


def _one(jot: Jotsam, number: int) -> float:
    """Milliseconds of linking and patterns for one more memory, without reading it."""
    with jot.database.transaction(durable=False) as tx:
        tx.enter("default")
        _put(tx, number)
        row = memories.get(tx, tenant="default", uuid=f"00000000-0000-4000-8000-{number:012d}")
        assert row is not None
        found = by_rules(row)
        keep(tx, row, found)
        begin = time.perf_counter()
        link(tx, row)
        show_patterns(tx, row, found)
        return 1_000 * (time.perf_counter() - begin)


def _chart(points: list[tuple[int, float]]) -> str:
    """Bars, one per size."""
    highest = max(value for _, value in points)
    bars = []
    for number, (size, value) in enumerate(points):
        x, height = 80 + 140 * number, 200 * value / highest
        bars.append(f'<rect x="{x}" y="{240 - height:.0f}" width="80" height="{height:.0f}" fill="#2563eb"/>')
        bars.append(f'<text x="{x + 40}" y="260" text-anchor="middle">{size:,}</text>')
        bars.append(f'<text x="{x + 40}" y="{232 - height:.0f}" text-anchor="middle">{value:.2f} ms</text>')
    width = 100 + 140 * len(points)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 290" font-family="sans-serif" font-size="13">'
    title = '<text x="20" y="20">Linking one memory and noting its patterns, p50, by memories there are</text>'
    return "\n".join([head, f'<rect width="{width}" height="290" fill="white"/>', title, *bars, "</svg>\n"])


if __name__ == "__main__":
    main()
