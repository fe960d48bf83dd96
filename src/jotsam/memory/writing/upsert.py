"""Storing a memory by its key: the first call creates it, later ones change it, and the earlier text is a version."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import UpsertReceipt
from jotsam.ingest import accept
from jotsam.ingest.validation import check_line
from jotsam.memory.writing.update import PLAIN, update
from jotsam.storage.memories import archive, memories, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jotsam.core.records import Receipt
    from jotsam.storage.database import Row, Transaction

CHANGEABLE = frozenset(("tags", "metadata", *PLAIN))
FIXED = ("actor", "project", "session", "external_id")  # another one would make it another memory


def upsert(
    tx: Transaction,
    *,
    key: str,
    text: str,
    options: Mapping[str, Any],
    create: Callable[[Transaction], Receipt],
    attempts: int = accept.ENRICH_ATTEMPTS,
) -> UpsertReceipt:
    """Create the memory of a key with `create`, or change it. Raises `InvalidInput`."""
    name = check_line("key", key)
    if name is None:
        raise InvalidInput(f"invalid key {key!r}: must have a visible character")
    uuid = memories.by_key(tx, key=name)
    if uuid is None:
        receipt = create(tx)
        if receipt.duplicate:
            raise InvalidInput(f"external_id {options['external_id']!r} belongs to {receipt.id}, which has another key")
        job = receipt.job_id or None
        made = UpsertReceipt(id=receipt.id, job_id=job, created=True, version=1, warnings=receipt.warnings)
        return made.replace(created=False, version=0, forgotten=True) if receipt.forgotten else made
    row = memories.get(tx, uuid=uuid) or {}
    _check_same(tx, name, row, options)
    changes = {name: value for name, value in options.items() if name in CHANGEABLE}
    done = update(tx, id=uuid, options={"text": text, **changes}, attempts=attempts)
    if row:
        archive.unarchive(tx, row["id"])  # What is said again is found, also with the same text.
    return UpsertReceipt(id=done.id, job_id=done.job_id, created=False, version=done.version, warnings=done.warnings)


def _check_same(tx: Transaction, key: str, row: Row, wanted: Mapping[str, Any]) -> None:
    for name in FIXED:
        value = check_line(name, wanted.get(name))
        value = projects.asked(tx, value) if name == "project" else value
        if value is not None and value != row.get(name):
            raise InvalidInput(f"key {key!r} is of a memory with another {name} than {value!r}: give another key")
