"""AutoMem's `/health`, open to everyone: counts of the tenant that the server itself belongs to, and no texts."""

from __future__ import annotations

from functools import partial
from typing import Any

from jotsam.admin import embedders
from jotsam.core.clock import format_time, system_clock
from jotsam.core.errors import DatabaseUnavailable
from jotsam.memory.automem import enrichment_status
from jotsam.surfaces.http.automem.enrichment import RUNNING, STOPPED
from jotsam.surfaces.http.requests.route import Call, Reply, Route
from jotsam.surfaces.http.server.server import Server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.api.client import Jotsam

CONNECTED, DISCONNECTED, UNCONFIGURED = "connected", "disconnected", "unconfigured"


def health(call: Call) -> Reply:
    """Whether the parts work. `falkordb` is the database, `qdrant` are the vectors in it."""
    try:
        body = call.server.use(partial(_health, call.server))
    except DatabaseUnavailable:
        body = {"status": "degraded", "falkordb": DISCONNECTED, "qdrant": DISCONNECTED, "memory_count": None}
        body |= {"vector_count": None, "sync_status": "unknown"}
    return Reply(body={**body, "timestamp": format_time(system_clock()), "graph": "jotsam"})


def _health(server: Server, jot: Jotsam) -> dict[str, Any]:
    now, made = enrichment_status.read_enrichment_status(jot.database, jot.settings), embedders.status(jot)
    found = jot.status()
    current = [one for one in made.made if one.name == made.name]
    vectors = sum(one.vectors for one in current)
    dimension = current[0].dimension if current else None
    is_fine = found.level == "ok" and not (made.problem or made.missing)
    is_running = not now.is_paused and (found.worker != "none" or server.options.worker)
    return {
        "status": "healthy" if is_fine else "degraded",
        "falkordb": CONNECTED,
        "qdrant": UNCONFIGURED if made.name is None else DISCONNECTED if made.problem else CONNECTED,
        "memory_count": found.memories,
        "vector_count": vectors,
        "sync_status": _sync_status(made, vectors=vectors),
        "vector_dimensions": {
            "configured": dimension,
            "effective": dimension,
            "collection": dimension,
            "mismatch": len({one.dimension for one in made.made}) > 1,
        },
        "enrichment": {
            "status": RUNNING if is_running else STOPPED,
            "queue_depth": now.pending + now.retrying,
            "pending": now.pending + now.retrying,
            "inflight": now.in_progress,
            "processed": now.done,
            "failed": now.failed_attempts,
            "dead": now.dead,
        },
    }


def _sync_status(made: embedders.EmbeddingStatus, *, vectors: int) -> str:
    """Without an embedder nothing has a vector, and nothing waits for one."""
    if made.name is None:
        return "synced"
    return "synced" if vectors >= made.memories else "drift_detected"


ROUTES = (
    Route(
        method="GET",
        path="/health",
        handler=health,
        summary="Whether the server works, as AutoMem's clients ask",
        errors="automem",
    ),
)
