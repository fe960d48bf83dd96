"""Sessions: their list, and the turns of one."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from jotsam.storage.database import Row, Transaction

ADDED_UP = ("sessions.sizes", "sessions.titles", "sessions.notes", "sessions.facts", "sessions.costs")


def listed(tx: Transaction, *, project: str | None, after: tuple[int, str] | None, limit: int) -> list[Row]:
    """`session`, `project` and `at` of the sessions after a place, the latest first."""
    at, before = after or (None, None)
    return tx.all("sessions.listed", project=project, at=at, before=before, limit=limit)


def latest(tx: Transaction, session: str) -> Row | None:
    """`session`, `project` and `at` of where a session ends; None if there is none of that name."""
    return tx.one("sessions.latest", session=session)


def starting(tx: Transaction, prefix: str) -> list[str]:
    """The names that start with a text, at most two: enough to know whether it is unique."""
    return [row["session"] for row in tx.all("sessions.starting", prefix=prefix)]


def sums(tx: Transaction, sessions: Iterable[str]) -> dict[str, dict[str, Any]]:
    """By session what `Session` has about it."""
    names = [*sessions]
    found: dict[str, dict[str, Any]] = {name: {} for name in names}
    if names:
        for query in ADDED_UP:
            for row in tx.all(query, sessions=json.dumps(names)):
                found[row.pop("session")] |= row
    return found


def titles(tx: Transaction, sessions: Iterable[str]) -> dict[str, str]:
    """By session the beginning of what a person said first; "" for a session without turns."""
    rows = tx.all("sessions.titles", sessions=json.dumps([*sessions]))
    return {row["session"]: row["body"] or "" for row in rows}


def turns(tx: Transaction, session: str, *, after: tuple[int, int, int], limit: int) -> list[Row]:
    """The turns after a place: time, position and id."""
    at, place, id = after
    return tx.all("sessions.turns", session=session, at=at, place=place, id=id, limit=limit)


def chunks(tx: Transaction, documents: Iterable[int]) -> dict[int, list[Row]]:
    """By document the memories that it was cut into."""
    found: dict[int, list[Row]] = {}
    for row in tx.all("sessions.chunks", documents=json.dumps([*documents])):
        found.setdefault(row["document_id"], []).append(row)
    return found
