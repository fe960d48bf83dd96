"""The cost of storing 500 texts in one commit: `Jotsam.add_many` and `Jotsam.remember_many` against 500 bare INSERTs.

All sides commit once, with `synchronous=full` in a write-ahead log, through the same SQLite library, and no worker
runs. Each text is new and has 100 words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

import apsw

import jotsam
from benchmarks.plan import Plan, main
from benchmarks.report import Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns, timed

TEXTS, WORDS = 500, 100
BARE = "500 inserts and a commit"
Store = Callable[[list[str]], object]


def measure(plan: Plan) -> Report:
    connection = apsw.Connection(str(plan.folder / "bare.db"))
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.execute("create table text (id integer primary key, body text not null) strict")
    insert = "insert into text (body) values (?)"

    def bare(some: list[str]) -> None:
        connection.execute("begin immediate")
        for text in some:
            connection.execute(insert, (text,))
        connection.execute("commit")

    with jotsam.Jotsam(str(plan.folder / "batches.db"), worker="off") as jot:
        sides = {BARE: bare, "Jotsam.add_many": jot.add_many, "Jotsam.remember_many": jot.remember_many}
        rounds = stored(sides, rounds=plan.of(full=31, quick=1))
    connection.close()
    return Report(tables=[table(rounds, bare=BARE)], conditions=("every commit synced",))


def stored(sides: dict[str, Store], *, rounds: int) -> dict[str, list[float]]:
    """What each side took to store `TEXTS` new texts, in nanoseconds, by round."""
    new = texts()

    def turn(store: Store) -> float:
        some = list(islice(new, TEXTS))
        return float(timed(lambda: store(some), 1)[0])

    return take_turns(sides, rounds, turn)


def table(rounds: dict[str, list[float]], *, bare: str) -> Table:
    rows = [
        (side, duration(middle(took)), duration(middle(took) / TEXTS), number(ratio(took, rounds[bare])))
        for side, took in rounds.items()
    ]
    return Table(caption=f"{TEXTS} texts.", columns=("side", "p50", "a text", "against bare"), rows=rows)


def texts() -> Iterator[str]:
    """Texts that differ, of invented words."""
    dice = random.Random(1)
    words = ["".join(dice.choices("abcdefghijklmnop", k=7)) for _ in range(20_000)]
    while True:
        yield " ".join(dice.choices(words, k=WORDS))


if __name__ == "__main__":
    main(measure, __doc__)
