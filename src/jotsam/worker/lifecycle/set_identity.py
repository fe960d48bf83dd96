"""The change `identity`: sets or removes the text about an entity."""

from __future__ import annotations

from jotsam.storage.lifecycle import identities

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def apply(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has `entity` (its id), `before` (the hash of its text, or null), and `after` (the text, or null)."""
    before = identities.of_entity(tx, data["entity"])
    if (before["hash"] if before else None) != data["before"]:
        return None
    after = data["after"]
    if not identities.save(tx, data["entity"], after):
        return None
    return {"entity": data["entity"], "before": before, "after": after and after["hash"]}


def revert(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    now = identities.of_entity(tx, undo["entity"])
    if (now["hash"] if now else None) != undo["after"]:
        return 0, 1
    done = identities.save(tx, undo["entity"], undo["before"])
    return (1, 0) if done else (0, 1)
