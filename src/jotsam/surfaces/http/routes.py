"""The table of all routes. Dispatch, the OpenAPI document and the tests that try every route are made from it."""

from __future__ import annotations

from jotsam.memory.admin_client import Admin
from jotsam.memory.blocks import Blocks
from jotsam.memory.client import Jotsam
from jotsam.memory.crystals import Crystals
from jotsam.memory.knowledge import Knowledge
from jotsam.memory.lifecycle_client import Lifecycle
from jotsam.memory.notes import Notes
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
from jotsam.surfaces.http.operation_routes import in_query, routes_of
from jotsam.surfaces.http.route import Route
from jotsam.surfaces.http.v1 import (
    allowed_secrets,
    changing,
    lifecycle,
    memories,
    recall,
    tokens,
    transfer,
    wait,
)
from jotsam.surfaces.http.v1.staleness import StaleAnswer, StaleBrief

_DECLARED: tuple[Route, ...] = (
    *routes_of("blocks", Blocks),
    *routes_of("crystals", Crystals),
    *routes_of("notes", Notes),
    *routes_of("lifecycle", Lifecycle, run={"handler": lifecycle.run}, show={"handler": lifecycle.show}),
    *routes_of("knowledge", Knowledge),
    *routes_of(
        "admin",
        Admin,
        create_token={"handler": tokens.create, "body": tokens.TokenBody},
        revoke_token={"handler": tokens.revoke},
    ),
    *routes_of(
        "",
        Jotsam,
        recall={"handler": recall.recall, "result": StaleAnswer},
        brief={"handler": recall.brief, "result": StaleBrief},
        list={"handler": memories.listed, "result": memories.MemoryPage},
        forget={"handler": changing.forget, "body": changing.ForgetBody},
        reprocess={"handler": changing.reprocess, "body": changing.ReprocessBody},
        export={"handler": transfer.export, "result": None, "media_type": transfer.NDJSON},
    ),
    Route(
        method="GET",
        path="/v1/recall",
        handler=recall.recall,
        scope="read",
        query=in_query(Jotsam.recall, without="metadata"),
        result=StaleAnswer,
        summary="Search memory, with query parameters",
    ),
)
ROUTES: tuple[Route, ...] = (
    # Of two that match, the first is taken: "/v1/jobs/stuck" rather than "/v1/jobs/{id}".
    *sorted(_DECLARED, key=lambda route: "{" in route.path),
    *memories.ROUTES,
    *wait.ROUTES,
    *transfer.ROUTES,
    *allowed_secrets.ROUTES,
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
