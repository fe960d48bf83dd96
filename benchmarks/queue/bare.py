"""The least that is still a durable queue: one table with a state, one index, bare SQL on the same SQLite library.

Whatever a queue promises beyond that can be added here one promise at a time, which shows what each of them costs:

- `fence`: deliveries are counted and name their owner, leases end, and who lost one changes nothing;
- `aside`: the payload lies beside the job, so that a claim does not rewrite it;
- `key`: a idempotency key outlives its job;
- `history`: one row for every delivery that ended;
- `counters`: how many jobs were accepted and done, by hour.

Where the disk is synced, a claim is not: one that a power cut takes back is only delivered again. So it is in Jotsam.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import apsw

GUARANTEES = ("fence", "aside", "key", "history", "counters")

TABLES = """
create table job (
  id integer primary key autoincrement, queue text not null, state integer not null default 0, body text,
  received integer not null default 0, owner text, wake_at integer, created_at integer not null
) strict;
create index job_ready on job (queue, id) where state = 0;
"""
TABLES_OF = {
    "fence": "create index job_wake on job (wake_at) where wake_at is not null;",
    "aside": "create table payload (id integer primary key, body text not null) strict;",
    "key": "create table key (queue text, key text, job_id integer, primary key (queue, key)) strict, without rowid;",
    "history": (
        "create table attempt (job_id integer, received integer, owner text, started_at integer, ended_at integer,"
        " outcome text, primary key (job_id, received)) strict, without rowid;"
    ),
    "counters": (
        "create table counter (queue text, hour integer, accepted integer, done integer,"
        " primary key (queue, hour)) strict, without rowid;"
    ),
}
INSERT = "insert into job (queue, body, created_at) values ('default', ?, ?) returning id"
CLAIM = """
update job set state = 1 where id = (select id from job where queue = 'default' and state = 0 order by id limit 1)
returning id, received, body
"""
CLAIM_LEASED = CLAIM.replace("state = 1", "state = 1, received = received + 1, owner = 'me', wake_at = ?1", 1)
COUNT = """
insert into counter values ('default', ?, ?, ?)
on conflict (queue, hour) do update set accepted = accepted + excluded.accepted, done = done + excluded.done
"""
HOUR_MS = 3_600_000
LEASE_MS = 60_000

Claimed = tuple[int, int]


class Bare:
    """A queue of bare statements. Without further guarantees each verb is one statement that commits by itself."""

    def __init__(self, path: str, *, durable: bool, guarantees: Iterable[str] = ()) -> None:
        self._has = frozenset(guarantees)
        self._connection = apsw.Connection(path)
        self._connection.pragma("journal_mode", "wal")
        self._run = self._connection.execute
        self._level = "full" if durable else "normal"
        self._run(f"pragma synchronous = {self._level}")
        self._run(TABLES + "".join(TABLES_OF[name] for name in GUARANTEES if name in self._has)).fetchall()
        self._keys = (f"key-{number:032x}" for number in itertools.count())

    def put(self, body: str) -> None:
        with self._transaction():
            self._put(body)

    def put_many(self, bodies: list[str]) -> None:
        with self._connection_transaction():
            for body in bodies:
                self._put(body)

    def claim(self) -> Claimed:
        with self._unsynced(), self._transaction():
            return self._claim()

    def acknowledge(self, job: Claimed) -> None:
        with self._transaction():
            self._acknowledge(job)

    def take_many(self, count: int) -> None:
        """Claim so many in one commit, and acknowledge them in another."""
        with self._unsynced(), self._connection_transaction():
            jobs = [self._claim() for _ in range(count)]
        with self._connection_transaction():
            for job in jobs:
                self._acknowledge(job)

    def fill(self, count: int, *, available: bool) -> None:
        """So many jobs of earlier ids, ready or not."""
        body = '"' + "x" * 198 + '"'
        rows = f"with recursive n (n) as (select 1 union all select n + 1 from n where n < {count}) "
        state = "0" if available else "1 + n % 3"
        columns = "insert into job (queue, state, body, created_at) "
        self._run(f"{rows}{columns}select 'default', {state}, ?, 0 from n", (body,))

    def settle(self) -> None:
        """Fold the log into the file and cut it to nothing."""
        self._run("pragma wal_checkpoint(truncate)").fetchall()

    def close(self) -> None:
        self._connection.close()

    def _put(self, body: str) -> None:
        now = _now()
        job = self._run(INSERT, (None if "aside" in self._has else body, now)).get
        if "aside" in self._has:
            self._run("insert into payload values (?, ?)", (job, body))
        if "key" in self._has:
            self._run("insert into key values ('default', ?, ?)", (next(self._keys), job))
        if "counters" in self._has:
            self._run(COUNT, (now // HOUR_MS, 1, 0))

    def _claim(self) -> Claimed:
        if "fence" not in self._has:
            job, received, _ = self._run(CLAIM).fetchall()[0]
            return job, received
        now = _now()
        if self._run("select 1 from job where wake_at <= ? limit 1", (now,)).fetchall():
            raise RuntimeError("a lease ended in the middle of the measurement")
        job, received, _ = self._run(CLAIM_LEASED, (now + LEASE_MS,)).fetchall()[0]
        if "aside" in self._has:
            self._run("select body from payload where id = ?", (job,)).fetchall()
        return job, received

    def _acknowledge(self, job: Claimed) -> None:
        if "fence" in self._has:
            self._run("delete from job where id = ? and received = ? and state = 1", job)
        else:
            self._run("delete from job where id = ?", job[:1])
        if "aside" in self._has:
            self._run("delete from payload where id = ?", job[:1])
        if "history" in self._has:
            self._run("insert into attempt values (?, ?, 'me', 0, ?, 'done')", (*job, _now()))
        if "counters" in self._has:
            self._run(COUNT, (_now() // HOUR_MS, 0, 1))

    def _transaction(self) -> AbstractContextManager[Any]:
        """Needed only where a verb has more than one statement."""
        return self._connection_transaction() if self._has else nullcontext()

    def _connection_transaction(self) -> AbstractContextManager[Any]:
        return _Transaction(self._run)

    def _unsynced(self) -> AbstractContextManager[Any]:
        return _Unsynced(self._run) if self._level == "full" else nullcontext()


class _Transaction:
    """`begin immediate` and `commit`; apsw's own context is slower, for it makes a savepoint."""

    def __init__(self, run: Callable[[str], object]) -> None:
        self._run = run

    def __enter__(self) -> None:
        self._run("begin immediate")

    def __exit__(self, *_: object) -> None:
        self._run("commit")


class _Unsynced:
    """Inside, a commit survives the death of the process, but not a power cut."""

    def __init__(self, run: Callable[[str], object]) -> None:
        self._run = run

    def __enter__(self) -> None:
        self._run("pragma synchronous = normal")

    def __exit__(self, *_: object) -> None:
        self._run("pragma synchronous = full")


def _now() -> int:
    return time.time_ns() // 1_000_000
