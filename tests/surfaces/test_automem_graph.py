"""AutoMem's routes of the graph, of entities, analysis, backup and viewer, on a real server."""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from http_server import HttpServer, serving
from jotsam import InvalidInput, Jotsam
from jotsam.surfaces.http.routes import ROUTES
from processes import working

VIEWER = "http://localhost:3999"

GET = """
/health /memory/{} /memory/by-tag /recall /startup-recall /analyze /memories/{}/related /backup /consolidate/status
/enrichment/status /graph/snapshot /graph/neighbors/{} /graph/stats /graph/types /graph/relations /viewer /viewer/{}
/stream /stream/status /entities /entities/audit /entities/merge-candidates /entity/{}
"""
POST = "/memory /memory/batch /associate /admin/reembed /admin/sync /consolidate /enrichment/reprocess /entity/{}/merge"


@pytest.fixture(scope="module")
def there(tmp_path_factory) -> Iterator[SimpleNamespace]:
    """A server, the memory that it serves, and ids of some memories in it."""
    db = str(tmp_path_factory.mktemp("served") / "jotsam.db")
    environ = {"JOTSAM_VIEWER_URL": VIEWER, "JOTSAM_EMBED_MODEL": "hashing", "JOTSAM_SIMILAR_LIMIT": "0"}
    with (
        Jotsam(db, worker="off", settings=None) as jot,
        serving(db, "--allow-origin", "http://localhost:3000", environ=environ) as server,
    ):
        jot = Jotsam(settings=jot.settings.replace(embed_model="hashing", similar_limit=0, worker_idle_ms=0))
        texts = {"red": 0.9, "green": 0.5, "blue": 0.1}
        ids = {
            name: jot.remember(
                f"We decided to paint the garden wall {name}, with Alice Smith, using Redis.",
                type="Decision" if name != "blue" else "note",
                importance=importance,
                confidence=0.9,
                tags=["house"],
                metadata={"n": 1},
                said_at="2026-03-01T14:00:00Z",
            ).id
            for name, importance in texts.items()
        }
        jot.remember("Untyped thing.", importance=0.2)
        jot.work()
        jot.knowledge.link(ids["red"], "PREFERS_OVER", ids["green"], weight=0.7, properties={"context": "taste"})
        jot.knowledge.link(ids["red"], "INVALIDATED_BY", ids["blue"], weight=0.9)
        jot.supersede(ids["red"], ids["blue"])
        yield SimpleNamespace(server=server, jot=jot, ids=ids)
        jot.close()


@pytest.fixture
def server(there) -> HttpServer:
    return there.server  # type: ignore[no-any-return]


def test_all_34_routes_of_automem_exist():
    ours = {(route.method, re.sub(r"\{[^}]*\}", "{}", route.path)) for route in ROUTES if route.errors == "automem"}
    theirs = {*(("GET", path) for path in GET.split()), *(("POST", path) for path in POST.split())}
    theirs |= {("PATCH", "/memory/{}"), ("DELETE", "/memory/{}"), ("DELETE", "/memory/by-tag")}
    assert len(theirs) == 34
    assert theirs - ours == set()


def test_a_snapshot_is_what_the_viewer_draws(server, there):
    reply = server.get("/graph/snapshot")
    assert reply.status == 200
    assert reply.json.keys() == {"status", "nodes", "edges", "stats", "meta"}
    nodes = {node["id"]: node for node in reply.json["nodes"]}
    node = nodes[there.ids["red"]]
    assert node.keys() == {
        *("id", "content", "type", "importance", "confidence", "tags", "timestamp", "updated_at", "metadata"),
        *("color", "radius", "opacity"),
    }
    assert (node["type"], node["color"], node["radius"], node["opacity"]) == ("Decision", "#3B82F6", 1.85, 0.94)
    assert (node["timestamp"], node["metadata"]) == ("2026-03-01T14:00:00Z", {"n": 1})
    assert len(nodes) == 4, "superseded memories are drawn too"
    edges = {edge["type"]: edge for edge in reply.json["edges"]}
    assert edges["PREFERS_OVER"] == {
        "id": f"{there.ids['red']}-PREFERS_OVER-{there.ids['green']}",
        "source": there.ids["red"],
        "target": there.ids["green"],
        "type": "PREFERS_OVER",
        "strength": 0.7,
        "color": "#8B5CF6",
        "properties": {"strength": 0.7, "context": "taste"},
    }
    stats = reply.json["stats"]
    assert (stats["total_nodes"], stats["returned_nodes"], stats["sampled"], stats["sample_ratio"]) == (4, 4, False, 1)
    assert stats["total_edges"] == stats["returned_edges"] == len(reply.json["edges"])


