"""What HTTP adds: accepting and searching over one connection, against the same calls in a process of their own.

The bare sides are an empty handler of the same server (`/healthz`), and an INSERT and COMMIT of the same text in the
same process as the client. No worker runs. The memory that is searched is made of the documents of this repository.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import apsw

from benchmarks.corpus import accepted, headings
from benchmarks.http.server import served
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns, timed
from jotsam import Jotsam

TEXT = "We chose PostgreSQL over MongoDB for orders, because an order and its lines change together. " * 10
TIMES = 20
EMPTY, OVER_HTTP, IN_PROCESS, BARE = "empty handler", "over HTTP", "in process", "insert and commit"
LIMIT, LEAST_LIMIT = 3, 4


def measure(plan: Plan) -> Report:
    db = str(plan.folder / "jotsam.db")
    accepted(plan.documents, Path(db))
    questions = headings(plan.documents)
    rounds = plan.of(full=41, quick=2)
    with served(db) as server, Jotsam(db, worker="off") as jot:
        client = server.client()
        bare = _bare(plan.folder / "bare.db")
        number_of, asked_there, asked_here = count(), count(), count()  # Both sides ask the same.

        def text() -> str:
            return f"{next(number_of)} {TEXT}"

        def post() -> None:
            status, body = client.request("POST", "/v1/memories", {"text": text()})
            assert status == 202, body

        def ask() -> None:
            status, body = client.request(
                "POST", "/v1/recall", {"question": questions[next(asked_there) % len(questions)]}
            )
            assert status == 200, body

        accepting = {
            EMPTY: lambda: client.request("GET", "/healthz"),
            OVER_HTTP: post,
            IN_PROCESS: lambda: jot.remember(text()),
            BARE: lambda: bare(text()),
        }
        asking = {
            EMPTY: lambda: client.request("GET", "/healthz"),
            OVER_HTTP: ask,
            IN_PROCESS: lambda: jot.recall(questions[next(asked_here) % len(questions)]),
        }
        accept, recall = _rounds(accepting, rounds), _rounds(asking, rounds)
        client.close()
    tables = [_table("Accepting a memory of 1 KB.", accept), _table("Searching for a heading.", recall)]
    least = zip(accept[EMPTY], accept[BARE], strict=True)
    bounds = [
        Bound(
            promise="accept over HTTP, against an empty handler and a bare insert",
            measured=ratio(accept[OVER_HTTP], [handler + insert for handler, insert in least]),
            limit=LEAST_LIMIT,
        ),
        Bound(
            promise="accept over HTTP, against in process and an empty handler",
            measured=middle(accept[OVER_HTTP]) / (middle(accept[IN_PROCESS]) + middle(accept[EMPTY])),
            limit=LIMIT,
        ),
        Bound(
            promise="recall over HTTP, against in process",
            measured=ratio(recall[OVER_HTTP], recall[IN_PROCESS]),
            limit=LIMIT,
        ),
    ]
    conditions = (f"{TIMES} requests in a turn on one connection, p50", f"{rounds} rounds", "every commit synced")
    return Report(tables=tables, bounds=bounds, conditions=conditions)


def _rounds(sides: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    return take_turns(sides, rounds, lambda side: middle(timed(side, TIMES)))


def _table(caption: str, rounds: dict[str, list[float]]) -> Table:
    rows = [(name, duration(middle(times)), number(ratio(times, rounds[EMPTY]))) for name, times in rounds.items()]
    return Table(caption=caption, columns=("side", "p50", "against the empty handler"), rows=rows)


def _bare(path: Path) -> Callable[[str], None]:
    connection = apsw.Connection(str(path))
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")
    connection.execute("create table text (id integer primary key, body text not null) strict")

    def insert(text: str) -> None:
        with connection:
            connection.execute("insert into text (body) values (?)", (text,))

    return insert


if __name__ == "__main__":
    main(measure, __doc__)
