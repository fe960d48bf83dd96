"""What of the queue the verdict on health needs: pauses, the worker, and the worst that is wrong in a sentence.

A hook imports it for the brief of a session, so it imports little.
"""

from __future__ import annotations

from jotsam.core.errors import CapReached
from jotsam.core.names import EVERY_QUEUE, MEMORY_QUEUES
from jotsam.ingest import start_worker
from jotsam.memory.status import health
from jotsam.memory.status.health import Counted, PausedQueue
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Transaction

STALLED_MS = 10 * 60_000
MAX_DEAD = 10_000  # that are counted, of each queue
CAPPED = CapReached.__name__  # prefix of the error of a job that waits for the next day


def problem(tx: Transaction, settings: Settings, *, leased: bool, spooled: int) -> str:
    """The worst of the verdict that is about the queue, in a sentence, or "". It counts no more jobs than it must."""
    tenant, most = tx.tenant, settings.soft_cap + 1
    sent = queue.oldest_undelivered(tx, queues=EVERY_QUEUE, tenant=tenant, limit=most)
    waited = None if sent is None else max(0, tx.now - sent)
    live = queue.count_live(tx, queues=EVERY_QUEUE, tenant=tenant, limit=most)
    facts = health.Facts(
        dead=Counted(number=queue.count_dead(tx, queues=EVERY_QUEUE, tenant=tenant, limit=MAX_DEAD)),
        live=Counted(number=min(live, settings.soft_cap), more=live > settings.soft_cap),
        undelivered_ms=waited,
        soft_cap=settings.soft_cap,
        worker=worker_state(tx, leased=leased, undelivered_ms=waited)[0],
        capped=Counted(
            number=sum(queue.count_waiting(tx, name, tenant=tenant, error=CAPPED) for name in MEMORY_QUEUES)
        ),
        paused=paused(tx),
        spooled=spooled,
    )
    found = health.worst(health.findings(facts))
    return found.text if found else ""


def paused(tx: Transaction) -> tuple[PausedQueue, ...]:
    """The paused queues of memory and commands."""
    return tuple(
        PausedQueue(
            queue=row["queue"],
            reason=row["reason"],
            probe_ms=None if row["probe_at"] is None else max(0, row["probe_at"] - tx.now),
        )
        for row in queue.paused(tx)
        if row["queue"] in EVERY_QUEUE
    )


def worker_state(tx: Transaction, *, leased: bool, undelivered_ms: int | None = None) -> tuple[str, int | None]:
    """`running`, `starting` or `none`, and the process of the one worker of a file.

    A worker of a server reports hourly, so one that was killed is noticed when jobs wait and no worker holds one.
    """
    if leased:
        return worker(tx)
    is_seen = (undelivered_ms or 0) < STALLED_MS and queue.count_workers(tx)
    return ("running" if is_seen or queue.count_receivers(tx, EVERY_QUEUE) else "none"), None


def worker(tx: Transaction) -> tuple[str, int | None]:
    """`running`, `starting` or `none`, from the lease of a file, and the worker's process id."""
    holder = start_worker.live_holder(tx)
    if holder is None:
        return "none", None
    return ("starting", None) if holder.pid == start_worker.NO_PID else ("running", holder.pid)
