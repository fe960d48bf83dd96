"""AutoMem's routes that read memories without a question: related ones, and those to start a session with."""

from __future__ import annotations

from msgspec import Struct

from jotsam.core.clock import monotonic_ms
from jotsam.core.names import FOUND_LINK_TYPES, LINK_TYPES
from jotsam.memory.automem.memories import with_tags
from jotsam.surfaces.http.automem.memory_shapes import memory, memory_id, summary
from jotsam.surfaces.http.automem.query_values import number
from jotsam.surfaces.http.requests.route import Call, Reply, Route

SYSTEM_TYPES = ("SIMILAR_TO", "PRECEDED_BY", *FOUND_LINK_TYPES)
LIMIT, MAX_LIMIT, MAX_DEPTH = 5, 200, 3
LESSON_TAGS, LESSONS = ("critical", "lesson", "ai-assistant"), 10
RULE_TAGS, RULES = ("system", "memory-recall"), 5
CRITICAL = 0.9


class RelatedQuery(Struct):
    """Which links to follow, and how far."""

    relationship_types: str | None = None
    max_depth: str | None = None
    limit: str | None = None


def related(call: Call) -> Reply:
    """The memories that links lead to, the most important first."""
    began, id, query = monotonic_ms(), memory_id(call.path["id"]), call.query
    depth = number(query.max_depth, 1, 1, MAX_DEPTH)
    limit = number(query.limit, LIMIT, 1, MAX_LIMIT)
    asked = [name.strip().upper() for name in (query.relationship_types or "").split(",")]
    types = [name for name in dict.fromkeys(asked) if name in (*LINK_TYPES, *SYSTEM_TYPES)] or sorted(LINK_TYPES)
    near = call.jot.knowledge.neighbourhood(id, types=types, depth=depth, limit=MAX_LIMIT, similar=0)
    found = sorted(near.neighbours, key=lambda one: (-(one.importance or 0), -(one.said_at or one.created_at)))[:limit]
    body = {"status": "success", "memory_id": id, "count": len(found), "related_memories": [*map(summary, found)]}
    body |= {"relationship_types": types, "max_depth": depth, "limit": limit}
    return Reply(body={**body, "query_time_ms": monotonic_ms() - began})


def startup(call: Call) -> Reply:
    """Lessons and rules: memories with certain tags."""
    lessons, _ = with_tags(call.jot, LESSON_TAGS, limit=LESSONS, history=False)
    rules, _ = with_tags(call.jot, RULE_TAGS, limit=RULES, history=False)
    fields = ("id", "content", "tags", "importance", "type", "metadata")
    learned = [{name: memory(one)[name] for name in fields} for one in lessons]
    body = {
        "status": "success",
        "critical_lessons": learned,
        "system_rules": [{name: memory(one)[name] for name in ("id", "content", "tags")} for one in rules],
        "lesson_count": len(lessons),
        "has_critical": any(one["importance"] >= CRITICAL for one in learned),
        "summary": f"Recalled {len(lessons)} lesson(s) and {len(rules)} system rule(s)",
    }
    return Reply(body=body)


ROUTES = (
    Route(
        method="GET",
        path="/memories/{id}/related",
        handler=related,
        scope="read",
        query=RelatedQuery,
        summary="Memories that links lead to",
        errors="automem",
    ),
    Route(
        method="GET",
        path="/startup-recall",
        handler=startup,
        scope="read",
        summary="Lessons and rules to start a session with",
        errors="automem",
    ),
)
