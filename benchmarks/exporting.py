"""The time of `Jotsam.export` and `Jotsam.import_memories` against a bare dump and load of the same rows as JSON.

Both sides write and read a line per memory, with the same SQLite library and Python's fastest JSON library that both
have. The bare side selects the columns of the table of memories and their tags, and inserts them into the same tables
without the text index, in commits of as many lines. Only `import_memories` redacts secrets, checks each line, and
indexes the words. Speeds are of the file that each side writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import msgspec

import jotsam
from benchmarks.batches import texts
from benchmarks.plan import Plan, main
from benchmarks.report import Report, Table, number
from benchmarks.timing import middle, ratio, take_turns, timed

BATCH = 500
TABLES = ("memory", "memory_tag")
Side = Callable[[], tuple[int, int]]  # the size of the file, and what it took in nanoseconds
OURS, BARE = "Jotsam", "bare"


def measure(plan: Plan) -> Report:
    memories = plan.of(full=20_000, quick=1_000)
    file, plain = plan.folder / "export.jsonl", plan.folder / "plain.jsonl"
    names = (plan.folder / f"{number}.db" for number in count())
    with jotsam.Jotsam(str(next(names)), worker="off") as jot:
        _fill(jot, memories)
        exports: dict[str, Side] = {
            OURS: lambda: _timed(file, lambda: jot.export(file)),
            BARE: lambda: _timed(plain, lambda: _dump(jot, plain)),
        }
        rounds = plan.of(full=7, quick=1)
        written = take_turns(exports, rounds, lambda side: side())
    imports: dict[str, Side] = {
        OURS: lambda: _into(next(names), file, lambda jot: jot.import_memories(file)),
        BARE: lambda: _into(next(names), plain, lambda jot: _load(jot, plain)),
    }
    read = take_turns(imports, rounds, lambda side: side())
    rows = [_row("export", written), _row("import", read)]
    columns = ("", "MB/s", "bare, MB/s", "time against bare")
    return Report(tables=[Table(caption=f"{memories:,} memories.", columns=columns, rows=rows)])


def _row(name: str, taken: dict[str, list[tuple[int, int]]]) -> tuple[str, ...]:
    speeds = [number(middle(size / took * 1e3 for size, took in taken[side])) for side in (OURS, BARE)]
    ours, bare = ([took for _, took in taken[side]] for side in (OURS, BARE))
    return name, *speeds, number(ratio(ours, bare))


def _timed(file: Path, operation: Callable[[], object]) -> tuple[int, int]:
    (took,) = timed(operation, 1)
    return file.stat().st_size, took


def _into(database: Path, file: Path, load: Callable[[jotsam.Jotsam], object]) -> tuple[int, int]:
    with jotsam.Jotsam(str(database), worker="off") as jot:
        return _timed(file, lambda: load(jot))


def _fill(jot: jotsam.Jotsam, memories: int) -> None:
    for some in _batches(zip(range(memories), texts(), strict=False)):
        jot.remember_many({"text": text, "tags": [f"t{n % 9}"], "said_at": n, "session": "s"} for n, text in some)
    with jot.database.transaction(tenant="default") as tx:
        tx.execute("update memory set enriched_at = 1, extractor = 'rules/3'")


def _dump(jot: jotsam.Jotsam, file: Path) -> None:
    with jot.database.snapshot(tenant="default") as tx, file.open("wb") as out:
        for table in TABLES:
            for row in tx.execute(f"select * from {table}"):
                out.write(msgspec.json.encode([table, row]) + b"\n")


def _load(jot: jotsam.Jotsam, file: Path) -> None:
    with file.open("rb") as lines:
        for some in _batches(map(msgspec.json.decode, lines)):
            with jot.database.transaction(tenant="default") as tx:
                for table, row in some:
                    tx.execute(_insert(table, row), row)


def _insert(table: str, row: dict[str, Any]) -> str:
    return f"insert into {table} ({', '.join(row)}) values ({', '.join(f':{name}' for name in row)})"


def _batches(found: Iterator[Any]) -> Iterator[list[Any]]:
    while some := list(islice(found, BATCH)):
        yield some


if __name__ == "__main__":
    main(measure, __doc__)
