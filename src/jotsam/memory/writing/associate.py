"""Links that callers create, of which two types also supersede their source by their target, on every surface.

Linking A to B by INVALIDATED_BY hides A from recall, as `supersede(A, B)` does, in one transaction; so does
EVOLVED_INTO. So a link never states a replacement that recall contradicts, and AutoMem's associations mean the same. A
chain of such links is followed to its last memory. Deleting the link undoes both. A memory is superseded by one memory
at a time, and never by one that it supersedes itself: such a link is created, and hides nothing more.
"""

from __future__ import annotations

from jotsam.core.names import SUPERSEDING
from jotsam.core.records import Record
from jotsam.memory.reading.show import memory_row
from jotsam.memory.writing import batches, linking
from jotsam.memory.writing.supersede import supersede, undo_supersede
from jotsam.storage.graph import graph
from jotsam.storage.memories import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.core.records import ItemResult, Link
    from jotsam.storage.database import Database, Row, Transaction

WEIGHT = 0.5  # of an association that names none
_ITEM = frozenset(("source", "type", "target", "weight", "properties"))


class Association(Record):
    """What `associate` created."""

    link: Link
    supersedes: bool  # the source of the link is superseded by its target now


def associate(database: Database, *, tenant: str, **item: object) -> Association:
    """Associate two memories by `source`, `type`, `target`, and perhaps `weight` and `properties`.

    Raises `NotFound`, `InvalidInput`.
    """
    with database.transaction(tenant=tenant) as tx:
        return associate_in(tx, item)


def associate_many(database: Database, items: Iterable[Mapping[str, object]], *, tenant: str) -> list[ItemResult]:
    """Associate up to 500 pairs of memories in one transaction, in order. An invalid one does not affect the others."""
    found = batches.check_items(items)
    with database.transaction(tenant=tenant) as tx:
        linking.lock(tx)
        return batches.link_each(found, lambda item: _associate(tx, item).link)


def associate_in(tx: Transaction, item: object) -> Association:
    """As `associate`, in a transaction of the caller."""
    linking.lock(tx)
    return _associate(tx, item)


def _associate(tx: Transaction, item: object) -> Association:
    fields = batches.check_item(item, required=("source", "type", "target"), allowed=_ITEM)
    fields.setdefault("weight", WEIGHT)
    return link(tx, **fields)


def link(tx: Transaction, **fields: Any) -> Association:
    """As `linking.link`, and supersede if that is what the type says. The caller holds the lock of `linking`."""
    made = linking.link(tx, **fields)
    supersedes = made.type in SUPERSEDING and _hide(tx, made.source, made.target)
    return Association(link=made, supersedes=supersedes)


def unlink(tx: Transaction, *, source: str, type: str, target: str) -> Link:
    """Delete a link that a caller created, and what `associate` superseded because of it.

    If another association replaces the same memory, that one takes its place. Raises `NotFound`, `InvalidInput`.
    """
    linking.lock(tx)
    found = linking.unlink(tx, source=source, type=type, target=target)
    if found.type not in SUPERSEDING:
        return found
    left = _replacements(tx, memory_row(tx, id=found.source))
    if found.target not in left and _is_superseded_by(tx, found.source, found.target):
        undo_supersede(tx, old=found.source, new=found.target)
        for other in left:
            if _hide(tx, found.source, other):
                break
    return found


def _hide(tx: Transaction, old: str, new: str) -> bool:
    """Supersede a memory, unless another replaces it already, or it replaces the other one itself."""
    row, other = memory_row(tx, id=old), memory_row(tx, id=new)
    if row["superseded_by"] is not None:
        return bool(row["superseded_by"] == other["id"])
    if any(one["id"] == row["id"] for one in memories.successors(tx, number=other["id"])):
        return False
    supersede(tx, old=old, new=new)
    return True


def _is_superseded_by(tx: Transaction, old: str, new: str) -> bool:
    return bool(memory_row(tx, id=old)["superseded_by"] == memory_row(tx, id=new)["id"])


def _replacements(tx: Transaction, row: Row) -> list[str]:
    """The memories that a memory is associated with as its replacement."""
    links = graph.links(tx, row["id"])
    return [one["target"] for one in links if one["type"] in SUPERSEDING and one["extractor"] is None]
