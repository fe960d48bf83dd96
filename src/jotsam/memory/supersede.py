"""Superseding: a newer memory, document or fact holds in the place of an older one. It takes back as easily.

Nothing is deleted. What is superseded is hidden from recall, also where its raw text would be found, until somebody
asks for the history or for an earlier time. What somebody decides here about a fact stays: no later statement ends
again what was brought back, and reading its memory again changes nothing.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.records import Record
from jotsam.memory.show import locate
from jotsam.storage import documents, facts, memories
from jotsam.worker import fact_validity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.show import Located
    from jotsam.storage.database import Row, Transaction

MEMORY, DOCUMENT, FACT = "memory", "document", "fact"


class SupersedeResult(Record):
    """What holds in the place of what, by UUID, and from when on in milliseconds; None: it was taken back."""

    kind: str  # memory, document or fact
    old: str
    new: str | None  # None: a fact was brought back, and none was named
    since: int | None


def supersede(tx: Transaction, *, old: str, new: str | None = None, undo: bool = False) -> SupersedeResult:
    """Let `new` hold in the place of `old`, or with `undo` both again. Doing it twice changes nothing.

    Both are named by a UUID, the beginning of one, or an external id, and both are memories, or both documents, or both
    facts. A fact can be brought back without naming another. It holds from the date of the newer one, or from now
    on. Raises `NotFound` and `InvalidInput`.
    """
    before = _located(tx, old)
    if new is None:
        if before.kind != FACT or not undo:
            raise InvalidInput(f"nothing is named that holds in the place of {before.kind} {old!r}: give its id too")
        _back(tx, before, None)
        return SupersedeResult(kind=FACT, old=before.row["uuid"], new=None, since=None)
    after = _located(tx, new)
    if before.kind != after.kind:
        raise InvalidInput(f"{old!r} is a {before.kind} and {new!r} a {after.kind}: give two of the same kind")
    if before.row["id"] == after.row["id"]:
        raise InvalidInput(f"{old!r} and {new!r} are the same {before.kind}: give an older and a newer one")
    change = (_back if undo else _ended) if before.kind == FACT else (_undone if undo else _done)
    since = change(tx, before, after)
    if before.kind == MEMORY:
        keys = facts.keys(tx, number=before.row["id"])
        fact_validity.update_validity(tx, keys, number=before.row["id"])
    return SupersedeResult(kind=before.kind, old=before.row["uuid"], new=after.row["uuid"], since=since)


def _ended(tx: Transaction, old: Located, new: Located) -> int:
    """A fact ends because somebody says so. A short memory that says nothing else ends with it."""
    tx.lock(f"facts {tx.tenant}")
    by = old.row["superseded_by"]
    if by is not None and by != new.row["memory_id"]:
        raise InvalidInput(f"fact {old.row['uuid']} is superseded already, by another memory: undo that")
    if new.row["superseded_at"] is not None:
        raise InvalidInput(f"fact {new.row['uuid']} is superseded itself: undo that first")
    at = min(int(new.row["date"]), tx.now)
    _decide(tx, old, at=at, by=new.row["memory_id"], how=fact_validity.HAND)
    return at


def _back(tx: Transaction, old: Located, new: Located | None) -> None:
    """A fact holds again, and stays so. A memory that had ended with it holds again too."""
    tx.lock(f"facts {tx.tenant}")
    if new is not None and old.row["superseded_by"] != new.row["memory_id"]:
        raise InvalidInput(f"{old.row['uuid']} is not superseded by {new.row['uuid']}: there is nothing to undo")
    if old.row["superseded_at"] is None and old.row["superseded_how"] != fact_validity.KEPT:
        raise InvalidInput(f"fact {old.row['uuid']} has not ended: there is nothing to undo")
    _decide(tx, old, at=None, by=None, how=fact_validity.KEPT)


def _decide(tx: Transaction, fact: Located, *, at: int | None, by: int | None, how: str) -> None:
    row = fact.row
    facts.decide(tx, id=row["id"], at=at, by=by, how=how)
    keys = [(row["subject_key"], row["predicate"])]
    fact_validity.update_validity(tx, keys, number=row["memory_id"])


def _done(tx: Transaction, old: Located, new: Located) -> int:
    by = old.row["superseded_by"]
    if by is not None:
        if by == new.row["id"]:
            return int(old.row["superseded_at"])
        raise InvalidInput(f"{old.row['uuid']} is superseded already, by {_heirs(tx, old)[0]['uuid']}: undo that")
    if any(heir["id"] == old.row["id"] for heir in _heirs(tx, new)):
        raise InvalidInput(f"{new.row['uuid']} is superseded by {old.row['uuid']} itself: undo that first")
    at = min(_date(new.row) or tx.now, tx.now)
    if old.kind == MEMORY:
        memories.supersede(tx, number=old.row["id"], by=new.row["id"], at=at)
    else:
        documents.supersede(tx, number=old.row["id"], by=new.row["id"], at=at)
        memories.supersede_chunks(tx, document=old.row["id"], by=new.row["id"], at=at)
    return at


def _undone(tx: Transaction, old: Located, new: Located) -> None:
    if old.row["superseded_by"] != new.row["id"]:
        raise InvalidInput(f"{old.row['uuid']} is not superseded by {new.row['uuid']}: there is nothing to undo")
    if old.kind == MEMORY:
        memories.restore(tx, number=old.row["id"])
    else:
        memories.restore_chunks(tx, document=old.row["id"], at=old.row["superseded_at"])
        documents.restore(tx, number=old.row["id"])


def _heirs(tx: Transaction, one: Located) -> list[Row]:
    number = one.row["id"]
    if one.kind == MEMORY:
        return memories.heirs(tx, number=number)
    return documents.heirs(tx, number=number)


def _date(row: Row) -> int | None:
    date: int | None = row["said_at"] if "said_at" in row else row["date"]
    return date


def _located(tx: Transaction, id: str) -> Located:
    found = locate(tx, id=id)
    if found is None:
        raise NotFound(f"there is no document, memory or fact {id!r}: `jotsam recall` shows ids")
    return found
