"""Jobs of the queue `q`, for tests of databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jotsam.core.job_records import JobSpec
from jotsam.storage import queue

if TYPE_CHECKING:
    from jotsam.storage.database import Database


def send(database: Database, **fields: Any) -> int:
    with database.transaction() as tx:
        return queue.send(tx, JobSpec(**{"queue": "q", "kind": "k", **fields})).id


def kinds(database: Database) -> list[str]:
    with database.snapshot() as tx:
        return sorted(job.kind for job in queue.jobs(tx, queue="q", limit=10_000))
