"""How much space a database takes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def in_bytes(tx: Transaction) -> int:
    """The size of the file without its write-ahead log, or of the whole database of a server."""
    row = tx.one("database_size.bytes")
    return int(row["bytes"]) if row else 0
