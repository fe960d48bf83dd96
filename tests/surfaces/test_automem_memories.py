"""AutoMem's routes of memories: whole replies, their errors, and what its client does step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from automem_client import ids_of, recalled, store
from http_server import HttpServer, serving
from jotsam import Jotsam

if TYPE_CHECKING:
    from http_server import Response

UNKNOWN = "00000000-0000-4000-8000-000000000000"
PLACES = ("message", "detail", "description")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("automem") / "jotsam.db")) as running:
        yield running


@pytest.fixture
def tenant(server: HttpServer, request: pytest.FixtureRequest) -> str:
    """A token of a tenant of its own."""
    return server.create_token(tenant=request.node.name, scope="write")


def is_refused(found: Response, status: int, words: str) -> None:
    """An error in every place in which a client of AutoMem looks for its text."""
    assert found.status == status, found
    assert found.headers["content-type"] == "application/json"
    body = found.json
    assert (body["status"], body["code"]) == ("error", status)
    assert all(words in body[place] for place in PLACES), body


def without_times(body: dict[str, Any]) -> dict[str, Any]:
    times = {"query_time_ms", "timestamp", "stored_at", "updated_at", "last_accessed", "t_valid", "job_id"}
    return {name: value for name, value in body.items() if name not in times}


def test_a_memory_is_stored_read_changed_and_deleted(server: HttpServer, tenant: str) -> None:
    fields = {"tags": ["db"], "importance": 0.9, "type": "Decision", "metadata": {"file": "a.py"}}
    found = server.post("/memory", {"content": " We chose Redis. ", **fields, "id": "mine", "nope": 1}, token=tenant)
    body = found.json
    id = body["memory_id"]
    assert found.status == 201
    assert without_times(body) == {
        "status": "success",
        "memory_id": id,
        "type": "Decision",
        "confidence": 0.9,
        "metadata": {"file": "a.py"},
        "qdrant": "unconfigured",
        "embedding_status": "skipped",
        "enrichment": "queued",
        "duplicate": False,
        "warnings": [],
        "ignored": ["id"],
    }
    assert isinstance(body["query_time_ms"], int)
    whole = server.get(f"/memory/{id}", token=tenant).json
    assert whole["status"] == "success"
    memory = whole["memory"]
    assert without_times(memory) == {
        "id": id,
        "content": "We chose Redis.",
        "summary": None,
        **fields,
        "confidence": 0.9,
        "t_invalid": None,
        "enriched": False,
        "enriched_at": None,
        "processed": False,
    }
    assert memory["timestamp"] == memory["t_valid"] == body["timestamp"]
    # Found at once by its words and its tag.
    assert ids_of(recalled(server, tenant, query="redis")) == [id]
    assert server.get("/memory/by-tag?tags=DB", token=tenant).json["memories"] == [memory]
    change = {"content": "We chose PostgreSQL.", "metadata": {"line": 3}, "tags": "sql", "timestamp": "2020-01-01"}
    done = server.request("PATCH", f"/memory/{id}", change, token=tenant)
    assert (done.status, done.json) == (200, {"status": "success", "memory_id": id, "ignored": ["timestamp"]})
    after = server.get(f"/memory/{id}", token=tenant).json["memory"]
    assert (after["content"], after["metadata"], after["tags"]) == ("We chose PostgreSQL.", {"line": 3}, ["sql"])
    assert ids_of(recalled(server, tenant, query="redis")) == []
    assert ids_of(recalled(server, tenant, query="postgresql")) == [id]
    assert server.request("PATCH", f"/memory/{id}", {}, token=tenant).json == {"status": "success", "memory_id": id}
    deleted = server.request("DELETE", f"/memory/{id}", token=tenant)
    assert (deleted.status, deleted.json) == (200, {"status": "success", "memory_id": id})
    is_refused(server.get(f"/memory/{id}", token=tenant), 404, id)


def test_new_tags_enrich_a_memory_again_and_equal_ones_do_not(server: HttpServer) -> None:
    tenant = server.create_token(tenant="retagged")
    id = server.post("/memory", {"content": "We use Redis.", "tags": ["a"]}, token=tenant).json["memory_id"]
    with Jotsam(server.db, tenant="retagged", worker="off") as jot:
        jot.work()
        for tags, jobs in ((["a"], []), (["b"], ["enrich"])):
            assert server.request("PATCH", f"/memory/{id}", {"tags": tags}, token=tenant).status == 200
            assert [job.kind for job in jot.show(id).jobs] == jobs


def test_a_text_of_any_length_is_stored(server: HttpServer, tenant: str) -> None:
    """AM-2: AutoMem refuses more than 2,000 characters."""
    id = store(server, tenant, f"The giraffe is tall. {'Nothing else. ' * 2_000}")
    assert len(server.get(f"/memory/{id}", token=tenant).json["memory"]["content"]) > 20_000
    [found] = recalled(server, tenant, query="giraffe")["results"]
    assert found["memory"]["content_truncated"]
    assert len(found["memory"]["content"]) < 2_000


def test_wrong_requests_name_what_is_wrong(server: HttpServer, tenant: str) -> None:
    id = store(server, tenant, "We chose Redis.")
    wrong: list[tuple[str, str, object, int, str]] = [
        ("POST", "/memory", {}, 400, "'content' is required"),
        ("POST", "/memory", {"content": "  "}, 400, "'content' is required"),
        ("POST", "/memory", {"content": "x", "metadata": [1]}, 400, "metadata"),
        ("POST", "/memory", {"content": "x", "importance": 7}, 400, "invalid importance 7"),
        ("POST", "/memory", {"content": "x", "importance": "high"}, 400, "invalid importance 'high'"),
        ("POST", "/memory", {"content": "x", "timestamp": "never"}, 400, "invalid timestamp 'never'"),
        ("POST", "/memory", {"content": "x", "timestamp": 1700000000}, 400, "timestamp"),
        ("POST", "/memory", {"content": "x", "t_valid": "never"}, 400, "invalid t_valid 'never'"),
        ("POST", "/memory/batch", {"memories": [{"content": "x"}, {"content": "y", "t_invalid": "-"}]}, 400, "item 1"),
        ("PATCH", f"/memory/{id}", {"t_valid": "never"}, 400, "invalid t_valid 'never'"),
        ("POST", "/memory", {"content": 7}, 400, "content"),
        ("POST", "/memory", [], 400, "body"),
        ("POST", "/memory/batch", {}, 400, "'memories' must be a non-empty array"),
        ("POST", "/memory/batch", {"memories": [{"content": "x"}] * 501}, 400, "limit is 500 memories"),
        ("POST", "/memory/batch", {"memories": [{"content": "x"}, {}]}, 400, "index 1 missing 'content'"),
        ("POST", "/memory/batch", {"memories": [{"content": "x"}, {"content": "y", "importance": 2}]}, 400, "item 1"),
        ("GET", "/memory/nope", None, 400, "must be a valid UUID"),
        ("PATCH", "/memory/nope", {"content": "x"}, 400, "must be a valid UUID"),
        ("DELETE", "/memory/nope", None, 400, "must be a valid UUID"),
        ("GET", f"/memory/{UNKNOWN}", None, 404, UNKNOWN),
        ("PATCH", f"/memory/{UNKNOWN}", {"content": "x"}, 404, UNKNOWN),
        ("DELETE", f"/memory/{UNKNOWN}", None, 404, UNKNOWN),
        ("PATCH", f"/memory/{id}", {"content": ""}, 400, "'content' must not be empty"),
        ("PATCH", f"/memory/{id}", {"metadata": "x"}, 400, "metadata"),
        ("GET", "/memory/by-tag", None, 400, "'tags' query parameter is required"),
        ("DELETE", "/memory/by-tag?tags=%20", None, 400, "'tags' query parameter is required"),
        ("GET", "/memories/nope/related", None, 400, "must be a valid UUID"),
        ("GET", f"/memories/{UNKNOWN}/related", None, 404, UNKNOWN),
        ("GET", "/recall?state_mode=future", None, 400, "'state_mode' must be 'current' or 'history'"),
        ("GET", "/recall?start=never", None, 400, "start"),
    ]
    for method, path, body, status, words in wrong:
        is_refused(server.request(method, path, body, token=tenant), status, words)
    assert ids_of(recalled(server, tenant, query="")) == [id], "nothing else is stored"
    is_refused(server.post("/memory", {"content": "x"}, token="no"), 401, "Unauthorized")
    is_refused(server.get("/recall", token=None), 401, "Unauthorized")
    reader = server.create_token(scope="read")
    is_refused(server.post("/memory", {"content": "x"}, token=reader), 403, "write")


def test_values_are_taken_as_loosely_as_automem_takes_them(server: HttpServer, tenant: str) -> None:
    fields = {"importance": "0.8", "type": "Insight", "confidence": "0.4", "tags": ["a", " ", ""]}
    times = {"timestamp": "", "t_valid": "2026-05-01", "t_invalid": "2026-04-01T00:00:00Z"}
    id = server.post("/memory", {"content": "x", **fields, **times}, token=tenant).json["memory_id"]
    found = server.get(f"/memory/{id}", token=tenant).json["memory"]
    assert (found["importance"], found["confidence"], found["tags"]) == (0.8, 0.4, ["a"])
    assert found["t_valid"] == found["t_invalid"] == "2026-04-01T00:00:00Z", "it was never valid"
    other = store(server, tenant, "y")
    pair = {"memory1_id": id, "memory2_id": other, "strength": "0.4"}
    assert server.post("/associate", pair, token=tenant).json["strength"] == 0.4
    is_refused(server.post("/associate", {**pair, "strength": "much"}, token=tenant), 400, "'strength'")


def test_a_token_is_taken_where_clients_of_automem_send_it(server: HttpServer, tenant: str) -> None:
    id = store(server, tenant, "We chose Redis.")
    for path, headers in (("/recall", {"X-API-Key": tenant}), (f"/recall?api_key={tenant}", {})):
        assert ids_of(server.get(path, token=None, headers=headers).json) == [id]
    waited = server.post("/memory", {"content": "We chose Redis."}, token=tenant, headers={"Prefer": "wait=0"})
    assert (waited.status, waited.json["memory_id"]) == (201, id)


def test_another_tenant_finds_and_changes_nothing(server: HttpServer, tenant: str) -> None:
    id, own = store(server, tenant, "We chose Redis.", tags=["db"]), server.create_token(tenant="z", scope="write")
    mine = store(server, own, "We chose Redis.")
    assert mine != id
    for method, body in (("GET", None), ("PATCH", {"content": "x"}), ("DELETE", None)):
        is_refused(server.request(method, f"/memory/{id}", body, token=own), 404, id)
    is_refused(server.get(f"/memories/{id}/related", token=own), 404, id)
    pair = {"memory1_id": mine, "memory2_id": id, "type": "INVALIDATED_BY"}
    is_refused(server.post("/associate", pair, token=own), 404, "One or both memories do not exist")
    assert server.request("DELETE", "/memory/by-tag?tags=db", token=own).json["deleted_count"] == 0
    assert ids_of(recalled(server, own, query="redis", priority_ids=id)) == [mine]
    assert server.get(f"/memory/{id}", token=tenant).status == 200


def test_a_request_whose_answer_was_lost_stores_nothing_twice(server: HttpServer, tenant: str) -> None:
    fields = {"tags": ["db"], "type": "Decision", "timestamp": "2026-01-02T03:04:05Z", "metadata": {"n": 1}}
    first = store(server, tenant, "We chose Redis.", **fields)
    again = server.post("/memory", {"content": "We chose Redis.", **fields, "importance": 0.3}, token=tenant)
    assert (again.status, again.json["memory_id"], again.json["duplicate"]) == (201, first, True)
    others = [{"tags": ["x"]}, {"type": "Insight"}, {"timestamp": "2026-01-02"}, {"metadata": {"n": 2}}]
    ids = {store(server, tenant, "We chose Redis.", **{**fields, **other}) for other in others}
    assert len(ids | {first}) == 5
    items = [{"content": f"Note {number}."} for number in range(3)]
    batches = [server.post("/memory/batch", {"memories": items}, token=tenant) for _ in range(2)]
    assert [one.status for one in batches] == [201, 201]
    assert batches[0].json["memory_ids"] == batches[1].json["memory_ids"]


def test_a_batch_is_stored_whole(server: HttpServer, tenant: str) -> None:
    items = [{"content": f"Note {number}.", "tags": [f"t{number}"]} for number in range(3)]
    body = server.post("/memory/batch", {"memories": items}, token=tenant).json
    assert without_times(body) == {
        "status": "success",
        "stored": 3,
        "memory_ids": body["memory_ids"],
        "qdrant": "unconfigured",
        "enrichment": "queued",
        "warnings": [],
    }
    read = [server.get(f"/memory/{id}", token=tenant).json["memory"]["content"] for id in body["memory_ids"]]
    assert read == [item["content"] for item in items]


def test_memories_with_a_tag_are_listed_by_importance_and_deleted(server: HttpServer, tenant: str) -> None:
    wanted = [store(server, tenant, f"Note {n}.", tags=["Plan"], importance=n / 10) for n in range(5)]
    other = store(server, tenant, "Another.", tags=["plan/b"])
    body = server.get("/memory/by-tag?tags=plan&tags=none&limit=2&offset=1", token=tenant).json
    assert [one["id"] for one in body.pop("memories")] == [wanted[3], wanted[2]]
    assert body == {
        "status": "success",
        "tags": ["plan", "none"],
        "count": 2,
        "limit": 2,
        "offset": 1,
        "has_more": True,
    }
    last = server.get("/memory/by-tag?tags=plan&limit=abc&offset=4", token=tenant).json
    assert (last["count"], last["limit"], last["has_more"]) == (1, 20, False)
    gone = server.request("DELETE", "/memory/by-tag?tags=plan", token=tenant)
    assert gone.json == {"status": "success", "tags": ["plan"], "deleted_count": 5}
    assert ids_of(recalled(server, tenant)) == [other]


def test_the_client_supersedes_a_memory_in_four_requests(server: HttpServer, tenant: str) -> None:
    """AM-16: what its `store_memory` sends with `supersedes_memory_id`. It may be broken off after each request."""
    old = store(server, tenant, "The office is in Bonn.", metadata={"by": "Ana"})
    before = server.get(f"/memory/{old}", token=tenant).json["memory"]
    new = store(server, tenant, "The office is in Kiel.", tags=[])
    assert set(ids_of(recalled(server, tenant, query="office"))) == {old, new}, "broken off here, both are found"
    metadata = {**before["metadata"], "deprecated": True, "superseded_by": new, "supersede_relation": "EVOLVED_INTO"}
    change = {"t_invalid": "2020-01-01T00:00:00.000Z", "metadata": metadata}  # The client's clock is late.
    assert server.request("PATCH", f"/memory/{old}", change, token=tenant).status == 200
    assert ids_of(recalled(server, tenant, query="office")) == [new], "broken off here, the old one has expired"
    pair = {"memory1_id": old, "memory2_id": new, "type": "EVOLVED_INTO", "strength": 0.9}
    done = server.post("/associate", pair, token=tenant)
    assert done.status == 201
    assert server.post("/associate", pair, token=tenant).json == done.json, "a repeated request"
    [found] = recalled(server, tenant, query="office")["results"]
    assert (found["id"], found["state_replaces"]) == (new, old)
    history = recalled(server, tenant, query="office", state_mode="history")
    assert set(ids_of(history)) == set(ids_of(recalled(server, tenant, query="office", current_only="false")))
    assert set(ids_of(history)) == {old, new}
    after = server.get(f"/memory/{old}", token=tenant).json["memory"]
    assert (after["metadata"], after["superseded_by"]) == (metadata, new)


def test_a_replacement_that_the_client_gives_up_leaves_the_old_memory(server: HttpServer, tenant: str) -> None:
    """It deletes the new memory if the old one cannot be changed."""
    old = store(server, tenant, "The office is in Bonn.")
    new = store(server, tenant, "The office is in Kiel.")
    pair = {"memory1_id": old, "memory2_id": new, "type": "INVALIDATED_BY", "strength": 0.9}
    assert server.post("/associate", pair, token=tenant).json["supersedes"]
    assert ids_of(recalled(server, tenant, query="office")) == [new]
    assert server.request("DELETE", f"/memory/{new}", token=tenant).status == 200
    assert ids_of(recalled(server, tenant, query="office")) == [old], "what it superseded is valid again"


def test_a_memory_can_end_before_it_begins(server: HttpServer, tenant: str) -> None:
    id = store(server, tenant, "The office will be in Kiel.", t_valid="2030-01-01")
    assert recalled(server, tenant, query="office")["count"] == 0, "it is not valid yet"
    done = server.request("PATCH", f"/memory/{id}", {"t_invalid": "2029-01-01"}, token=tenant)
    assert done.status == 200
    memory = server.get(f"/memory/{id}", token=tenant).json["memory"]
    assert memory["t_valid"] == memory["t_invalid"] == "2029-01-01T00:00:00Z"


def test_associations_keep_their_properties(server: HttpServer, tenant: str) -> None:
    one, two = store(server, tenant, "First."), store(server, tenant, "Second.")
    pair = {"memory1_id": one, "memory2_id": two}
    assert server.post("/associate", pair, token=tenant).json == {
        "status": "success",
        "message": f"Association created between {one} and {two}",
        "relation_type": "RELATES_TO",
        "strength": 0.5,
        "supersedes": False,
    }
    more = {"type": "prefers_over", "strength": 0, "context": "tests", "reason": "fast", "role": "no property of it"}
    done = server.post("/associate", {**pair, **more}, token=tenant).json
    assert (done["strength"], done["context"], done["reason"]) == (0, "tests", "fast")
    assert "role" not in done
    [found] = recalled(server, tenant, query="second")["results"]
    links = {link.pop("type"): link for link in found["relations"]}
    end = links["PREFERS_OVER"].pop("memory")
    assert {"id": one, "summary": "First.", "importance": 0.5, "type": "Context", "tags": []}.items() <= end.items()
    assert end.keys() == {"id", "summary", "importance", "confidence", "type", "tags", "timestamp"}
    assert links["PREFERS_OVER"] == {
        "strength": 0.001,
        "direction": "incoming",
        "context": "tests",
        "reason": "fast",
    }
    wrong: list[tuple[dict[str, Any], int, str]] = [
        ({}, 400, "'memory1_id' and 'memory2_id' are required"),
        ({**pair, "memory2_id": "nope"}, 400, "'memory2_id' must be a valid UUID"),
        ({**pair, "memory2_id": one}, 400, "Cannot associate a memory with itself"),
        ({**pair, "type": "SIMILAR_TO"}, 400, "Relation type must be one of CONTRADICTS"),
        ({**pair, "strength": 2}, 400, "'strength' must be a number between 0 and 1"),
        ({**pair, "memory2_id": UNKNOWN}, 404, "One or both memories do not exist"),
        ({"associations": []}, 400, "'associations' must be a non-empty array"),
        ({"associations": [pair] * 501}, 400, "limit is 500 associations"),
    ]
    for body, status, words in wrong:
        is_refused(server.post("/associate", body, token=tenant), status, words)


def test_a_batch_of_associations_tells_which_failed(server: HttpServer, tenant: str) -> None:
    one, two = store(server, tenant, "First."), store(server, tenant, "Second.")
    pair = {"memory1_id": one, "memory2_id": two, "type": "LEADS_TO", "strength": 0.7}
    made = {"index": 0, "memory1_id": one, "memory2_id": two, "relation_type": "LEADS_TO", "strength": 0.7}
    whole = server.post("/associate", {"associations": [pair]}, token=tenant)
    assert (whole.status, whole.json) == (
        201,
        {
            "status": "success",
            "created_count": 1,
            "failed_count": 0,
            "succeeded": [made],
            "failed": [],
            "summary": "1/1 associations created successfully",
        },
    )
    mixed = [pair, {**pair, "memory2_id": UNKNOWN}, {**pair, "memory2_id": one}, "text"]
    found = server.post("/associate", {"associations": mixed}, token=tenant)
    assert found.status == 207
    assert found.json == {
        "status": "partial_success",
        "created_count": 1,
        "failed_count": 3,
        "succeeded": [made],
        "failed": [
            {"index": 1, "reason": "One or both memories do not exist"},
            {"index": 2, "reason": "Cannot associate a memory with itself"},
            {"index": 3, "reason": "Association item must be an object"},
        ],
        "summary": "1/4 associations created successfully",
    }