def test_a_snapshot_is_filtered_and_bounded(server, there):
    def found(query: str) -> list[str]:
        return [node["id"] for node in server.get(f"/graph/snapshot?{query}").json["nodes"]]

    ids = there.ids
    assert found("limit=1") == [ids["red"]]
    assert found("min_importance=0.4") == found("types=Decision,Insight") == [ids["red"], ids["green"]]
    assert found("types=note&types=Context&limit=1") != found("types=note")
    assert len(found("limit=0&since=2026-01-01T00:00:00Z&include_positions=true")) == 4
    assert len(found("since=2999-01-01")) == 0
    sampled = server.get("/graph/snapshot?limit=2").json["stats"]
    assert (sampled["sampled"], sampled["sample_ratio"]) == (True, 0.5)
    assert len(found("limit=many")) == 4, "the default, as there"
    for query in ("limit=-1", "min_importance=2", "min_importance=nan", "since=soon"):
        reply = server.get(f"/graph/snapshot?{query}")
        assert (reply.status, reply.json["status"], reply.json["code"]) == (400, "error", 400), query
        assert reply.json["message"] == reply.json["description"] == reply.json["detail"]


def test_a_memory_without_a_type_has_the_type_memory(server, there):
    jot, token = there.jot.scoped(tenant="untyped"), server.create_token(tenant="untyped")
    ids = [jot.remember("Not enriched yet.").id, jot.remember("Typed.", type="Insight").id]

    def found(types: str) -> set[str]:
        return {node["id"] for node in server.get(f"/graph/snapshot?types={types}", token=token).json["nodes"]}

    assert [found("Memory"), found("Insight"), found("Memory,Insight")] == [{ids[0]}, {ids[1]}, {*ids}]
    assert server.get("/graph/stats", token=token).json["by_type"] == {"Insight": 1, "Memory": 1}


def test_neighbors_come_from_links_and_from_meaning(server, there):
    ids = there.ids
    reply = server.get(f"/graph/neighbors/{ids['green']}?depth=9&semantic_limit=99").json
    assert (reply["center"]["id"], reply["meta"]["depth"]) == (ids["green"], 3)
    assert {"summary", "enriched", "last_accessed", "t_valid", "color", "radius"} <= reply["center"].keys()
    linked = {node["id"] for node in reply["graph_neighbors"]}
    assert {ids["red"], ids["blue"]} <= linked
    assert not linked & {node["id"] for node in reply["semantic_neighbors"]}
    one = server.get(f"/graph/neighbors/{ids['green']}?depth=0&semantic_limit=1").json
    assert one["meta"]["depth"] == 1
    assert len(one["semantic_neighbors"]) <= 1
    assert all(0 < node["similarity"] <= 1 for node in one["semantic_neighbors"])
    without = server.get(f"/graph/neighbors/{ids['green']}?include_semantic=false").json
    assert without["semantic_neighbors"] == []
    unknown = server.get("/graph/neighbors/00000000-0000-4000-8000-000000000000")
    assert (unknown.status, unknown.json["status"]) == (404, "error")


def test_stats_types_and_relations_are_listed(server):
    stats = server.get("/graph/stats").json
    assert stats["totals"]["nodes"] == sum(stats["by_type"].values()) == 4
    assert stats["totals"]["edges"] == sum(stats["by_relationship"].values()) >= 2
    assert stats["importance_distribution"] == {"high": 1, "medium": 1, "low": 2}
    assert [day["count"] for day in stats["recent_activity"]] == [1]
    assert "Decision" in server.get("/graph/types").json["types"]
    relations = server.get("/graph/relations").json
    assert relations["relations"] == sorted(relations["colors"])
    assert len(relations["relations"]) == 15


def test_entities_have_the_fields_of_automem(server):
    reply = server.get("/entities?limit=3").json
    assert (reply["status"], reply["count"]) == ("success", len(reply["entities"]))
    redis = next(one for one in server.get("/entities").json["entities"] if one["slug"] == "redis")
    assert redis == server.get("/entity/redis").json["entity"] == server.get("/entity/tools:redis").json["entity"]
    times = {"created_at": "2026-03-01T14:00:00Z", "last_referenced_at": "2026-03-01T14:00:00Z"}
    identity = {"identity": None, "identity_version": 0, "identity_updated_at": None, "identity_source_count": 0}
    own = {"id": "entity:tools:redis", "slug": "redis", "category": "tools", "name": "Redis", "aliases": []}
    assert redis == {**own, **identity, **times, "reference_count": 3}
    assert [one["slug"] for one in server.get("/entities?category=people").json["entities"]] == ["alice-smith"]
    assert server.get("/entities?category=planets").json["count"] == 0
    assert [server.get(path).status for path in ("/entities?limit=0", "/entities?limit=x", "/entity/nobody")] == [
        *(400, 400, 404),
    ]


