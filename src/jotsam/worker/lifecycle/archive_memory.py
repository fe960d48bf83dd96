"""The change `archive`: hides a memory from recall, because of its age or because it was merged into another."""

from __future__ import annotations

from jotsam.storage.memories import archive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def apply(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has the id of the `memory`, and `into`: that of the memory it was merged into, or null."""
    if not archive.archive(tx, data["memory"], into=data["into"]):
        return None
    return {"memory": data["memory"], "into": data["into"], "at": tx.now}


def revert(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    done = archive.restore(tx, undo["memory"], into=undo["into"], at=undo["at"])
    return int(done), int(not done)
