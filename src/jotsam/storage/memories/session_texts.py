"""What was said in sessions."""

from __future__ import annotations

from jotsam.core.validate import MAX_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.storage.database import Row, Transaction

AT_A_TIME = 1_000


def latest(tx: Transaction, *, project: str | None, since: int | None, most: int) -> Iterator[Row]:
    """The latest memories of sessions, the latest first: id, uuid, session, actor, body, at, position."""
    before, left = MAX_ID, most
    while left > 0:
        limit = min(AT_A_TIME, left)
        rows = tx.all("session_texts.latest", project=project, since=since, before=before, limit=limit)
        yield from rows
        if len(rows) < limit:
            return
        before, left = rows[-1]["id"], left - len(rows)
