"""AutoMem's routes of recall, enrichment, health and vectors: whole replies, parameters, second token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from automem_client import ids_of, recalled, store
from http_server import HttpServer, serving
from jotsam import Jotsam

if TYPE_CHECKING:
    from pathlib import Path

UNKNOWN = "00000000-0000-4000-8000-000000000000"
ALWAYS = {
    *("status", "query", "results", "count", "dedup_removed", "sort", "state_mode", "vector_search", "tag_mode"),
    *("tag_match", "query_time_ms"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("automem") / "jotsam.db")) as running:
        yield running


@pytest.fixture
def tenant(server: HttpServer, request: pytest.FixtureRequest) -> str:
    """A token of a tenant of its own."""
    return server.create_token(tenant=request.node.name, scope="write")


def test_an_answer_has_the_fields_that_a_client_reads(server: HttpServer, tenant: str) -> None:
    id = store(server, tenant, "The office is in Kiel.", tags=["place"], timestamp="2026-01-02T03:04:05Z")
    found = server.get("/recall?query=office", token=tenant)
    body = found.json
    assert found.headers["x-pending-ingests"] == "1"
    assert body.keys() == ALWAYS | {"keywords", "state_filter"}
    assert (body["status"], body["query"], body["count"], body["keywords"]) == ("success", "office", 1, ["office"])
    assert (body["sort"], body["state_mode"]) == ("score", "current")
    assert (body["tag_mode"], body["tag_match"], body["dedup_removed"]) == ("any", "prefix", 0)
    search = body["vector_search"]
    assert isinstance(search.pop("oldest_pending_age_s"), int)
    assert search == {
        "enabled": False,
        "matched": False,
        "pending": 1,
        "failed": 0,
        "dead": 0,
        "without_vector": 0,
        "unavailable": [],
    }
    assert body["state_filter"] == {"current_only": True, "suppressed_count": 0, "replacement_count": 0}
    [result] = body["results"]
    assert result.keys() == {
        *("id", "match_type", "match_score", "final_score", "score", "score_components", "source", "relations"),
        "memory",
    }
    assert (result["id"], result["match_type"], result["relations"]) == (id, "keyword", [])
    assert result["final_score"] == sum(result["score_components"].values()) > 0
    assert result["memory"] == server.get(f"/memory/{id}", token=tenant).json["memory"]
    empty = recalled(server, tenant, query="giraffe")
    assert (empty["count"], empty["vector_search"]["pending"]) == (0, 1), "not known yet, never none"


def test_parameters_filter_and_order_as_automem_names_them(server: HttpServer, tenant: str) -> None:
    office = store(server, tenant, "The office is in Kiel.", tags=["place/x", "a"], timestamp="2026-01-02")
    kitchen = store(server, tenant, "The kitchen is green.", tags=["b"], timestamp="2026-02-03", importance=0.9)
    garden = store(server, tenant, "The garden is big.", tags=["a", "b"], timestamp="2026-03-04")
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, [garden, kitchen, office]),
        ({"order_by": "time_asc"}, [office, kitchen, garden]),
        ({"limit": 2, "offset": 1}, [kitchen, office]),
        ({"tags": "place"}, [office]),
        ({"tags": "place", "tag_match": "exact"}, []),
        ({"tags": ["a", "b"], "tag_mode": "all"}, [garden]),
        ({"exclude_tags": "a,c"}, [kitchen]),
        ({"start": "2026-02-01", "end": "2026-03-01"}, [kitchen]),
        ({"time_query": "in January 2026"}, [office]),
        ({"query": "office", "priority_ids": kitchen}, [kitchen, office]),
        ({"queries": ["office", "garden"], "limit": 1}, [garden]),
        ({"query": "office", "min_score": 0.99}, [office]),
        ({"query": "the office", "limit": "many", "offset": "none", "tag_mode": "odd", "sort": "odd"}, [office]),
    ]
    for parameters, wanted in cases:
        assert ids_of(recalled(server, tenant, **parameters)) == wanted, parameters
    window = recalled(server, tenant, start="2026-02-01", end="2026-03-01")
    assert window["time_window"] == {"start": "2026-02-01T00:00:00Z", "end": "2026-03-01T00:00:00Z"}
    assert window["sort"] == "time_desc"
    tagged = recalled(server, tenant, tags="a", exclude_tags="b", query="office")
    assert (tagged["tags"], tagged["exclude_tags"]) == (["a"], ["b"])
    assert tagged["tag_scope"] == {"filtered": True, "pool_size_hint": 1, "gated_low_evidence": 0}
    several = recalled(server, tenant, queries=["office", "garden"])
    assert several["queries"] == ["office", "garden"]
    assert "keywords" not in several
    outside = recalled(server, tenant, query="garden", tags="place", scope_fallback="true")
    assert [(one["id"], one.get("outside_tag_scope")) for one in outside["results"]] == [(garden, True)]
    assert outside["scope_fallback"] is True


def test_every_parameter_is_accepted_and_those_without_effect_are_named(server: HttpServer, tenant: str) -> None:
    one, two = store(server, tenant, "The office of Ana Lee.", tags=["go"]), store(server, tenant, "The office is big.")
    server.post("/associate", {"memory1_id": one, "memory2_id": two, "type": "LEADS_TO"}, token=tenant)
    parameters = {
        "query": "Where is the office of Ana Lee?",
        "auto_decompose": "true",
        "per_query_limit": 3,
        "limit": 10,
        "embedding": "0.1,0.2",
        "adaptive_floor": "false",
        "time_query": "whenever",
        "recency_bias": "off",
        "expand_relations": "true",
        "expand_entities": "1",
        "expand_respect_tags": "false",
        "tags": "go",
        "relation_limit": 2,
        "expansion_limit": 7,
        "expand_min_importance": 0,
        "expand_min_strength": 0.1,
        "context": "review",
        "language": "go",
        "active_path": "/src/main.go",
        "context_tags": ["x,y"],
        "context_types": "Style",
        "state_debug": "yes",
        "min_score": "odd",
        "format": "json",
        "nope": 1,
    }
    body = recalled(server, tenant, **parameters)
    assert body["ignored"] == [
        *("embedding", "adaptive_floor", "time_query=whenever", "expand_respect_tags=false", "recency_bias=off"),
    ]
    assert body["queries"] == ["Where is the office of Ana Lee?", "Ana Lee"]
    assert body["expansion"].keys() == {
        *("enabled", "seed_count", "expanded_count", "relation_limit", "expansion_limit", "respect_tags"),
    }
    assert (body["expansion"]["relation_limit"], body["expansion"]["expansion_limit"]) == (2, 7)
    assert body["entity_expansion"]["enabled"]
    assert body["context_priority"] == {
        "language": "go",
        "context": "review",
        "priority_tags": ["go", "review", "x", "y"],
        "priority_types": ["Style"],
        "matched": True,
        "injected": False,
    }
    assert body["state_filter"].keys() >= {"suppressed", "replacements"}
    assert recalled(server, tenant, query="office", recency_bias="on")["recency_bias"] == "on"
    assert "ignored" not in recalled(server, tenant, query="office")


def test_related_memories_are_reached_by_links(server: HttpServer, tenant: str) -> None:
    a, b, c, d = (store(server, tenant, f"Note {n}.", importance=n / 10) for n in range(4))
    for source, type, target in ((a, "LEADS_TO", b), (b, "PART_OF", c), (a, "LEADS_TO", d)):
        server.post("/associate", {"memory1_id": source, "memory2_id": target, "type": type}, token=tenant)
    body = server.get(f"/memories/{a}/related", token=tenant).json
    assert [one["id"] for one in body["related_memories"]] == [d, b]
    assert body["related_memories"][0].keys() == {
        *("id", "type", "timestamp", "importance", "confidence", "tags", "content"),
    }
    assert (body["count"], body["max_depth"], body["limit"], len(body["relationship_types"])) == (2, 1, 5, 11)
    deep = server.get(f"/memories/{a}/related?max_depth=9&limit=2", token=tenant).json
    assert ([one["id"] for one in deep["related_memories"]], deep["max_depth"]) == ([d, c], 3)
    some = server.get(f"/memories/{b}/related?relationship_types=part_of,nope", token=tenant).json
    assert ([one["id"] for one in some["related_memories"]], some["relationship_types"]) == ([c], ["PART_OF"])


def test_a_session_starts_with_lessons_and_rules(server: HttpServer, tenant: str) -> None:
    lesson = store(server, tenant, "Never push on Fridays.", tags=["lesson"], importance=0.95, metadata={"n": 1})
    rule = store(server, tenant, "Recall first.", tags=["system"])
    store(server, tenant, "Something else.")
    assert server.get("/startup-recall", token=tenant).json == {
        "status": "success",
        "critical_lessons": [
            {
                "id": lesson,
                "content": "Never push on Fridays.",
                "tags": ["lesson"],
                "importance": 0.95,
                "type": "Habit",
                "metadata": {"n": 1},
            }
        ],
        "system_rules": [{"id": rule, "content": "Recall first.", "tags": ["system"]}],
        "lesson_count": 1,
        "has_critical": True,
        "summary": "Recalled 1 lesson(s) and 1 system rule(s)",
    }


def test_enrichment_has_a_status_and_is_started_again_with_the_second_token(tmp_path: Path) -> None:
    environ = {"JOTSAM_HTTP_ADMIN_TOKEN": "second", "JOTSAM_HTTP_TOKEN": "first"}
    db = str(tmp_path / "jotsam.db")
    with serving(db, environ=environ) as server:
        id = store(server, "first", "We chose Redis.")
        waiting = server.get("/enrichment/status", token="first").json
        assert (waiting["queue_size"], waiting["queue_depth"], waiting["pending"]) == (1, 1, 1)
        assert (waiting["inflight"], waiting["inflight_count"], waiting["status"]) == (0, 0, "stopped")
        assert waiting["stats"]["last_success_at"] is None
        with Jotsam(db, worker="off") as jot:
            jot.work()
        done = server.get("/enrichment/status", token="first").json
        assert done["stats"].keys() == {
            *("processed_total", "successes", "failures", "last_success_id", "last_success_at", "last_error"),
            *("last_error_at", "last_error_id", "dead"),
        }
        assert (done["pending"], done["stats"]["successes"], done["last_success_id"]) == (0, 1, id)
        assert done["last_success_at"].endswith("Z")
        assert done["max_attempts"] > 0
        assert server.get(f"/memory/{id}", token="first").json["memory"]["enriched"]
        path, body = "/enrichment/reprocess", {"ids": [id]}
        assert server.post(path, body, token="first").json["message"] == "Admin authorization required"
        assert server.post(path, body, token="first", headers={"X-Admin-Token": "no"}).status == 401
        for wanted, where, headers in (
            (body, path, {"X-Admin-Token": "second"}),
            ({"ids": f"{id}, "}, path, {"X-Admin-Api-Key": "second"}),
            ({"memory_ids": [id], "clear_existing": True}, f"{path}?admin_token=second", {}),
            ({}, f"{path}?admin_token=second&ids={id}", {}),
        ):
            queued = server.post(where, wanted, token="first", headers=headers)
            assert queued.status == 202
            assert queued.json == {
                "status": "queued",
                "count": 1,
                "ids": [id],
                "queued_already": 0 if wanted is body else 1,
            }
        admin = {"X-Admin-Token": "second"}
        assert server.post(path, {}, token="first", headers=admin).status == 400
        assert server.post(path, {"ids": UNKNOWN}, token="first", headers=admin).status == 404
        assert server.get("/enrichment/status", token="first").json["pending"] == 1
        refused = server.post("/admin/reembed", {}, token="first", headers=admin)
        assert (refused.status, refused.json["message"][:40]) == (503, "Embedding provider is not configured: se")


def test_no_second_token_is_a_refusal_of_its_own(server: HttpServer, tenant: str) -> None:
    for path in ("/enrichment/reprocess", "/admin/reembed", "/admin/sync"):
        refused = server.post(path, {"ids": UNKNOWN}, token=tenant)
        assert (refused.status, refused.json["message"]) == (403, "Admin token not configured")


def test_vectors_are_queued_and_health_counts_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = str(tmp_path / "jotsam.db")
    with Jotsam(db, worker="off") as jot:
        jot.remember("The office is in Kiel.")
        jot.work()
    with serving(db, environ={"JOTSAM_EMBED_MODEL": "hashing"}) as server:
        before = server.get("/health", token=None).json
        assert (before["status"], before["sync_status"], before["vector_count"]) == ("degraded", "drift_detected", 0)
        dry = server.post("/admin/sync", {"dry_run": True}).json
        assert (dry["status"], dry["missing_count"], dry["falkordb_count"]) == ("dry_run", 1, 1)
        queued = server.post("/admin/sync", {"batch_size": 5}).json
        assert (queued["status"], queued["queued"], queued["waiting"]) == ("queued", 1, 1)
        monkeypatch.setenv("JOTSAM_EMBED_MODEL", "hashing")
        with Jotsam(db, worker="off") as worker:
            worker.work()
        after = server.get("/health", token=None).json
        assert after.pop("timestamp").endswith("Z")
        assert after == {
            "status": "healthy",
            "falkordb": "connected",
            "qdrant": "connected",
            "memory_count": 1,
            "vector_count": 1,
            "sync_status": "synced",
            "graph": "jotsam",
            "vector_dimensions": {"configured": 512, "effective": 512, "collection": 512, "mismatch": False},
            "enrichment": {
                "status": "stopped",
                "queue_depth": 0,
                "pending": 0,
                "inflight": 0,
                "processed": 1,
                "failed": 0,
                "dead": 0,
            },
        }
        assert server.post("/admin/sync").json["status"] == "already_synced"
        again = server.post("/admin/reembed", {"limit": 3}).json
        assert (again["status"], again["queued"], again["total"], again["ignored"]) == ("queued", 1, 1, ["limit"])
        found = recalled(server, "", query="office")
        assert found["vector_search"]["enabled"]
        assert found["vector_search"]["matched"]


def test_health_is_degraded_while_a_queue_is_paused(tmp_path: Path) -> None:
    db = str(tmp_path / "jotsam.db")
    with serving(db) as server:
        assert server.get("/health", token=None).json["status"] == "healthy"
        with Jotsam(db, worker="off") as jot:
            jot.admin.pause("enrich", reason="maintenance")
        assert server.get("/health", token=None).json["status"] == "degraded"