def test_merging_entities_takes_the_admin_token(server, there):
    writer = server.create_token(scope="write")
    there.jot.remember("Alice was here. We used Rediss.")
    there.jot.work()

    def merge(slug: str, into: str, **options) -> int:
        return server.post(f"/entity/{slug}/merge", {"merge_into": into}, **options).status

    assert merge("alice", "alice-smith", token=writer) == 403
    assert merge("alice", "alice-smith", token=writer, headers={"X-Admin-Token": "wrong"}) == 401
    assert [merge("alice", ""), merge("nobody", "redis"), merge("redis", "nobody"), merge("redis", "redis")] == [
        *(400, 404, 404, 400),
    ]
    reply = server.post(
        "/entity/alice/merge", {"merge_into": "alice-smith"}, token=writer, headers={"X-Admin-Token": server.token}
    )
    assert reply.json["merge"] == {
        "canonical": "entity:people:alice-smith",
        "alias": "entity:people:alice",
        "alias_slug": "alice",
        "edges_moved": 1,
    }
    refused = server.post("/entity/alice-smith/merge", {"merge_into": "redis"}, headers={"X-Admin-Token": server.token})
    assert refused.status == 400
    assert "different categories: to merge them anyway, name them people:alice-smith" in str(refused.json)
    entity = server.get("/entity/alice").json["entity"]
    assert (entity["slug"], entity["aliases"], entity["reference_count"]) == ("alice-smith", ["Alice"], 4)


def test_the_audit_and_the_candidates_change_nothing(server):
    before = server.get("/entities").json
    audit = server.get("/entities/audit").json
    assert (audit["status"], audit["dry_run"]) == ("success", True)
    assert audit["counts"]["accepted_entities"] == len(audit["accepted"])
    assert {"tag", "memory_id", "category", "slug", "reason"} <= {
        *("tag", "memory_id", "category", "slug", "reason"),
        *(name for one in audit["rejected_entities"] for name in one),
    }
    summary = server.get("/entities/audit?summary=true&limit=1&category=tools").json
    assert (summary["merge_candidates"], summary["merge_candidates_skipped"]) == ([], True)
    assert len(summary["accepted_sample"]) <= 1
    assert server.get("/entities/audit?limit=-1").status == 400
    assert server.get("/entities/audit", token=server.create_token(scope="write")).status == 403
    candidates = server.get("/entities/merge-candidates").json
    assert candidates["count"] == len(candidates["candidates"])
    assert server.get("/entities").json == before


def test_the_analysis_has_the_parts_of_automem(server):
    reply = server.get("/analyze").json
    found = reply["analytics"]
    assert found["memory_types"]["Decision"] == {"count": 2, "average_confidence": 0.9}
    (preference,) = found["preferences"]
    assert (preference["context"], preference["strength"]) == ("taste", 0.7)
    assert found["temporal_insights"]["hour_14"]["count"] >= 3
    assert found["entity_frequency"]["redis"] == 3
    assert found["confidence_distribution"]["high"] >= 3
    assert reply["status"] == "success"


def test_consolidation_is_a_dry_run_unless_it_is_told_otherwise(server, there):
    reply = server.post("/consolidate", {"mode": "decay"})
    assert (reply.status, reply.json["status"]) == (200, "success")
    found = reply.json["consolidation"]
    assert (found["mode"], found["dry_run"], found["success"], list(found["steps"])) == ("decay", True, True, ["decay"])
    decay = found["steps"]["decay"]
    # No memory has a relevance yet, which counts as 0.5.
    assert (decay["updated"], decay["avg_relevance_before"]) == (decay["processed"], 0.5)
    assert 0 < decay["avg_relevance_after"] < 0.5
    assert sum(decay["distribution"].values()) == decay["processed"] > 2
    assert server.post("/consolidate", {"mode": "decay"}).json["consolidation"]["steps"]["decay"] == decay
    unknown = server.post("/consolidate", {"mode": "sleep"}).json["consolidation"]
    assert (unknown["steps"], unknown["success"]) == ({}, True)
    reader = server.create_token(scope="read")
    assert server.post("/consolidate", {"dry_run": False}, token=reader).status == 403

    with working(there.jot):
        run = server.post("/consolidate", {"mode": "decay", "dry_run": False}).json["consolidation"]
    assert (run["dry_run"], run["success"], "completed_at" in run) == (False, True, True)
    assert run["steps"]["decay"] == decay
    assert server.post("/consolidate", {"mode": "decay"}).json["consolidation"]["steps"]["decay"]["updated"] == 0

    status = server.get("/consolidate/status").json
    assert status["next_runs"]["forget"] == "Disabled"
    assert status["next_runs"]["cluster"].startswith("In ")
    (entry,) = status["history"]
    assert (entry["mode"], entry["success"], json.loads(entry["result"])["changed"]) == (
        "decay",
        True,
        decay["updated"],
    )
    assert status.keys() == {"status", "next_runs", "history", "thread_alive", "tick_seconds"}


