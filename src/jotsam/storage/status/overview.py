"""What the dashboard shows of a tenant, and how much space a database takes.

Nothing here reads more rows than a given number, however much is stored.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def counts(tx: Transaction, *, limit: int) -> dict[str, int]:
    """How many documents, memories, entities and facts there are, and how many memories are not_enriched, degraded,
    awaiting_model, not_embedded and not_embeddable. Each is counted up to `limit`.
    """
    row = tx.one("overview.counts", limit=limit)
    assert row is not None
    return row


def latest_events(tx: Transaction, *, limit: int) -> list[Row]:
    """The latest events, the newest first: xact, id, at, type, subject, job_id, data."""
    return tx.all("overview.latest_events", limit=limit)


def requests(tx: Transaction, *, first: int, limit: int) -> list[Row]:
    """The latest `limit` requests to models since a day, by day, model and purpose, the latest day first.

    Fields: calls, tokens_in, tokens_cached, tokens_out, cost.
    """
    return tx.all("overview.requests", first=first, limit=limit)


def most_expensive_jobs(tx: Transaction, *, first: int, limit: int, jobs: int) -> list[Row]:
    """Of the same requests, the jobs that cost most: job_id, model, purpose, day, calls, tokens, cost."""
    return tx.all("overview.most_expensive_jobs", first=first, limit=limit, jobs=jobs)


def spent_days(tx: Transaction, *, first: int) -> list[Row]:
    """What all tenants together have spent or reserved since a day: day, tokens, cost."""
    return tx.all("overview.spent_days", first=first)


def size_in_bytes(tx: Transaction) -> int:
    """The size of the file without its write-ahead log, or of the whole database of a server."""
    row = tx.one("database_size.bytes")
    return int(row["bytes"]) if row else 0
