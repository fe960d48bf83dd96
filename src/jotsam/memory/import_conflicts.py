"""Why a document or memory of an export or the trash cannot be stored: something else has its id, key or place."""

from __future__ import annotations

from jotsam.core.records import Document, Memory
from jotsam.storage import documents, memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def document_conflict(tx: Transaction, *, id: str, key: str | None) -> str:
    """Why a document could not be inserted."""
    found = key and documents.find_duplicate(tx, Document(text="", tenant=tx.tenant), key=key)
    return _belongs("key", key, found, id) if found else _of_other_tenant(id)


def memory_conflict(
    tx: Transaction,
    *,
    id: str,
    key: str | None,
    external_id: str | None,
    document: str | None = None,
    position: int | None = None,
) -> str:
    """Why a memory could not be inserted: of a chunk with its place in its document."""
    nothing = Memory(text="", tenant=tx.tenant)
    if found := memories.find_duplicate(tx, nothing.replace(external_id=external_id), key=None):
        return _belongs("external id", external_id, found, id)
    if found := memories.find_duplicate(tx, nothing, key=key):
        return _belongs("key", key, found, id)
    if document is not None:
        return f"position {position} of document {document} is taken by another memory"
    return _of_other_tenant(id)


def _belongs(name: str, value: str | None, found: Row, id: str) -> str:
    return f"{name} {value!r} belongs to {found['uuid']}, and this line has the id {id}"


def _of_other_tenant(id: str) -> str:
    return f"id {id} is taken by another tenant of this database"
