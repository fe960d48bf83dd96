"""How enrichment of a tenant is going: counts, and how its latest deliveries ended, from the history of the queue."""

from __future__ import annotations

from jotsam.core.names import EMBED, ENRICH, MODEL
from jotsam.core.records import Record
from jotsam.storage import queue
from jotsam.storage.memories import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Row, Transaction

SUCCESS = "done"


class EnrichmentStatus(Record):
    """Counts of jobs of one tenant. Times are milliseconds since 1970 UTC."""

    pending: int  # that wait for their first try
    in_progress: int
    retrying: int  # that failed at least once and will be tried again
    dead: int
    done: int  # in total
    failed_attempts: int  # in total; a job that is done may have had several
    max_attempts: int
    last_success_id: str | None = None  # UUID of the memory
    last_success_at: int | None = None
    last_error: str | None = None
    last_error_at: int | None = None
    last_error_id: str | None = None
    is_paused: bool = False  # the queue delivers no jobs


def read_enrichment_status(database: Database, settings: Settings) -> EnrichmentStatus:
    """The status in one snapshot. The latest success and error are looked for among the last 1,000 deliveries."""
    tenant = settings.tenant
    with database.snapshot(tenant=tenant) as tx:
        depth = queue.depth(tx, queues=(ENRICH, MODEL), tenant=tenant)
        totals = queue.totals(tx, queue=ENRICH, tenant=tenant)
        ended = queue.latest_ended(tx, queue=ENRICH, tenant=tenant)
        success = next((row for row in ended if row["outcome"] == SUCCESS), {})
        error = next((row for row in ended if row["outcome"] != SUCCESS), {})
        return EnrichmentStatus(
            pending=depth.pending,
            in_progress=depth.in_progress,
            retrying=depth.failed,
            dead=depth.dead,
            done=totals["done"],
            failed_attempts=totals["retried"] + totals["buried"],
            max_attempts=settings.enrich_attempts,
            last_success_id=_memory(tx, success),
            last_success_at=success.get("ended_at"),
            last_error=error.get("error"),
            last_error_at=error.get("ended_at"),
            last_error_id=_memory(tx, error),
            is_paused=any(row["queue"] in (ENRICH, MODEL, EMBED) for row in queue.paused(tx)),
        )


def _memory(tx: Transaction, ended: Row) -> str | None:
    """The UUID of the memory that a delivery enriched."""
    return memories.of_job(tx, ended["job_id"]) if ended else None
