"""Kinds of changes: how each is made, and how it is taken back exactly.

`apply_...` gets the data of a change and returns what `revert_...` needs. Those of themes and crystals are in modules
of their own.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.storage.graph import graph
from jotsam.storage.lifecycle import found_links, identities, likeness, relevance, themes
from jotsam.storage.memories import archive
from jotsam.worker.lifecycle import crystal_changes, save_theme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def apply_link(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has `source` and `target` (each an id and a version), `type`, `weight`, and `properties` (JSON)."""
    source, target = tuple(data["source"]), tuple(data["target"])
    if not found_links.can_link(tx, source=source, target=target):
        return None
    how = {name: data[name] for name in ("type", "weight", "properties")}
    graph.link(tx, source=source[0], target=target[0], extractor=found_links.EXTRACTOR, **how)
    return {"source": source[0], "target": target[0], "type": data["type"]}


def revert_link(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    done = found_links.delete(tx, **undo)
    return (1, 0) if done else (0, 1)


def apply_archive(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has the id of the `memory`, and `into`: that of the memory it was merged into, or null."""
    if not archive.archive(tx, data["memory"], into=data["into"]):
        return None
    return {"memory": data["memory"], "into": data["into"], "at": tx.now}


def revert_archive(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    done = archive.restore(tx, undo["memory"], into=undo["into"], at=undo["at"])
    return int(done), int(not done)


def apply_merge(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has the ids of the `memory` and of the one that stays, `into`, and the `versions` of both."""
    number, into = data["memory"], data["into"]
    rows = likeness.some(tx, (number, into))
    if [rows[one]["version"] for one in (number, into) if one in rows] != data["versions"]:
        return None  # One of them was changed or is gone.
    archived = apply_archive(tx, {"memory": number, "into": into})
    if archived is None:
        return None
    return {"archived": archived, "tags": themes.link_duplicate(tx, number, into=into)}


def revert_merge(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    archived = undo["archived"]
    done, kept = revert_archive(tx, archived)
    if done:
        themes.unlink_duplicate(tx, archived["memory"], into=archived["into"], tags=undo["tags"])
    return done, kept


def apply_identity(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has `entity` (its id), `before` (the hash of its text, or null), and `after` (the text, or null)."""
    before = identities.of_entity(tx, data["entity"])
    if (before["hash"] if before else None) != data["before"]:
        return None
    after = data["after"]
    if not identities.save(tx, data["entity"], after):
        return None
    return {"entity": data["entity"], "before": before, "after": after and after["hash"]}


def revert_identity(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    now = identities.of_entity(tx, undo["entity"])
    if (now["hash"] if now else None) != undo["after"]:
        return 0, 1
    done = identities.save(tx, undo["entity"], undo["before"])
    return (1, 0) if done else (0, 1)


def apply_relevance(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has `set`: lists of the id of a memory, its relevance before (or null), and after."""
    for number, _, after in data["set"]:
        relevance.save(tx, number, after)
    return data


def revert_relevance(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    reverted = 0
    for number, before, after in undo["set"]:
        if relevance.of_memory(tx, number) == after:
            relevance.save(tx, number, before)
            reverted += 1
    return reverted, len(undo["set"]) - reverted


class Action(Record):
    """How a kind of change is made and taken back.

    `apply` gets the data of the change and returns what `revert` needs, as plain JSON values; None if there is nothing
    to change any longer. `revert` returns how many changes it took back, and how many it left because something else
    has changed the same since.
    """

    apply: Callable[[Transaction, Mapping[str, Any]], Mapping[str, Any] | None]
    revert: Callable[[Transaction, Mapping[str, Any]], tuple[int, int]]
    is_repeated: bool = False  # it is made again by a later run although it was taken back


# All but `remove`, which deletes what no other job deletes: see `memory.lifecycle.lifecycle_actions`.
ACTIONS: dict[str, Action] = {
    "archive": Action(apply=apply_archive, revert=revert_archive),
    "identity": Action(apply=apply_identity, revert=revert_identity),
    "link": Action(apply=apply_link, revert=revert_link),
    "merge": Action(apply=apply_merge, revert=revert_merge),
    "summary": Action(apply=save_theme.apply_summary, revert=save_theme.revert_summary),
    "theme": Action(apply=save_theme.apply, revert=save_theme.revert),
    "triage": Action(apply=crystal_changes.apply_triage, revert=crystal_changes.revert_triage, is_repeated=True),
    "refusal": Action(apply=crystal_changes.apply_triage, revert=crystal_changes.revert_triage, is_repeated=True),
    "crystal": Action(apply=crystal_changes.apply_crystal, revert=crystal_changes.revert_crystal),
    "support": Action(apply=crystal_changes.apply_support, revert=crystal_changes.revert_support),
    "relevance": Action(apply=apply_relevance, revert=revert_relevance, is_repeated=True),
}