def test_a_backup_is_an_archive_of_an_export(server, there, tmp_path):
    reply = server.get("/backup")
    assert (reply.status, reply.headers["content-type"]) == (200, "application/gzip")
    assert reply.headers["cache-control"] == "no-store"
    assert "jotsam-backup-2" in reply.headers["content-disposition"]
    with tarfile.open(fileobj=io.BytesIO(reply.content)) as archive:
        lines = b"".join(archive.extractfile(member).read() for member in archive)  # type: ignore[union-attr]
    assert {"vector"} & {json.loads(line).get("kind") for line in lines.splitlines()} or b"vector" in lines
    (tmp_path / "memory.jsonl").write_bytes(lines)
    with Jotsam(tmp_path / "other.db", worker="off") as other:
        other.import_memories(tmp_path / "memory.jsonl")
        assert other.get(there.ids["red"]).text == there.jot.get(there.ids["red"]).text
    (tmp_path / "backup.tar.gz").write_bytes(reply.content)
    with Jotsam(tmp_path / "third.db", worker="off") as other, pytest.raises(InvalidInput, match="run `tar -xzOf"):
        other.import_memories(tmp_path / "backup.tar.gz")
    small = server.get("/backup?include=falkordb")
    assert len(gzip.decompress(small.content)) <= len(gzip.decompress(reply.content))
    for include in ("", "redis", "qdrant", "falkordb,"):
        assert server.get(f"/backup?include={include}").status == 400, include
    assert server.get("/backup", token=server.create_token(scope="write")).status == 403


def test_the_viewer_is_elsewhere(server, tmp_path):
    reply = server.get("/viewer/?test=true", token=None)
    mine = server.url.replace(":", "%3A").replace("/", "%2F")
    assert (reply.status, reply.headers["location"]) == (302, f"{VIEWER}/?test=true&server={mine}")
    assert server.get("/viewer", token=None).headers["location"] == f"{VIEWER}/?server={mine}"
    path = server.get("/viewer/assets/a.js?server=x", token=None)
    assert path.headers["location"] == f"{VIEWER}/assets/a.js?server=x"


def test_pages_of_allowed_origins_may_read_and_others_may_not(server):
    asked = {"Origin": "http://localhost:3000", "Access-Control-Request-Method": "GET"}
    asked |= {"Access-Control-Request-Headers": "x-api-key,content-type"}
    allowed = server.request("OPTIONS", "/graph/snapshot", token=None, headers=asked)
    assert (allowed.status, allowed.headers["access-control-allow-origin"]) == (200, "http://localhost:3000")
    assert "x-api-key" in allowed.headers["access-control-allow-headers"].lower()
    headers = {"Origin": "http://localhost:3000", "X-API-Key": server.token}
    reply = server.get("/graph/stats", token=None, headers=headers)
    assert (reply.status, reply.headers["access-control-allow-origin"]) == (200, "http://localhost:3000")
    other = server.get("/graph/stats", headers={"Origin": "http://evil.example"})
    assert other.status == 403
    assert "access-control-allow-origin" not in other.headers


def test_tokens_are_taken_where_automem_takes_them(server):
    assert server.get("/graph/types", token=None).status == 401
    assert server.get("/graph/types", token=None).json["message"].startswith("Unauthorized")
    assert server.get("/graph/types", token=None, headers={"X-API-Key": server.token}).status == 200
    assert server.get(f"/graph/types?api_key={server.token}", token=None).status == 200


def test_another_tenant_sees_nothing_of_the_graph(server, there):
    token = server.create_token(tenant="eve")
    assert server.get("/graph/snapshot", token=token).json["nodes"] == []
    assert server.get("/graph/stats", token=token).json["totals"] == {"nodes": 0, "edges": 0}
    assert server.get(f"/graph/neighbors/{there.ids['red']}", token=token).status == 404
    assert server.get("/entity/redis", token=token).status == 404
    assert server.post("/entity/redis/merge", {"merge_into": "alice-smith"}, token=token).status == 404
    assert server.get("/entities", token=token).json["count"] == 0
