"""Updates of memories by callers, and their earlier versions."""

from __future__ import annotations

import json

from jotsam.storage.metadata_index import hashes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.storage.database import Row, Transaction, Value


def lock(tx: Transaction, *, uuid: str) -> int | None:
    """The version of a memory, which no other transaction changes until this one ends; None without one."""
    tx.lock(f"memory {tx.tenant} version {uuid}")
    row = tx.one("updates.version", uuid=uuid)
    return row["version"] if row else None


def keep_version(tx: Transaction, *, number: int, tags: Iterable[str]) -> None:
    """Keep the memory as it is before an update."""
    tx.run("updates.keep_version", id=number, tags=json.dumps(list(tags)))


def versions(tx: Transaction, *, number: int) -> list[Row]:
    """The earlier versions of a memory, the first one first. `tags` and `metadata` are JSON."""
    return tx.all("updates.versions", memory_id=number)


def forget_versions(tx: Transaction, *, number: int) -> None:
    """Delete the earlier versions of a memory."""
    tx.run("updates.forget_versions", memory_id=number)


def forget_old_text(tx: Transaction, *, number: int, before: int) -> None:
    """Delete what was made of a memory's texts before a time: replies of models, and notes of redactions."""
    tx.run("updates.forget_replies", memory_id=number, before=before)
    tx.run("updates.forget_redactions", memory_id=number, before=before)


def forget_old_judgements(tx: Transaction, *, number: int) -> None:
    """Delete what was decided about a text of a memory that is gone: it has a title of that text."""
    tx.run("updates.delete_old_judgements", memory_id=number)


def save(tx: Transaction, *, number: int, fields: Mapping[str, Value]) -> int:
    """Save every field that an update can change, by the names of the columns. Returns the new version."""
    row = tx.one("updates.save", id=number, **fields)
    assert row is not None
    return int(row["version"])


def given_tags(tx: Transaction, *, number: int) -> tuple[str, ...]:
    """The tags of callers, without those that were found."""
    return tuple(row["tag"] for row in tx.all("updates.given_tags", memory_id=number))


def change_tags(tx: Transaction, *, number: int, add: Iterable[str], remove: Iterable[str]) -> None:
    """Add tags of a caller, and remove tags of anyone."""
    tx.run_many("updates.remove_tag", [{"memory_id": number, "tag": tag} for tag in remove])
    tx.run_many("updates.set_tag", [{"memory_id": number, "tag": tag} for tag in add])


def index_metadata(tx: Transaction, *, number: int, metadata: str | None) -> None:
    """Replace the index of a memory's metadata, which is JSON."""
    tx.run("updates.clear_metadata", memory_id=number)
    found = () if metadata is None else hashes(metadata)
    tx.run_many("memories.index_metadata", [{"memory_id": number, "hash": hash} for hash in found])


def drop_vector(tx: Transaction, *, number: int) -> None:
    """Delete the vector of a memory. One that is being computed is not saved."""
    tx.run("updates.drop_vector", memory_id=number)
