"""Memories and links as nodes and edges of AutoMem's graph viewer, with its colours."""

from __future__ import annotations

from jotsam.core.clock import format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.core.records import Link, StoredMemory
    from jotsam.core.settings import Settings

UNTYPED = "Memory"  # how AutoMem names the type of a memory that has none
IMPORTANCE, CONFIDENCE = 0.5, 0.8  # shown for a memory without a value

TYPE_COLORS = {
    "Decision": "#3B82F6",
    "Pattern": "#10B981",
    "Preference": "#8B5CF6",
    "Style": "#EC4899",
    "Habit": "#F59E0B",
    "Insight": "#F97316",
    "Context": "#6B7280",
    UNTYPED: "#94A3B8",
}
RELATION_COLORS = {
    "RELATES_TO": "#94A3B8",
    "LEADS_TO": "#3B82F6",
    "OCCURRED_BEFORE": "#6B7280",
    "SIMILAR_TO": "#0EA5E9",
    "PRECEDED_BY": "#475569",
    "PREFERS_OVER": "#8B5CF6",
    "EXEMPLIFIES": "#10B981",
    "CONTRADICTS": "#EF4444",
    "REINFORCES": "#22C55E",
    "INVALIDATED_BY": "#F97316",
    "EVOLVED_INTO": "#06B6D4",
    "DERIVED_FROM": "#A855F7",
    "PART_OF": "#64748B",
    "DISCOVERED": "#EAB308",
    "CONTRASTS_WITH": "#F43F5E",
}
UNKNOWN_COLOR = "#94A3B8"
SIMILAR_TO = "SIMILAR_TO"


def node(memory: StoredMemory) -> dict[str, Any]:
    """A memory as a node that the viewer draws."""
    importance = IMPORTANCE if memory.importance is None else memory.importance
    confidence = CONFIDENCE if memory.confidence is None else memory.confidence
    said_at = memory.created_at if memory.said_at is None else memory.said_at
    type = memory.type or UNTYPED
    return {
        "id": memory.id,
        "content": memory.text,
        "type": type,
        "importance": importance,
        "confidence": confidence,
        "tags": list(memory.tags),
        "timestamp": format_time(said_at),
        "updated_at": format_time(memory.changed_at or memory.created_at),
        "metadata": dict(memory.metadata or {}),
        "color": TYPE_COLORS.get(type, TYPE_COLORS[UNTYPED]),
        "radius": round(0.5 + 1.5 * importance, 4),
        "opacity": round(0.4 + 0.6 * confidence, 4),
    }


def edge(link: Link) -> dict[str, Any]:
    """A link as an edge."""
    properties = {"strength": link.weight, **({"score": link.weight} if link.type == SIMILAR_TO else {})}
    return {
        "id": f"{link.source}-{link.type}-{link.target}",
        "source": link.source,
        "target": link.target,
        "type": link.type,
        "strength": link.weight,
        "color": RELATION_COLORS.get(link.type, UNKNOWN_COLOR),
        "properties": {**properties, **(link.properties or {})},
    }


def meta(settings: Settings, *, query_time_ms: int) -> dict[str, Any]:
    """The colours, and the metadata of a reply."""
    colors = {"type_colors": TYPE_COLORS, "relation_colors": RELATION_COLORS}
    return {**colors, "query_time_ms": query_time_ms, "archive_threshold": settings.archive_below}
