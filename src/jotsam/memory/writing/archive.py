"""Archiving by hand: a memory is hidden from recall, and nothing of it is deleted.

A memory that a person restored is not archived again by the lifecycle for the reason that it was archived for.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.memory.reading.listing import get_memory
from jotsam.memory.reading.show import memory_row
from jotsam.storage.lifecycle import lifecycle
from jotsam.storage.memories import archive
from jotsam.worker.lifecycle.step import Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.records import StoredMemory
    from jotsam.storage.database import Row, Transaction


def archive_memory(tx: Transaction, *, id: str) -> StoredMemory:
    """Hide a memory from recall. Repeating it changes nothing. Raises `NotFound`, `InvalidInput`."""
    row = _archivable(tx, id)
    archive.archive_by_hand(tx, row["id"])
    return get_memory(tx, id=row["uuid"])


def unarchive_memory(tx: Transaction, *, id: str) -> StoredMemory:
    """Show an archived memory again. Repeating it changes nothing. Raises `NotFound`, `InvalidInput`."""
    row = _archivable(tx, id)
    if row["archived_at"] is not None:
        lifecycle.refuse(tx, _reasons(row))
        archive.unarchive(tx, row["id"])
    return get_memory(tx, id=row["uuid"])


def _archivable(tx: Transaction, id: str) -> Row:
    row = memory_row(tx, id=id)
    if row["summary_of"]:
        raise InvalidInput(
            f"{row['uuid'][:8]} is a summary, which recall shows only after its sources: forget removes it"
        )
    return row


def _reasons(row: Row) -> list[str]:
    """The hashes of the changes that would archive it again: because of its age, and as merged."""
    own = (row["uuid"],)
    changes = [own] if row["archived_by_uuid"] is None else [own, (*own, row["archived_by_uuid"])]
    return [Change(kind="archive", ids=ids, why="", data={}).hash() for ids in changes]
