"""An export and import of 100,000 memories: how fast, and that memory use does not grow with them."""

from __future__ import annotations

import resource
from time import perf_counter
from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam

if TYPE_CHECKING:
    from pathlib import Path

MEMORIES, BATCH, MOST_MB = 100_000, 500, 150


@pytest.mark.long
def test_a_hundred_thousand_memories_are_exported_and_imported_in_flat_memory(tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    with Jotsam(str(tmp_path / "a.db"), worker="off") as jot:
        for start in range(0, MEMORIES, BATCH):
            numbers = range(start, start + BATCH)
            jot.remember_many(
                [{"text": f"Memory {n} of {n % 97}. " * 8, "tags": [f"t{n % 9}"], "said_at": n} for n in numbers]
            )
        with jot.database.transaction(tenant="default") as tx:
            tx.execute("update memory set enriched_at = 1, extractor = 'rules/4'")
        before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, perf_counter()
        made = jot.export(path)
        exported = perf_counter() - began
    with Jotsam(str(tmp_path / "b.db"), worker="off") as jot:
        began = perf_counter()
        assert jot.import_memories(path).added == {"project": 1, "memory": MEMORIES}
        imported = perf_counter() - began
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1e3
        again = tmp_path / "again.jsonl"
        jot.export(again)
    with path.open() as one, again.open() as other:
        assert next(one) != next(other)
        assert list(one) == list(other)
    size = made.bytes / 1e6
    print(f"{size:.0f} MB: export {size / exported:.1f} MB/s, import {size / imported:.1f} MB/s, {grown:.0f} MB more")
    assert grown < MOST_MB
