"""Whether workers keep up: the number of a tenant's jobs, and how long the oldest has waited.

Many jobs alone do no harm: one large folder is more than the soft cap.
"""

from __future__ import annotations

from jotsam.core.names import EVERY_QUEUE
from jotsam.storage import queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

SOFT_CAP = 100
WARNING_MS, ERROR_MS = 10 * 60_000, 60 * 60_000
# By database and tenant: from when until when no job can have waited for `WARNING_MS`.
_none_older: dict[tuple[str, str], tuple[int, int]] = {}

SUFFIX = "the workers do not keep up"  # end of the only warning of a receipt that is not about the accepted text


def level(jobs: int, oldest_ms: int | None, *, soft_cap: int) -> str:
    """`ok`, `warning` or `error`. `oldest_ms`: age of the oldest job that could run and was never delivered."""
    if jobs < soft_cap or oldest_ms is None or oldest_ms < WARNING_MS:
        return "ok"
    return "warning" if oldest_ms < ERROR_MS else "error"


def _has_older(tx: Transaction) -> bool:
    """Whether a job has waited for `WARNING_MS`. Looks again when one can have."""
    since, until = _none_older.get((tx.url, tx.tenant), (0, 0))
    if since <= tx.now < until:
        return False
    oldest = queue.oldest_live(tx, queues=EVERY_QUEUE, tenant=tx.tenant)
    until = (tx.now if oldest is None else oldest) + WARNING_MS
    _none_older[tx.url, tx.tenant] = tx.now, until
    return tx.now >= until


def warnings(tx: Transaction, soft_cap: int | None) -> tuple[str, ...]:
    """The warning of a receipt; without a cap, none. Looks at `soft_cap` jobs of each queue at most, to stay fast."""
    if soft_cap is None:
        return ()
    # Checked first, because there is rarely such a job.
    if not _has_older(tx):
        return ()
    jobs = queue.count_live(tx, queues=EVERY_QUEUE, tenant=tx.tenant, limit=soft_cap + 1)
    if jobs < soft_cap:
        return ()
    sent = queue.oldest_undelivered(tx, queues=EVERY_QUEUE, tenant=tx.tenant, limit=soft_cap)
    if sent is None or level(jobs, tx.now - sent, soft_cap=soft_cap) == "ok":
        return ()
    more = "more than " if jobs > soft_cap else ""
    minutes = (tx.now - sent) // 60_000
    return (f"{more}{soft_cap:,} jobs are waiting, the oldest for {minutes:,} minutes: {SUFFIX}",)
