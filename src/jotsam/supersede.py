"""Superseding: a newer memory or document holds in the place of an older one. It takes back as easily.

Nothing is deleted. What is superseded is hidden from recall, also where its raw text would be found, until somebody
asks for the history or for an earlier time.
"""

from __future__ import annotations

from jotsam.errors import InvalidInput, NotFound
from jotsam.records import Record
from jotsam.retrieval.show import locate
from jotsam.storage import documents, facts, memories
from jotsam.worker import succession

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.retrieval.show import Located
    from jotsam.storage.database import Row, Transaction

MEMORY, DOCUMENT = "memory", "document"


class Superseded(Record):
    """What holds in the place of what, by UUID, and from when on in milliseconds; None: it was taken back."""

    kind: str  # memory or document
    old: str
    new: str
    since: int | None


def supersede(tx: Transaction, *, tenant: str, old: str, new: str, undo: bool = False) -> Superseded:
    """Let `new` hold in the place of `old`, or with `undo` both again. Doing it twice changes nothing.

    Both are named by a UUID, the beginning of one, or a caller's own id, and both are memories, or both documents.
    It holds from the date of the newer one, or from now on. Raises `NotFound` and `InvalidInput`.
    """
    tx.enter(tenant)
    before, after = _located(tx, tenant, old), _located(tx, tenant, new)
    if before.kind != after.kind:
        raise InvalidInput(f"{old!r} is a {before.kind} and {new!r} a {after.kind}: give two of the same kind")
    if before.row["id"] == after.row["id"]:
        raise InvalidInput(f"{old!r} and {new!r} are the same {before.kind}: give an older and a newer one")
    change = _undone if undo else _done
    since = change(tx, tenant, before, after)
    if before.kind == MEMORY:
        keys = facts.keys(tx, tenant=tenant, number=before.row["id"])
        succession.settle(tx, keys, tenant=tenant, number=before.row["id"])
    return Superseded(kind=before.kind, old=before.row["uuid"], new=after.row["uuid"], since=since)


def _done(tx: Transaction, tenant: str, old: Located, new: Located) -> int:
    by = old.row["superseded_by"]
    if by is not None:
        if by == new.row["id"]:
            return int(old.row["superseded_at"])
        raise InvalidInput(
            f"{old.row['uuid']} is superseded already, by {_heirs(tx, tenant, old)[0]['uuid']}: undo that"
        )
    if any(heir["id"] == old.row["id"] for heir in _heirs(tx, tenant, new)):
        raise InvalidInput(f"{new.row['uuid']} is superseded by {old.row['uuid']} itself: undo that first")
    at = min(_date(new.row) or tx.now, tx.now)
    if old.kind == MEMORY:
        memories.supersede(tx, tenant=tenant, number=old.row["id"], by=new.row["id"], at=at)
    else:
        documents.supersede(tx, tenant=tenant, number=old.row["id"], by=new.row["id"], at=at)
        memories.supersede_chunks(tx, tenant=tenant, document=old.row["id"], by=new.row["id"], at=at)
    return at


def _undone(tx: Transaction, tenant: str, old: Located, new: Located) -> None:
    if old.row["superseded_by"] != new.row["id"]:
        raise InvalidInput(f"{old.row['uuid']} is not superseded by {new.row['uuid']}: there is nothing to undo")
    if old.kind == MEMORY:
        memories.restore(tx, tenant=tenant, number=old.row["id"])
    else:
        memories.restore_chunks(tx, tenant=tenant, document=old.row["id"], at=old.row["superseded_at"])
        documents.restore(tx, tenant=tenant, number=old.row["id"])


def _heirs(tx: Transaction, tenant: str, one: Located) -> list[Row]:
    number = one.row["id"]
    if one.kind == MEMORY:
        return memories.heirs(tx, tenant=tenant, number=number)
    return documents.heirs(tx, tenant=tenant, number=number)


def _date(row: Row) -> int | None:
    date: int | None = row["said_at"] if "said_at" in row else row["date"]
    return date


def _located(tx: Transaction, tenant: str, id: str) -> Located:
    found = locate(tx, tenant=tenant, id=id)
    if found is None:
        raise NotFound(f"there is no document or memory {id!r}: `jotsam recall` shows ids")
    return found
