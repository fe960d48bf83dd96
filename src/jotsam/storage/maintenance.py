"""What keeps a database small and fast, in steps that each commit: other programs wait for none of them for long."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.storage.database import Database

MERGED_PAGES = 500  # of the text index that one transaction writes
MAX_MERGES = 100_000  # Writers add segments in the meantime.


def merge_text_index(database: Database) -> int:
    """Merge the segments of a file's text index into one. Returns in how many transactions."""
    for number in range(1, MAX_MERGES):
        with database.transaction(durable=False) as tx:
            before = tx.all("maintenance.changes")[0]["changes"]
            tx.run("maintenance.start_merge" if number == 1 else "maintenance.merge", pages=MERGED_PAGES)
            if tx.all("maintenance.changes")[0]["changes"] - before < 2:
                return number
    return MAX_MERGES


def free_bytes(database: Database) -> int:
    """The bytes of a file that its pages do not use: later writes reuse them."""
    with database.snapshot() as tx:
        free: int = tx.all("maintenance.free")[0]["bytes"]
        return free


def analyze(database: Database) -> Iterator[str]:
    """Take new statistics of each table of a server that the role owns. Yields their names."""
    with database.snapshot() as tx:
        tables = [row["name"] for row in tx.all("maintenance.tables")]
    for table in tables:
        with database.transaction(durable=False) as tx:
            tx.execute(f"analyze {table}")  # A name cannot be a parameter; the server has quoted it.
        yield table


def clean_pending_lists(database: Database) -> int:
    """Move what waits in the lists of a server's GIN indexes into the indexes. Returns the pages that were freed."""
    with database.transaction(durable=False) as tx:
        pages: int = tx.all("maintenance.clean_pending_lists")[0]["pages"]
        return pages
