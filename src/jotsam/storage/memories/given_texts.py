"""What hooks gave sessions, as it was sent: the latest texts of each, until they are old.

Such a text repeats what memories say, so it goes with any of them.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

START, PROMPT = "start", "prompt"
MOST = 50  # texts of a session
KEEP_DAYS = 30
PAGE = 500  # UUIDs that a statement looks for


def add(tx: Transaction, session: str, *, kind: str, text: str, ids: Iterable[str]) -> None:
    """Keep a text. `ids` are what a session is known to have by it: UUIDs, some with the place of a note after `#`."""
    uuids = dict.fromkeys(id.partition("#")[0] for id in ids if "/" not in id)  # A block has a slash.
    tx.run("given_texts.add", session=session, kind=kind, body=text, memories=" ".join(uuids), most=MOST)


def of_session(tx: Transaction, session: str) -> list[Row]:
    """`kind`, `text` and `at` of what a session was given, in order."""
    return tx.all("given_texts.of_session", session=session)


def forget_gone(tx: Transaction) -> None:
    """Delete the texts with something that is not stored any longer or was changed since, and those of forgotten
    sessions."""
    rows = tx.all("given_texts.every")
    if not rows:
        return
    uuids = [*dict.fromkeys(uuid for row in rows for uuid in row["memories"].split())]
    known: dict[str, int] = {}
    for begin in range(0, len(uuids), PAGE):
        found = tx.all("given_texts.known", uuids=json.dumps(uuids[begin : begin + PAGE]))
        known |= {row["uuid"]: row["changed_at"] for row in found}
    sessions = {row["session"] for row in tx.all("given_texts.sessions")}
    for row in rows:
        is_whole = all(known.get(uuid, row["created_at"] + 1) <= row["created_at"] for uuid in row["memories"].split())
        if row["session"] not in sessions or not is_whole:
            delete(tx, session=row["session"], slot=row["slot"])


def delete(tx: Transaction, *, session: str, slot: int) -> None:
    tx.run("given_texts.delete", session=session, slot=slot)


def remove_before(tx: Transaction, *, before: int, limit: int) -> int:
    """Delete texts that are older than a time. Returns how many."""
    return len(tx.all("given_texts.remove_before", before=before, limit=limit))
