"""The table of all routes. Dispatch, the OpenAPI document and the tests that try every route are made from it."""

from __future__ import annotations

from jotsam.core.records import StoredMemory
from jotsam.memory.api.admin_client import Admin
from jotsam.memory.api.client import Jotsam
from jotsam.memory.api.crystals import Crystals
from jotsam.memory.api.knowledge import Knowledge
from jotsam.memory.api.lifecycle_client import Lifecycle
from jotsam.memory.api.notes import Notes
from jotsam.memory.api.store import Store
from jotsam.memory.writing.blocks import Blocks
from jotsam.surfaces.http import events, mcp, openapi, probes
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
from jotsam.surfaces.http.requests.route import Route
from jotsam.surfaces.http.v1 import handlers, own_routes, transfer
from jotsam.surfaces.http.v1.staleness import StaleAnswer, StaleBrief

_DECLARED: tuple[Route, ...] = (
    *routes_of("blocks", Blocks),
    *routes_of("store", Store),
    *routes_of("crystals", Crystals),
    *routes_of("notes", Notes),
    *routes_of("lifecycle", Lifecycle, run={"handler": handlers.run_step}, show={"handler": handlers.show_run}),
    *routes_of("knowledge", Knowledge),
    *routes_of(
        "admin",
        Admin,
        create_token={"handler": handlers.create_token, "body": handlers.TokenBody},
        revoke_token={"handler": handlers.revoke_token},
    ),
    *routes_of(
        "",
        Jotsam,
        recall={"handler": handlers.recall, "result": StaleAnswer},
        brief={"handler": handlers.brief, "result": StaleBrief},
        list={"handler": handlers.listed, "result": handlers.MemoryPage},
        get={"query": own_routes.ActorQuery},
        forget={"handler": handlers.forget, "body": handlers.ForgetBody},
        reprocess={"handler": handlers.reprocess, "body": handlers.ReprocessBody},
        export={"handler": transfer.export, "result": None, "media_type": transfer.NDJSON},
    ),
    Route(
        method="GET",
        path="/v1/memories/by-key/{key}",
        handler=handlers.get_by_key,
        scope="read",
        query=own_routes.ActorQuery,
        result=StoredMemory,
        summary="The memory of a key with all its fields",
    ),
    Route(
        method="GET",
        path="/v1/recall",
        handler=handlers.recall,
        scope="read",
        query=in_query(Jotsam.recall),
        result=StaleAnswer,
        summary="Search memory, with query parameters",
    ),
)
ROUTES: tuple[Route, ...] = (
    # Of two that match, the first is taken: "/v1/jobs/stuck" rather than "/v1/jobs/{id}".
    *sorted(_DECLARED, key=lambda route: "{" in route.path),
    *own_routes.ROUTES,
    *transfer.ROUTES,
    *mcp.ROUTES,
    *probes.PROBE_ROUTES,
    *probes.METRICS_ROUTES,
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
