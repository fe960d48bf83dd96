"""Memories that wait for the language model, because its server failed: a job for some of them, at low priority.

A memory that waits has no job. It gets one when the model has replied to another request, and otherwise at growing
intervals, one memory of a tenant at a time. So a server that is down receives few requests, and a backlog of thousands
does not fill the queue at once.
"""

from __future__ import annotations

from jotsam.ingest import accept
from jotsam.storage import queue
from jotsam.storage.memories import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.storage.database import Database

# Jobs for each reply of the model. More than one, so that a backlog is soon read by all threads.
JOBS_PER_REPLY = 2


def retry_after_reply(database: Database, *, tenant: str, attempts: int) -> None:
    """Send jobs for some memories of a tenant: the model has just replied."""
    _send(database, [tenant], attempts=attempts, limit=JOBS_PER_REPLY, is_paced=False)


def retry_when_due(database: Database, tenants: Sequence[str], *, attempts: int) -> None:
    """Send a job for one memory of each tenant whose interval is over."""
    _send(database, tenants, attempts=attempts, limit=1, is_paced=True)


def _send(database: Database, tenants: Sequence[str], *, attempts: int, limit: int, is_paced: bool) -> None:
    some: list[str] = []
    with database.snapshot() as tx:
        for tenant in tenants:
            tx.set_tenant(tenant)
            some += [tenant] if memories.awaiting_model(tx, limit=1, is_paced=is_paced) else []
    for tenant in some:
        with database.transaction(tenant=tenant, durable=False) as tx:
            tx.lock("reprocess")  # Two at the same time would both see that a memory has no job.
            for row in memories.awaiting_model(tx, limit=limit, is_paced=is_paced):
                spec = accept.enrich_job(
                    row["uuid"], tenant=tenant, attempts=attempts, priority=accept.REPROCESS_PRIORITY
                )
                memories.set_enrich_job(tx, number=row["id"], job_id=queue.send(tx, spec).id)
