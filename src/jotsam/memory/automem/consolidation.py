"""What AutoMem's consolidation reports of each step: of a dry run, and of runs that have ended."""

from __future__ import annotations

import json
from collections import Counter

from jotsam.core.clock import format_time
from jotsam.core.errors import NotFound
from jotsam.core.lifecycle_records import LifecycleChange
from jotsam.core.names import CLUSTER, CREATIVE, DECAY, FORGET, FOUND_LINK_TYPES, IDENTITY
from jotsam.core.records import Record
from jotsam.memory.lifecycle import lifecycle
from jotsam.storage.lifecycle import themes as storage_themes
from jotsam.storage.lifecycle.lifecycle import relevance_statistics
from jotsam.storage.memories import selection
from jotsam.storage.transfer import exports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from jotsam.memory.api.client import Jotsam
    from jotsam.storage.database import Row

FULL = (DECAY, CREATIVE, CLUSTER, FORGET)
MODES = {"full": FULL, **{step: (step,) for step in (*FULL, IDENTITY)}}

LISTED = 100  # archived and removed memories
SAMPLED_LINKS, SAMPLED_CLUSTERS = 3, 2
DAY_MS = 86_400_000
PREVIEW, SAMPLE = 50, 100  # characters of a memory
UNTYPED = "Memory"  # how AutoMem names the type of a memory that has none
CLASSES = ("high", "medium", "low", "archive")
BOUNDS = ((0.7, "high"), (0.3, "medium"), (0.1, "low"))
UNKNOWN = 0.5
IDENTITY_SKIPPED = {"skipped": True, "reason": "identity is a mode of its own: it is not part of full"}


class Seen(Record):
    """What a step found, or did."""

    examined: int
    counts: Mapping[str, int]
    changes: Sequence[LifecycleChange]
    data: Sequence[Mapping[str, Any]] = ()  # of the same changes, for a dry run


def relevance(jot: Jotsam) -> dict[str, Any]:
    """The average relevance now, and how many memories are in each class."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        return dict(relevance_statistics(tx))


def planned(jot: Jotsam, step: str) -> dict[str, Any]:
    """The report of a dry run."""
    found = relevance(jot)
    total, classes = found["average"] * found["memories"], Counter({name: found[name] for name in CLASSES})
    examined, counts = 0, Counter[str]()
    changes: list[LifecycleChange] = []
    data: list[Mapping[str, Any]] = []
    for part in lifecycle.planned_parts(jot.database, jot.settings, step):
        examined += part.examined
        for one in part.changes:
            counts[one.kind] += one.number
            if step == DECAY:
                for _, before, after in one.data["set"]:
                    old = UNKNOWN if before is None else before
                    total += after - old
                    classes[_class(old)] -= 1
                    classes[_class(after)] += 1
            elif len(changes) < LISTED:
                changes.append(LifecycleChange(kind=one.kind, ids=one.ids, why=one.why, number=one.number))
                data.append(one.data)
    if step == DECAY:
        after = {**found, "average": total / max(1, found["memories"]), **classes}
        return decayed(examined, counts["relevance"], before=found, after=after)
    return report(jot, step, Seen(examined=examined, counts=counts, changes=changes, data=data), dry_run=True)


def decayed(processed: int, updated: int, *, before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The report of `decay`."""
    return {
        "processed": processed,
        "updated": updated,
        "avg_relevance_before": before["average"] if processed else 0,
        "avg_relevance_after": after["average"] if processed else 0,
        "distribution": {name: after[name] for name in CLASSES},
    }


def report(jot: Jotsam, step: str, seen: Seen, *, dry_run: bool) -> dict[str, Any]:
    """The report of any other step."""
    reports: dict[str, Callable[[Jotsam, Seen, bool], dict[str, Any]]] = {
        CREATIVE: _creative,
        CLUSTER: _cluster,
        IDENTITY: _identity,
        FORGET: _forget,
    }
    return reports[step](jot, seen, dry_run)


def _creative(jot: Jotsam, seen: Seen, dry_run: bool) -> dict[str, Any]:
    links, sample = seen.counts.get("link", 0), []
    for number, one in enumerate([one for one in seen.changes if one.kind == "link"][:SAMPLED_LINKS]):
        data = seen.data[number] if number < len(seen.data) else _made(jot, one)
        said = json.loads(data.get("properties") or "{}")
        sample.append(
            {
                "memory1_id": one.ids[0],
                "memory2_id": one.ids[1],
                "type": data.get("type"),
                "kind": said.get("kind"),
                "confidence": data.get("weight"),
                "similarity": said.get("similarity"),
                "reason": one.why,
            }
        )
    return {"discovered": links, "created": 0 if dry_run else links, "sample_associations": sample}


