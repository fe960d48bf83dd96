"""How many rows there are, for tests of what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jotsam import Jotsam

TABLES = (
    *("document", "memory", "memory_tag", "text_index"),
    *("queue_job", "queue_payload", "queue_key", "queue_count"),
)


def row_counts(jot: Jotsam) -> list[int]:
    """The number of rows of each table in which something would be stored."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        counted = [tx.execute(f"select count(*) as entries from {table}") for table in TABLES]
    return [rows[0]["entries"] for rows in counted]
