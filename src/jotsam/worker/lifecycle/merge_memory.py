"""The change `merge`: archives a duplicate into the memory that says the same, which gets its tags."""

from __future__ import annotations

from jotsam.storage.lifecycle import likeness, themes
from jotsam.worker.lifecycle import archive_memory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def apply(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has the ids of the `memory` and of the one that stays, `into`, and the `versions` of both."""
    number, into = data["memory"], data["into"]
    rows = likeness.some(tx, (number, into))
    if [rows[one]["version"] for one in (number, into) if one in rows] != data["versions"]:
        return None  # One of them was changed or is gone.
    archived = archive_memory.apply(tx, {"memory": number, "into": into})
    if archived is None:
        return None
    return {"archived": archived, "tags": themes.link_duplicate(tx, number, into=into)}


def revert(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    archived = undo["archived"]
    done, kept = archive_memory.revert(tx, archived)
    if done:
        themes.unlink_duplicate(tx, archived["memory"], into=archived["into"], tags=undo["tags"])
    return done, kept
