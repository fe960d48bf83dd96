"""AutoMem's `/analyze` and `/consolidate`."""

from __future__ import annotations

from typing import Any

from jotsam.core.clock import format_time, monotonic_ms, system_clock
from jotsam.surfaces.http.automem.graph_shapes import UNTYPED
from jotsam.surfaces.http.http_error import HttpError
from jotsam.surfaces.http.route import Call, Reply, Route

MIN_CONFIDENCE = 0.6  # of a pattern
PATTERNS, ENTITIES = 10, 50
NOT_CONSOLIDATED = (
    "consolidation is not built yet: nothing decays, and nothing is archived. Until then, `keep_superseded_days` and "
    "the other settings of retention delete what is old, `jotsam forget` deletes what you choose, and PRECEDED_BY, "
    "SIMILAR_TO and patterns are found when a memory is enriched"
)


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


def consolidate(call: Call) -> Reply:
    """Refuse: there is no lifecycle yet."""
    raise HttpError(501, "not-implemented", NOT_CONSOLIDATED)


ROUTES = (
    Route(
        method="GET",
        path="/analyze",
        handler=analyze,
        scope="read",
        summary="Types, patterns, preferences and entities of the latest memories",
        errors="automem",
    ),
    Route(
        method="POST",
        path="/consolidate",
        handler=consolidate,
        scope="write",
        summary="Not built yet",
        status=501,
        errors="automem",
    ),
    Route(
        method="GET",
        path="/consolidate/status",
        handler=consolidate,
        scope="read",
        summary="Not built yet",
        status=501,
        errors="automem",
    ),
)
