"""For a search: the text index gets the words of the documents that were accepted since the last one.

Only a file leaves words to the next search; see `accept`. Hooks start here, so this module imports nothing slow.
"""

from __future__ import annotations

from jotsam.core.errors import JotsamError
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Database

WAIT_MS, PROMPT_WAIT_MS = 2_000, 250  # for others that write; worker transactions take a few


def index_waiting(database: Database, *, tenant: str, wait_ms: int = WAIT_MS) -> bool:
    """Index what a search of the tenant must find. Returns whether there was anything, so that a search finds more.

    If the file cannot be written now, these documents are not found. The footer counts their jobs as pending.
    """
    if not database.is_file:
        return False
    try:
        with database.snapshot(tenant=tenant) as tx:
            is_waiting = search.count_waiting(tx, limit=1) > 0
        if is_waiting:
            from jotsam.ingest import accept

            with database.transaction(tenant=tenant, durable=False, wait_ms=wait_ms) as tx:
                accept.index_waiting(tx)
    except JotsamError:
        return False  # The search itself reports what is wrong, if it cannot read either.
    return is_waiting
