"""What runs of the lifecycle keep of texts: removes it when neither a memory nor the trash has the text any longer.

A run keeps what it changed, so that it can be undone. Titles of crystals, names of themes and summaries repeat texts.
"""

from __future__ import annotations

import json

from jotsam.storage.forgetting import trash
from jotsam.storage.lifecycle import lifecycle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from jotsam.storage.database import Transaction

IDENTITY = "identity"


def forget_gone(tx: Transaction) -> None:
    """Remove the changes about what is gone from the records of runs: they could not be undone any longer."""
    rows = tx.all("run_records.quoting")
    changes = [json.loads(row["changes"]) for row in rows]
    kept = _Kept(tx, [one for some in changes for one in some]) if rows else None
    for row, before in zip(rows, changes, strict=True):
        assert kept is not None
        after = [one for one in map(kept.without_gone, before) if one is not None]
        if after != before:
            lifecycle.set_changes(tx, row["run_id"], part=row["part"], changes=after)


class _Kept:
    """What a tenant still has of what changes are about, in its tables or in the trash."""

    def __init__(self, tx: Transaction, changes: list[dict[str, Any]]) -> None:
        numbers = {number for one in changes for number in _numbers(one["undo"])}
        uuids = {id for one in changes for id in one["ids"]}
        entities = [one["undo"]["entity"] for one in changes if one["kind"] == IDENTITY]
        stored = tx.all("run_records.memories", ids=json.dumps([*numbers]), uuids=json.dumps([*uuids]))
        self._versions = {(row["id"], row["version"]) for row in stored}
        for row in tx.all("run_records.versions", ids=json.dumps([*numbers])):
            self._versions.add((row["memory_id"], row["version"]))
        self._numbers = {row["id"] for row in stored}
        self._names = {row["uuid"] for row in stored}
        self._entities = {row["id"] for row in tx.all("run_records.entities", ids=json.dumps(entities))}
        trashed = trash.ids(tx)
        self._trashed = {number for name, number in trashed.items() if ":" not in name}
        self._names |= trashed.keys()

    def without_gone(self, change: dict[str, Any]) -> dict[str, Any] | None:
        """The change without what it says about what is gone; None if nothing of it is left."""
        undo = change["undo"]
        if "rows" in undo:
            rows = [[n, before if self._says(n, before) else None, after] for n, before, after in undo["rows"]]
            rows = [row for row in rows if self._says(row[0], row[2])]
            if not rows or ("crystal" in undo and not self._has(undo["crystal"])):
                return None
            ids = [id for id in change["ids"] if id in self._names]
            return {**change, "ids": ids, "undo": {**undo, "rows": rows}}
        if change["kind"] == IDENTITY:
            return change if undo["entity"] in self._entities or change["ids"][0] in self._names else None
        # A theme and a summary that was replaced are not there in any case.
        others = {undo.get("theme"), ((undo.get("before") or {}).get("uuid"))}
        return change if {*change["ids"]} <= self._names | others else None

    def _has(self, number: int) -> bool:
        return number in self._numbers or number in self._trashed

    def _says(self, number: int, judged: dict[str, Any] | None) -> bool:
        """Whether the text that was judged is still there."""
        if judged is None:
            return self._has(number)
        return (number, judged["text_version"]) in self._versions or number in self._trashed


def _numbers(undo: dict[str, Any]) -> Iterator[int]:
    """The ids of memories that a change has to have to be undone."""
    for row in undo.get("rows", ()):
        yield row[0]
    if "crystal" in undo:
        yield undo["crystal"]
