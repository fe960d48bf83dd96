"""AutoMem's `/graph`: what its graph viewer reads."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import InvalidInput
from jotsam.core.names import TYPES
from jotsam.surfaces.http.automem import graph_shapes as shapes
from jotsam.surfaces.http.automem.memory_shapes import memory
from jotsam.surfaces.http.automem.query_values import flag, number
from jotsam.surfaces.http.requests.route import Call, Reply, Route

NODES, MAX_NODES = 500, 50_000
DEPTH, SIMILAR = 3, 20


class SnapshotQuery(Struct):
    """Which memories. A limit of 0 is all of them, up to 50,000."""

    limit: str | None = None
    min_importance: float = 0.0
    types: list[str] = []
    since: str | None = None
    project: str | None = None


class NeighborsQuery(Struct):
    """How far to go."""

    depth: int = 1
    include_semantic: str = "true"
    semantic_limit: int = 5


def snapshot(call: Call) -> Reply:
    """The most important memories, superseded ones too, and the links between them."""
    began, query = monotonic_ms(), call.query
    wanted_limit = number(query.limit, NODES, -1, MAX_NODES)
    if wanted_limit < 0:
        raise InvalidInput(f"invalid limit {query.limit}: must be 0 or more")
    limit = wanted_limit or MAX_NODES
    types = [name for text in query.types for part in text.split(",") if (name := part.strip())]
    # No type of ours has the name of the type that AutoMem gives to a memory without one.
    is_untyped = shapes.UNTYPED.lower() in (type.lower() for type in types)
    options: dict[str, Any] = {"min_importance": query.min_importance or None, "since": query.since or None}
    options |= {"project": query.project, "types": [] if is_untyped else types}
    view = call.jot.knowledge.overview(limit=MAX_NODES if is_untyped else limit, history=True, **options)
    nodes = [shapes.node(one) for one in view.memories]
    if is_untyped:
        wanted = {type.lower() for type in types}
        nodes = [node for node in nodes if node["type"].lower() in wanted][:limit]
    shown = {node["id"] for node in nodes}
    edges = [shapes.edge(link) for link in view.links if link.source in shown and link.target in shown]
    stats = {
        "total_nodes": view.total_memories,
        "total_edges": view.total_links,
        "returned_nodes": len(nodes),
        "returned_edges": len(edges),
        "sampled": len(nodes) < view.total_memories,
        "sample_ratio": len(nodes) / max(view.total_memories, 1),
        "totals_exact": view.is_exact,
    }
    meta = shapes.meta(call.jot.settings, query_time_ms=monotonic_ms() - began)
    return Reply(body={"status": "success", "nodes": nodes, "edges": edges, "stats": stats, "meta": meta})


def neighbors(call: Call) -> Reply:
    """A memory, what links lead to in up to three steps, and memories of similar meaning."""
    began, query = monotonic_ms(), call.query
    depth = min(max(query.depth, 1), DEPTH)
    is_asked = flag(query.include_semantic)
    similar = min(max(query.semantic_limit, 0), SIMILAR) if is_asked else 0
    view = call.jot.knowledge.neighbourhood(call.path["id"], depth=depth, similar=similar)
    body = {
        "status": "success",
        "center": {**memory(view.memory), **shapes.node(view.memory)},
        "graph_neighbors": [shapes.node(one) for one in view.neighbours],
        "semantic_neighbors": [{**shapes.node(one.memory), "similarity": one.similarity} for one in view.similar],
        "edges": [shapes.edge(link) for link in view.links],
        "meta": {"depth": depth, "complete": view.is_complete, "query_time_ms": monotonic_ms() - began},
    }
    return Reply(body=body)


def stats(call: Call) -> Reply:
    """Counts of memories and links by type, importance and day."""
    began, found = monotonic_ms(), call.jot.knowledge.statistics()
    meta = shapes.meta(call.jot.settings, query_time_ms=monotonic_ms() - began)
    body = {
        "status": "success",
        "totals": {"nodes": found.memories, "edges": found.links},
        "by_type": {one.type or shapes.UNTYPED: one.memories for one in found.types},
        "by_relationship": {one.type: one.links for one in found.link_types},
        "importance_distribution": found.importance.as_dict(),
        "recent_activity": [{"date": one.period, "count": one.memories} for one in found.days],
        "meta": {**meta, "examined": found.examined, "totals_exact": found.is_exact},
    }
    return Reply(body=body)


def types(call: Call) -> Reply:
    """The types that memories are given, and their colours."""
    return Reply(body={"status": "success", "types": list(TYPES), "colors": shapes.TYPE_COLORS})


def relations(call: Call) -> Reply:
    """The types of links, and their colours."""
    names = sorted(shapes.RELATION_COLORS)
    return Reply(body={"status": "success", "relations": names, "colors": shapes.RELATION_COLORS})


def _route(path: str, handler: Any, summary: str, query: type[Any] | None = None) -> Route:
    return Route(method="GET", path=path, handler=handler, scope="read", query=query, summary=summary, errors="automem")


ROUTES = (
    _route("/graph/snapshot", snapshot, "Memories and links as nodes and edges", SnapshotQuery),
    _route("/graph/neighbors/{id}", neighbors, "The surroundings of a memory", NeighborsQuery),
    _route("/graph/stats", stats, "Counts of memories and links"),
    _route("/graph/types", types, "Types of memories and their colours"),
    _route("/graph/relations", relations, "Types of links and their colours"),
)
