"""Superseding: a newer memory, document or fact replaces an older one, and the replacement can be undone.

Nothing is deleted. What is superseded is hidden from recall, as raw text too, unless its history or an earlier time is
requested. A decision made here about a fact is final: later statements and reprocessing do not change it.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.records import Record
from jotsam.memory.reading.show import locate
from jotsam.memory.writing import linking
from jotsam.storage.graph import facts
from jotsam.storage.memories import changes, documents, memories
from jotsam.worker.enrichment import fact_validity
from jotsam.worker.enrichment.changes import update_memories, update_replaced_by_document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.reading.show import Located
    from jotsam.storage.database import Row, Transaction

MEMORY, DOCUMENT, FACT = "memory", "document", "fact"


class SupersedeResult(Record):
    """What replaces what, by UUID, and since when (milliseconds). `since` is None after `undo_supersede`."""

    kind: str  # memory, document or fact
    old: str
    new: str | None  # None: a fact was restored without naming its replacement
    since: int | None


def supersede(tx: Transaction, *, old: str, new: str | None) -> SupersedeResult:
    """Replace `old` by `new`. Repeating it changes nothing.

    Both are given as a UUID, a prefix of one, or an external id, and are of the same kind. The replacement is valid
    from the date of the newer one, or from now if that lies ahead. Raises `NotFound`, `InvalidInput`.
    """
    linking.lock(tx)
    before = _located(tx, old)
    if new is None:
        raise InvalidInput(f"nothing is given that replaces {before.kind} {old!r}: give its id too")
    after = _pair(tx, before, old, new)
    since = (_end_fact if before.kind == FACT else _supersede_text)(tx, before, after)
    return _result(tx, before, after, since)


def undo_supersede(tx: Transaction, *, old: str, new: str | None = None) -> SupersedeResult:
    """Undo `supersede`. Only a fact can be restored without naming its replacement. Repeating it changes nothing.

    Raises `NotFound`, `InvalidInput`.
    """
    before = _located(tx, old)
    if new is None:
        if before.kind != FACT:
            raise InvalidInput(f"nothing is given that replaces {before.kind} {old!r}: give its id too")
        _restore_fact(tx, before, None)
        return SupersedeResult(kind=FACT, old=before.row["uuid"], new=None, since=None)
    after = _pair(tx, before, old, new)
    (_restore_fact if before.kind == FACT else _restore_text)(tx, before, after)
    return _result(tx, before, after, None)


def _pair(tx: Transaction, before: Located, old: str, new: str) -> Located:
    """The newer one, of the same kind as the older."""
    after = _located(tx, new)
    if before.kind != after.kind:
        raise InvalidInput(f"{old!r} is a {before.kind} and {new!r} a {after.kind}: give two of the same kind")
    if before.row["id"] == after.row["id"]:
        raise InvalidInput(f"{old!r} and {new!r} are the same {before.kind}: give an older and a newer one")
    return after


def _result(tx: Transaction, before: Located, after: Located, since: int | None) -> SupersedeResult:
    if before.kind == MEMORY:
        keys = facts.keys(tx, number=before.row["id"])
        fact_validity.update_validity(tx, keys, number=before.row["id"])
        update_memories(tx, changes.replaced(tx, before.row["id"]))
    elif before.kind == DOCUMENT:
        update_replaced_by_document(tx, before.row["id"])
    return SupersedeResult(kind=before.kind, old=before.row["uuid"], new=after.row["uuid"], since=since)


def _end_fact(tx: Transaction, old: Located, new: Located) -> int:
    """End a fact. A short memory that states nothing else is superseded with it."""
    tx.lock(f"facts {tx.tenant}")
    by = old.row["superseded_by"]
    if by is not None and by != new.row["memory_id"]:
        raise InvalidInput(f"fact {old.row['uuid']} is superseded already, by another memory: undo that first")
    if new.row["superseded_at"] is not None:
        raise InvalidInput(f"fact {new.row['uuid']} is superseded itself: undo that first")
    at = min(int(new.row["date"]), tx.now)
    _decide(tx, old, at=at, by=new.row["memory_id"], how=fact_validity.HAND)
    return at


def _restore_fact(tx: Transaction, old: Located, new: Located | None) -> None:
    """Make a fact valid again, for good, and with it a memory that was superseded with it."""
    tx.lock(f"facts {tx.tenant}")
    if new is not None and old.row["superseded_by"] != new.row["memory_id"]:
        raise InvalidInput(f"{old.row['uuid']} is not superseded by {new.row['uuid']}: there is nothing to undo")
    if old.row["superseded_at"] is None and old.row["superseded_how"] != fact_validity.KEPT:
        raise InvalidInput(f"fact {old.row['uuid']} is not superseded: there is nothing to undo")
    _decide(tx, old, at=None, by=None, how=fact_validity.KEPT)


def _decide(tx: Transaction, fact: Located, *, at: int | None, by: int | None, how: str) -> None:
    row = fact.row
    facts.set_superseded_manually(tx, id=row["id"], at=at, by=by, how=how)
    keys = [(row["subject_key"], row["predicate"])]
    fact_validity.update_validity(tx, keys, number=row["memory_id"])


def _supersede_text(tx: Transaction, old: Located, new: Located) -> int:
    """Supersede a memory, or a document with its chunks."""
    by = old.row["superseded_by"]
    if by is not None:
        if by == new.row["id"]:
            return int(old.row["superseded_at"])
        first = _successors(tx, old)[0]["uuid"]
        raise InvalidInput(f"{old.row['uuid']} is superseded already, by {first}: undo that first")
    if any(one["id"] == old.row["id"] for one in _successors(tx, new)):
        raise InvalidInput(f"{new.row['uuid']} is superseded by {old.row['uuid']} itself: undo that first")
    at = min(_date(new.row) or tx.now, tx.now)
    if old.kind == MEMORY:
        memories.supersede(tx, number=old.row["id"], by=new.row["id"], at=at)
    else:
        documents.supersede(tx, number=old.row["id"], by=new.row["id"], at=at)
        memories.supersede_chunks(tx, document=old.row["id"], by=new.row["id"], at=at)
    return at


def _restore_text(tx: Transaction, old: Located, new: Located | None) -> None:
    """Restore a memory, or a document with its chunks."""
    if new is not None and old.kind == MEMORY and _is_doubted(tx, old, new):
        changes.keep(tx, old.row["id"])
        return
    if new is None or old.row["superseded_by"] != new.row["id"]:
        other = "anything" if new is None else new.row["uuid"]
        raise InvalidInput(f"{old.row['uuid']} is not superseded by {other}: there is nothing to undo")
    if old.kind == MEMORY:
        memories.restore(tx, number=old.row["id"])
    else:
        memories.restore_chunks(tx, document=old.row["id"], at=old.row["superseded_at"])
        documents.restore(tx, number=old.row["id"])


def _is_doubted(tx: Transaction, old: Located, new: Located) -> bool:
    """Whether a memory that holds is marked as perhaps outdated by another."""
    if old.row["superseded_at"] is not None:
        return False
    found = changes.reasons(tx, refs=[old.row["id"]], at=tx.now).get(old.row["id"], [])
    return any(one["other"] == new.row["id"] for one in found)


def _successors(tx: Transaction, one: Located) -> list[Row]:
    """What superseded one, what superseded that, and so on, nearest first."""
    number = one.row["id"]
    if one.kind == MEMORY:
        return memories.successors(tx, number=number)
    return documents.successors(tx, number=number)


def _date(row: Row) -> int | None:
    date: int | None = row["said_at"] if "said_at" in row else row["date"]
    return date


def _located(tx: Transaction, id: str) -> Located:
    found = locate(tx, id=id)
    if found is None:
        raise NotFound(f"there is no document, memory or fact {id!r}: `jotsam recall` shows ids")
    return found