def _made(jot: Jotsam, one: LifecycleChange) -> Mapping[str, Any]:
    """The link that a change has made, if it is there still."""
    try:
        links = jot.show(one.ids[0]).links
    except NotFound:
        return {}
    found = [link for link in links if link.target == one.ids[1] and link.type in FOUND_LINK_TYPES]
    if not found:
        return {}
    (link,) = found[:1]
    return {"type": link.type, "weight": link.weight, "properties": json.dumps(dict(link.properties or {}))}


def _cluster(jot: Jotsam, seen: Seen, dry_run: bool) -> dict[str, Any]:
    themes = [(number, one) for number, one in enumerate(seen.changes) if one.kind == "theme"]
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        known = exports.numbers(tx, "memory", [id for _, one in themes for id in one.ids])
        # A theme that ended is a change too, whose last id is its own.
        found = [(number, one) for number, one in themes if all(id in known for id in one.ids)]
        sample = []
        for number, one in found[:SAMPLED_CLUSTERS]:
            rows = [row for row, _ in selection.rows(tx, [known[id] for id in one.ids]).values()]
            if number < len(seen.data):
                id = seen.data[number]["theme"]
            else:
                id = next((theme.id for theme in storage_themes.of_memory(tx, known[one.ids[0]])), None)
            sample.append({"cluster_id": id, **_described(rows, one), "created_at": format_time(tx.now)})
    return {
        "clusters_found": len(found),
        "meta_memories_created": 0 if dry_run else seen.counts.get("summary", 0),
        "merged": seen.counts.get("merge", 0),
        "sample_clusters": sample,
    }


def _described(rows: Sequence[Row], one: LifecycleChange) -> dict[str, Any]:
    """What memories of a cluster are like."""
    days = [(row["created_at"] if row["said_at"] is None else row["said_at"]) // DAY_MS for row in rows]
    types = Counter(row["type"] or UNTYPED for row in rows)
    return {
        "memory_ids": list(one.ids),
        "size": len(one.ids),
        "dominant_type": types.most_common(1)[0][0],
        "time_span_days": max(days) - min(days),
        "sample_content": rows[0]["body"][:SAMPLE],
        "reason": one.why,
    }


def _identity(jot: Jotsam, seen: Seen, dry_run: bool) -> dict[str, Any]:
    merges = [one for one in seen.changes if "merge" in one.kind]
    return {
        "merges_performed": [] if dry_run else [_merge(one) for one in merges],
        "merge_candidates_for_review": [_merge(one) for one in merges] if dry_run else [],
        "identities_synthesized": seen.counts.get("identity", 0),
        "entities_examined": seen.examined,
        "errors": [],
    }


def _merge(one: LifecycleChange) -> dict[str, Any]:
    return {"alias": one.ids[0], "canonical": one.ids[-1], "reason": one.why}


def _forget(jot: Jotsam, seen: Seen, dry_run: bool) -> dict[str, Any]:
    archived = [one for one in seen.changes if one.kind == "archive"]
    deleted = [one for one in seen.changes if one.kind != "archive"]
    return {
        "examined": seen.examined,
        "archived": [_gone(jot, one) for one in archived],
        "deleted": [_gone(jot, one) for one in deleted],
        "preserved": max(0, seen.examined - sum(seen.counts.values())),
        "protected": _protected(jot),
    }


def _gone(jot: Jotsam, one: LifecycleChange) -> dict[str, Any]:
    gone = {"id": one.ids[0], "content_preview": "", "relevance": None, "type": None, "reason": one.why}
    try:
        found = jot.show(one.ids[0])
    except NotFound:  # It was removed.
        return gone
    if found.memory is None:
        return gone
    return {
        **gone,
        "content_preview": found.memory.text[:PREVIEW],
        "relevance": found.relevance,
        "type": found.memory.type,
    }


def _protected(jot: Jotsam) -> list[dict[str, Any]]:
    """The first memories that are kept although their relevance is below a threshold."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        found = lifecycle.protected(tx, jot.settings, limit=LISTED)
        texts = selection.rows(tx, [row["id"] for row, _, _ in found])
    return [
        {
            "id": row["uuid"],
            "content_preview": texts[row["id"]][0]["body"][:PREVIEW],
            "relevance": row["relevance"],
            "type": row["type"],
            "protection_reason": reason,
            "action": "archive" if action == "archive" else "delete",
        }
        for row, action, reason in found
    ]


def _class(value: float) -> str:
    return next((name for bound, name in BOUNDS if value > bound), "archive")
