"""Jobs that are neither done nor dead: of documents and memories, or of a whole tenant."""

from __future__ import annotations

from jotsam.core.errors import NotFound
from jotsam.core.names import EVERY_QUEUE, QUEUES
from jotsam.ingest import spool
from jotsam.memory.reading.show import show
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.core.job_records import QueueDepth
    from jotsam.storage.database import Database, Transaction


class PendingJobs:
    """The jobs of some documents and memories, or without ids those of the tenant. For one thread."""

    def __init__(self, database: Database, ids: Sequence[str], *, tenant: str) -> None:
        """Raises `NotFound` for an id that does not exist, and `InvalidInput`."""
        self._database, self._tenant = database, tenant
        self._is_tenant = not ids
        with database.snapshot(tenant=tenant) as tx:
            self._left = [id for id in ids if _has_jobs(tx, id)]

    def any_left(self) -> bool:
        """Whether one of them is pending now. What is done is not read again, and what was forgotten is done."""
        with self._database.snapshot(tenant=self._tenant) as tx:
            if self._is_tenant:
                live = queue.depth(tx, queues=EVERY_QUEUE, tenant=self._tenant).live
                return live > 0 or bool(spool.waiting(self._database.url))
            while self._left and not _is_pending(tx, self._left[-1]):
                self._left.pop()
        return bool(self._left)


def pending_depth(database: Database, *, tenant: str) -> tuple[QueueDepth, int]:
    """The numbers of a tenant's jobs that enrich, with turns in the spool, and the time of the reading in ms."""
    spooled = len(spool.waiting(database.url))
    with database.snapshot(tenant=tenant) as tx:
        depth = queue.depth(tx, queues=QUEUES, tenant=tenant)
        return depth.replace(pending=depth.pending + spooled), tx.now


def _is_pending(tx: Transaction, id: str) -> bool:
    try:
        return _has_jobs(tx, id)
    except NotFound:
        return False


def _has_jobs(tx: Transaction, id: str) -> bool:
    return any(job.state != "dead" for job in show(tx, id=id).jobs)
