"""For a search: it finds the documents that the text index does not have yet, without writing to the file.

Only a file indexes documents later; see `accept`. Hooks start here, so this module imports nothing slow.
"""

from __future__ import annotations

from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def load_waiting(tx: Transaction) -> None:
    """Let the queries of a snapshot find what waits for the text index. Without its table they find the rest."""
    try:
        if not search.count_waiting(tx, limit=1):
            return
        from jotsam.ingest import accept

        accept.load_waiting(tx)
    except Exception as error:
        if tx.recover(error) is None:
            raise
