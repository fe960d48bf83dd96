"""The change `link`: links two memories."""

from __future__ import annotations

from jotsam.storage.graph import graph
from jotsam.storage.lifecycle import found_links

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def apply(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has `source` and `target` (each an id and a version), `type`, `weight`, and `properties` (JSON)."""
    source, target = tuple(data["source"]), tuple(data["target"])
    if not found_links.can_link(tx, source=source, target=target):
        return None
    how = {name: data[name] for name in ("type", "weight", "properties")}
    graph.link(tx, source=source[0], target=target[0], extractor=found_links.EXTRACTOR, **how)
    return {"source": source[0], "target": target[0], "type": data["type"]}


def revert(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    done = found_links.delete(tx, **undo)
    return (1, 0) if done else (0, 1)
