"""The table of all routes. Dispatch, the OpenAPI document and the tests that try every route are made from it."""

from __future__ import annotations

from jotsam.surfaces.http import events, health, mcp, metrics, openapi
from jotsam.surfaces.http.automem import (
    analysis,
    associations,
    backup,
    consolidation,
    enrichment,
    entities,
    graph,
    memory,
    parts,
    related,
    search,
    vectors,
    viewer,
)
from jotsam.surfaces.http.v1 import (
    blocks,
    by_key,
    changing,
    crystals,
    documents,
    jobs,
    knowledge,
    lifecycle,
    memories,
    operations,
    recall,
    status,
    transfer,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.http.route import Route

ROUTES: tuple[Route, ...] = (
    *status.ROUTES,
    *memories.ROUTES,
    *by_key.ROUTES,
    *blocks.ROUTES,
    *crystals.ROUTES,
    *documents.ROUTES,
    *recall.ROUTES,
    *jobs.ROUTES,
    *knowledge.ROUTES,
    *changing.ROUTES,
    *lifecycle.ROUTES,
    *transfer.ROUTES,
    *operations.ROUTES,
    *mcp.ROUTES,
    *health.ROUTES,
    *metrics.ROUTES,
    openapi.route(lambda: ROUTES),
    *events.ROUTES,
    *graph.ROUTES,
    *entities.ROUTES,
    *analysis.ROUTES,
    *consolidation.ROUTES,
    *backup.ROUTES,
    *viewer.ROUTES,
    *memory.ROUTES,
    *associations.ROUTES,
    *search.ROUTES,
    *related.ROUTES,
    *enrichment.ROUTES,
    *parts.ROUTES,
    *vectors.ROUTES,
)
