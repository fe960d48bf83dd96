"""The change `relevance`: sets the relevance of many memories."""

from __future__ import annotations

from jotsam.storage.lifecycle import relevance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def apply(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has `set`: lists of the id of a memory, its relevance before (or null), and after."""
    for number, _, after in data["set"]:
        relevance.save(tx, number, after)
    return data


def revert(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    reverted = 0
    for number, before, after in undo["set"]:
        if relevance.of_memory(tx, number) == after:
            relevance.save(tx, number, before)
            reverted += 1
    return reverted, len(undo["set"]) - reverted
