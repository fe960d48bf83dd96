"""The changes of the step `crystals`: what was decided about memories, new crystals, and more sources of a crystal."""

from __future__ import annotations

import json

from jotsam.core.clock import new_id
from jotsam.core.records import Memory
from jotsam.ingest.accept import index_fields
from jotsam.storage import queue
from jotsam.storage.forgetting import erasure
from jotsam.storage.graph import graph
from jotsam.storage.lifecycle import crystals
from jotsam.storage.memories import memories, projects
from jotsam.storage.recall import search, vectors
from jotsam.worker.enrichment import embed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def apply_triage(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has `rows`: lists of the id of a memory, and what was decided about it."""
    done = []
    for number, after in data["rows"]:
        row = crystals.current(tx, number)
        if row is not None and row["version"] == after["text_version"]:
            done.append([number, crystals.triage_of(tx, number), after])
            crystals.set_triage(tx, number, after)
    return {"rows": done} if done else None


def revert_triage(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    reverted = 0
    for number, before, after in reversed(undo["rows"]):
        if crystals.triage_of(tx, number) == after:
            crystals.set_triage(tx, number, before)
            reverted += 1
    return reverted, len(undo["rows"]) - reverted


def apply_crystal(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has fields of the new memory (`text`, `kind`, `title`, ...) and its `sources`: id, version, decision."""
    rows = [row for row in data["sources"] if _is_unchanged(tx, row)]
    if len(rows) < len(data["sources"]):
        return None
    number = _save(tx, data)
    for source, _, _ in rows:
        _link(tx, number, source)
    return {"crystal": number, "rows": _promote(tx, number, rows)}


def revert_crystal(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    number = undo["crystal"]
    row = crystals.current(tx, number)
    if row is None or row["version"] != 1:
        return 0, 1
    revert_triage(tx, undo)
    erasure.delete(tx, erasure.Doomed.of(memories=(number,), documents=()))
    return 1, 0


def apply_support(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has the id of a `crystal`, and `sources` as for a new one."""
    if crystals.current(tx, data["crystal"]) is None:
        return None
    rows = [row for row in data["sources"] if _is_unchanged(tx, row)]
    linked = {row["id"] for row in crystals.sources(tx, [data["crystal"]])}
    rows = [row for row in rows if row[0] not in linked]
    if not rows:
        return None
    for source, _, _ in rows:
        _link(tx, data["crystal"], source)
    return {"crystal": data["crystal"], "rows": _promote(tx, data["crystal"], rows)}


def revert_support(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    done = [crystals.unlink(tx, undo["crystal"], number) for number, _, _ in undo["rows"]]
    revert_triage(tx, undo)
    return int(any(done)), int(not any(done))


def _link(tx: Transaction, crystal: int, source: int) -> None:
    graph.link(tx, source=crystal, target=source, type=crystals.DERIVED_FROM, extractor=crystals.EXTRACTOR)


def _is_unchanged(tx: Transaction, source: list[Any]) -> bool:
    row = crystals.current(tx, source[0])
    return row is not None and row["version"] == source[1]


def _promote(tx: Transaction, crystal: int, rows: Iterable[list[Any]]) -> list[list[Any]]:
    """Save that a crystal was made of memories. Returns what `revert_triage` needs."""
    done = []
    for number, _, decided in rows:
        after = {**decided, "state": crystals.PROMOTED, "reason": None, "crystal_id": crystal}
        done.append([number, crystals.triage_of(tx, number), after])
        crystals.set_triage(tx, number, after)
    return done


def _save(tx: Transaction, data: Mapping[str, Any]) -> int:
    """Store the memory and index its words. It was made of enriched memories, so it is not enriched itself."""
    about = {name: data[name] for name in ("kind", "title", "why")}
    memory = Memory(
        text=data["text"],
        id=new_id(),
        tenant=tx.tenant,
        project=projects.of_row(tx, data["project"], None)["project"],
        type=data["type"],
        tags=(crystals.TAG, f"{crystals.TAG}:{data['kind']}"),
        importance=data["importance"],
        confidence=data["confidence"],
        metadata=about,
        actor=data["actor"],
        said_at=data["said_at"],
    )
    number = memories.save(tx, memory, metadata=json.dumps(about, ensure_ascii=False), key=None, job_id=0)
    memories.mark_enriched(tx, number=number, extractor=crystals.EXTRACTOR, summary=data["title"])
    search.index(tx, number, **index_fields(memory))
    if data["embeds"] and vectors.want(tx, number=number):
        queue.ensure(tx, embed.job_spec(tx.tenant))
    return number
