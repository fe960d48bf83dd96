"""Why a line of an export cannot be stored: its id, key or place belongs to something else."""

from __future__ import annotations

from jotsam.core.records import Document, Memory
from jotsam.storage.memories import documents, memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.transfer.export_format import DocumentLine, MemoryLine
    from jotsam.storage.database import Row, Transaction


def document_conflict(tx: Transaction, line: DocumentLine) -> str:
    """Why a document could not be inserted."""
    found = line.key and documents.find_duplicate(tx, Document(text="", tenant=tx.tenant), key=line.key)
    return _belongs("key", line.key, found, line.id) if found else _of_other_tenant(line.id)


def memory_conflict(tx: Transaction, line: MemoryLine) -> str:
    """Why a memory could not be inserted."""
    nothing = Memory(text="", tenant=tx.tenant)
    if found := memories.find_duplicate(tx, nothing.replace(external_id=line.external_id), key=None):
        return _belongs("external id", line.external_id, found, line.id)
    if found := memories.find_duplicate(tx, nothing, key=line.key):
        return _belongs("key", line.key, found, line.id)
    if line.document is not None:
        return f"position {line.position} of document {line.document} is taken by another memory"
    return _of_other_tenant(line.id)


def _belongs(name: str, value: str | None, found: Row, id: str) -> str:
    return f"{name} {value!r} belongs to {found['uuid']}, and this line has the id {id}"


def _of_other_tenant(id: str) -> str:
    return f"id {id} is taken by another tenant of this database"
