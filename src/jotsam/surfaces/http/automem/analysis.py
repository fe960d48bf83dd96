"""AutoMem's `/analyze`."""

from __future__ import annotations

from typing import Any

from jotsam.core.clock import format_time, monotonic_ms, system_clock
from jotsam.surfaces.http.automem.graph_shapes import UNTYPED
from jotsam.surfaces.http.requests.route import Call, Reply, Route

MIN_CONFIDENCE = 0.6  # of a pattern
PATTERNS, ENTITIES = 10, 50


def analyze(call: Call) -> Reply:
    """Types, patterns, preferences, hours, entities and confidence of the latest memories."""
    began, know = monotonic_ms(), call.jot.knowledge
    found = know.statistics()
    patterns = [one for one in know.patterns(limit=200) if one.confidence > MIN_CONFIDENCE]
    patterns.sort(key=lambda one: -one.confidence)
    analytics: dict[str, Any] = {
        "memory_types": {
            one.type or UNTYPED: {"count": one.memories, "average_confidence": one.confidence or 0}
            for one in found.types
        },
        "patterns": [
            {
                "type": one.type,
                "description": " ".join(one.terms),
                "confidence": one.confidence,
                "observations": one.occurrences,
            }
            for one in patterns[:PATTERNS]
        ],
        "preferences": [
            {
                "prefers": one.preferred,
                "over": one.over,
                "context": (one.link.properties or {}).get("context"),
                "strength": round(one.link.weight, 3),
            }
            for one in know.preferences()
        ],
        "temporal_insights": {
            f"hour_{one.period}": {"count": one.memories, "avg_importance": one.importance or 0} for one in found.hours
        },
        "entity_frequency": {one.name.lower(): one.memories for one in know.entities(limit=ENTITIES)},
        "confidence_distribution": found.confidence.as_dict(),
    }
    took_ms = monotonic_ms() - began
    body = {"status": "success", "analytics": analytics, "examined": found.examined}
    body |= {"generated_at": format_time(system_clock()), "elapsed_ms": took_ms, "query_time_ms": took_ms}
    return Reply(body=body)


ROUTES = (
    Route(
        method="GET",
        path="/analyze",
        handler=analyze,
        scope="read",
        summary="Types, patterns, preferences and entities of the latest memories",
        errors="automem",
    ),
)
