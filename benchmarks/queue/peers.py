"""Other queues for Python that live in one SQLite file, each used in the way its own documentation shows.

All keep a write-ahead log and are set to the same durability. What they promise differs: huey removes a job when it is
handed out, litequeue and persist-queue know no lease, and only localqueue refuses who lost one. A backlog is made by
copying jobs in their own tables, and they are not open meanwhile where that could disturb them.
"""

from __future__ import annotations

import os
import sqlite3
from typing import Any

LEVELS = {False: 1, True: 2}
SETTLE = "pragma wal_checkpoint(truncate)"
COUNTING = "with recursive n (n) as (select 1 union all select n + 1 from n where n < ?) "


class LiteQueue:
    """litequeue: a status, an index on it, and the order of random ids. A backlog is locked and failed messages."""

    def __init__(self, path: str, *, durable: bool) -> None:
        from litequeue import LiteQueue as Queue

        self._queue = Queue(path)
        self._queue.conn.execute(f"pragma synchronous = {LEVELS[durable]}")

    def put(self, body: str) -> None:
        self._queue.put(body)

    def claim(self) -> Any:
        return self._queue.pop()

    def acknowledge(self, message: Any) -> None:
        self._queue.done(message.message_id)

    def fill(self, count: int, *, available: bool) -> None:
        status = "0" if available else "1 + 2 * (n % 2)"
        self._queue.conn.execute(
            f"{COUNTING} insert into Queue (data, message_id, status, in_time) "
            f"select ?, printf('%036d', n), {status}, 0 from n",
            (count, "x" * 200),
        )

    def settle(self) -> None:
        self._queue.conn.execute(SETTLE).fetchall()

    def close(self) -> None:
        self._queue.conn.close()


class Huey:
    """huey: a task is called, dequeued and executed. A backlog is scheduled tasks, which have a table of their own."""

    def __init__(self, path: str, *, durable: bool) -> None:
        from huey import SqliteHuey

        self._huey = SqliteHuey("default", filename=path, results=False)
        self._huey.storage.conn.execute(f"pragma synchronous = {LEVELS[durable]}")
        self._task = self._huey.task()(work)

    def put(self, body: str) -> None:
        self._task(body)

    def claim(self) -> Any:
        return self._huey.dequeue()

    def acknowledge(self, task: Any) -> None:
        self._huey.execute(task)

    def fill(self, count: int, *, available: bool) -> None:
        self._task("x" * 200)
        connection = self._huey.storage.conn
        if available:
            target, extra = "task (queue, data, priority)", "0"
        else:
            target, extra = "schedule (queue, data, timestamp)", "4000000000"
        connection.execute(f"{COUNTING} insert into {target} select queue, data, {extra} from task, n", (count,))

    def settle(self) -> None:
        self._huey.storage.conn.execute(SETTLE).fetchall()

    def close(self) -> None:
        self._huey.storage.close()


class PersistQueue:
    """persist-queue: the acknowledged stay in the table. A backlog is messages handed out and failed ones."""

    def __init__(self, path: str, *, durable: bool) -> None:
        from persistqueue import SQLiteAckQueue
        from persistqueue.serializers import json

        self._queue = SQLiteAckQueue(path, auto_commit=True, serializer=json)
        for connection in (self._queue._getter, self._queue._putter):
            connection.execute(f"pragma synchronous = {LEVELS[durable]}")

    def put(self, body: str) -> None:
        self._queue.put(body)

    def claim(self) -> Any:
        return self._queue.get(block=False, raw=True)

    def acknowledge(self, item: Any) -> None:
        self._queue.ack(item)

    def fill(self, count: int, *, available: bool) -> None:
        status = "0" if available else "2 + 7 * (n % 2)"
        self._queue._putter.execute(
            f"{COUNTING} insert into {self._queue._table_name} (data, timestamp, status) select ?, 0, {status} from n",
            (count, b'"' + b"x" * 198 + b'"'),
        )
        self._queue._putter.commit()

    def settle(self) -> None:
        self._queue._putter.execute(SETTLE).fetchall()

    def close(self) -> None:
        self._queue.close()


class LocalQueue:
    """localqueue, whose core is written in Rust. A backlog is leased, delayed and failed messages, in equal parts."""

    def __init__(self, path: str, *, durable: bool) -> None:
        self._path, self._durable = path, durable
        self._open()

    def _open(self) -> None:
        from localqueue import DeliveryPolicy, DurabilityMode, SimpleQueue

        mode = DurabilityMode.DURABLE if self._durable else DurabilityMode.RELAXED
        policy = DeliveryPolicy(lease_seconds=60, max_retries=4)
        self._queue = SimpleQueue(self._path, name="default", durability=mode, delivery=policy)

    def put(self, body: str) -> None:
        self._queue.put(body)

    def put_many(self, bodies: list[str]) -> None:
        self._queue.put_many(bodies)

    def claim(self) -> Any:
        return self._queue.get_nowait()

    def acknowledge(self, job: Any) -> None:
        self._queue.ack(job)

    def fill(self, count: int, *, available: bool) -> None:
        """It brings an SQLite of its own, and no file may be open in two of them within one process."""
        self._queue.close()
        later = 4_000_000_000_000
        status, at, until = (
            ("0", "0", "null")
            if available
            else (
                "case n % 3 when 0 then 1 when 1 then 0 else 3 end",
                f"case n % 3 when 1 then {later} else 0 end",
                f"case n % 3 when 0 then {later} end",
            )
        )
        with sqlite3.connect(os.path.join(self._path, "localqueue.db")) as connection:
            connection.execute(
                f"{COUNTING} insert into messages "
                "(queue, payload, status, max_attempts, available_at, lease_until, created_at, updated_at) "
                f"select 'default', ?, {status}, 5, {at}, {until}, 0, 0 from n",
                (count, b'"' + b"x" * 198 + b'"'),
            )
        connection.close()
        self._open()

    def settle(self) -> None:
        self._queue.close()
        self._open()

    def close(self) -> None:
        self._queue.close()


def work(body: str) -> None:
    """The handler that does nothing."""


PEERS = {"litequeue": LiteQueue, "huey": Huey, "persist-queue": PersistQueue, "localqueue": LocalQueue}
