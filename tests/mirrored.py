"""Memories as engines hold them, for tests."""

from __future__ import annotations

from typing import Any

from jotsam.core.mirror_records import MirroredMemory


def a_memory(id: str, **fields: Any) -> MirroredMemory:
    blank = dict.fromkeys(MirroredMemory._fields) | {"tags": (), "entities": (), "facts": (), "links": ()}
    return MirroredMemory(**blank | {"id": id, "digest": f"of {id}", "content": f"text {id}", "created_at": 5} | fields)
