"""The profile of the MCP server with the tools of the AutoMem client and the names of their arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.surfaces.mcp_client import McpClient

if TYPE_CHECKING:
    from jotsam import Jotsam

# The arguments of mcp-automem 0.15: its src/index.ts.
ARGUMENTS = {
    "store_memory": (
        *("content", "memories", "tags", "importance", "embedding", "metadata", "timestamp", "type", "confidence"),
        *("id", "t_valid", "t_invalid", "updated_at", "last_accessed", "supersedes_memory_id", "supersede_relation"),
        "supersede_reason",
    ),
    "recall_memory": (
        *("memory_id", "exhaustive", "exclude_tags", "query", "queries", "embedding", "limit", "time_query", "start"),
        *("end", "tags", "tag_mode", "tag_match", "expand_entities", "expand_relations", "expand_respect_tags"),
        *("auto_decompose", "expansion_limit", "relation_limit", "expand_min_importance", "expand_min_strength"),
        *("current_only", "state_debug", "state_mode", "recency_bias", "scope_fallback", "min_score"),
        *("adaptive_floor", "context", "language", "active_path", "context_tags", "context_types", "priority_ids"),
        *("per_query_limit", "sort", "format", "offset"),
    ),
    "associate_memories": (
        *("memory1_id", "memory2_id", "type", "strength", "context", "reason", "pattern_type", "confidence"),
        *("resolution", "observations", "timestamp", "transformation", "role", "associations"),
    ),
    "update_memory": (
        *("memory_id", "content", "tags", "importance", "metadata", "timestamp", "t_valid", "t_invalid"),
        *("updated_at", "last_accessed", "type", "confidence"),
    ),
    "delete_memory": ("memory_id", "tags"),
    "check_database_health": (),
}


@pytest.fixture
def client(jot: Jotsam) -> McpClient:
    return McpClient(lambda: jot, profile="automem", source="cursor")


def test_it_has_the_tools_and_arguments_of_that_client(client: McpClient) -> None:
    tools = {tool["name"]: tool for tool in client.result("tools/list")["tools"]}
    assert tools.keys() == ARGUMENTS.keys()
    for name, arguments in ARGUMENTS.items():
        more = {"confirm"} if name == "delete_memory" else set()
        assert tools[name]["inputSchema"]["properties"].keys() == {*arguments} | more
        assert len(tools[name]["annotations"]) == 4
    assert client.result("initialize", {"protocolVersion": "2025-06-18"})["capabilities"] == {"tools": {}}
    assert client.error("resources/list")["code"] == -32601
    assert client.error("resources/read", {"uri": "memory://status"})["code"] == -32602


def test_one_memory_is_stored_found_changed_and_deleted(client: McpClient, jot: Jotsam) -> None:
    fields = {"tags": ["db"], "importance": 0.9, "type": "Decision", "metadata": {"file": "a.py"}}
    more = {"id": "mine", "t_valid": "2025-01-01", "timestamp": "2025-02-03T04:05:06Z", "embedding": [0.1], "nope": 1}
    id = client.call("store_memory", content="Chose PostgreSQL for orders.", **fields, **more)["memory_id"]
    assert client.call("store_memory", content="Chose PostgreSQL for orders.", **fields, **more)["memory_id"] == id
    [found] = client.call("recall_memory", query="PostgreSQL", tags=["db"])["results"]
    assert (found["memory_id"], found["content"]) == (id, "Chose PostgreSQL for orders.")
    assert found["created_at"] == "2025-02-03T04:05:06Z"
    [whole] = client.call("recall_memory", memory_id="mine")["results"]
    assert (whole["importance"], whole["metadata"], whole["t_valid"]) == (0.9, {"file": "a.py"}, "2025-01-01T00:00:00Z")
    client.call("update_memory", memory_id=id, content="Chose SQLite for orders.", metadata={"line": 3}, tags=["x"])
    changed = jot.get(id)
    assert (changed.text, changed.metadata, changed.tags) == (
        "Chose SQLite for orders.",
        {"file": "a.py", "line": 3},
        ("x",),
    )
    assert jot.get(id).source == "cursor"
    assert client.call("delete_memory", memory_id=id)["memory_id"] == id
    assert client.call("recall_memory", memory_id=id) == {"count": 0, "mode": "id_fetch", "results": []}
    assert "there is no memory" in client.refused("delete_memory", memory_id=id)
    assert "nothing to change" in client.refused("update_memory", memory_id="x")


def test_a_correction_supersedes_the_old_memory_and_links_it(client: McpClient, jot: Jotsam) -> None:
    old = client.call("store_memory", content="The office is in Berlin.")["memory_id"]
    done = client.call(
        "store_memory", content="The office is in Bonn.", supersedes_memory_id=old, supersede_reason="moved"
    )
    assert (done["superseded_memory_id"], done["association_created"]) == (old, True)
    assert jot.get(old).superseded_by == done["memory_id"]
    assert jot.get(old).metadata == {"supersede_reason": "moved"}
    [link] = jot.show(old).links
    assert (link.type, link.target, link.properties) == ("INVALIDATED_BY", done["memory_id"], {"reason": "moved"})
    assert [one["memory_id"] for one in client.call("recall_memory", query="office")["results"]] == [done["memory_id"]]
    assert client.call("recall_memory", query="office", state_mode="history")["count"] == 2
    assert client.call("recall_memory", query="office", current_only=False)["count"] == 2


def test_many_are_stored_listed_page_by_page_and_searched_by_several_queries(client: McpClient) -> None:
    items = [{"content": f"Note {number} of the plan.", "tags": ["plan"]} for number in range(7)]
    stored = client.call("store_memory", memories=[*items, {"content": ""}])
    assert stored["stored"] == 7
    assert "item 7" in stored["message"]
    assert "either content or memories" in client.refused("store_memory", content="x", memories=items)
    assert "item 0" in client.refused("store_memory", memories=[{"content": ""}])
    first = client.call("recall_memory", tags=["PLAN"], exhaustive=True, limit=4)
    second = client.call("recall_memory", tags=["plan"], exhaustive=True, limit=4, offset=4)
    assert (first["count"], first["has_more"], second["count"], second["has_more"]) == (4, True, 3, False)
    ids = [one["memory_id"] for page in (first, second) for one in page["results"]]
    assert sorted(ids) == sorted(stored["memory_ids"])
    assert "missing argument tags" in client.refused("recall_memory", exhaustive=True)
    assert "leave out tag_mode" in client.refused("recall_memory", exhaustive=True, tags=["a"], tag_mode="all")
    found = client.call("recall_memory", queries=["note 1 plan", "note 2 plan"], per_query_limit=3, limit=10)
    found_ids = [one["memory_id"] for one in found["results"]]
    assert len(found_ids) == len(set(found_ids)) >= 3
    assert "7 pending" in found["coverage"]
    assert client.text("recall_memory", query="plan").startswith(found["coverage"][:9])


def test_a_search_prefers_fills_up_and_asks_the_parts_of_a_query(client: McpClient) -> None:
    texts = ("The office is in Kiel.", "The office of Ana Lee is big.", "The kitchen is green.")
    ids = [client.call("store_memory", content=text, tags=[f"t{n}"])["memory_id"] for n, text in enumerate(texts)]

    def found(**arguments: object) -> list[str]:
        return [one["memory_id"] for one in client.call("recall_memory", **arguments)["results"]]

    assert found(query="office", context_tags=["t1"])[0] == ids[1]
    assert found(query="office", language="t0")[0] == ids[0]
    assert found(query="office", tags=["t0"]) == [ids[0]]
    assert found(query="office", tags=["t0"], scope_fallback=True) == ids[:2]
    assert ids[2] in found(query="Where is the office and what is in the kitchen?", auto_decompose=True)
    assert found(query="office", sort="time_asc", offset=1) == [ids[1]]


def test_pairs_are_linked_and_the_ones_that_fail_are_named(client: McpClient, jot: Jotsam) -> None:
    one, two = (client.call("store_memory", content=text)["memory_id"] for text in ("First.", "Second."))
    pair = {"memory1_id": one, "memory2_id": two, "type": "LEADS_TO", "strength": 0.9}
    assert client.call("associate_memories", **pair, reason="why")["success"]
    assert [(link.type, link.weight) for link in jot.show(one).links] == [("LEADS_TO", 0.9)]
    client.call("associate_memories", **{**pair, "type": "CONTRADICTS"}, reason="why", role="no property of it")
    assert jot.show(one).links[0].properties == {"reason": "why"}
    client.call("associate_memories", **{**pair, "type": "EVOLVED_INTO"})
    assert [one["memory_id"] for one in client.call("recall_memory")["results"]] == [two]
    done = client.call("associate_memories", associations=[pair, {**pair, "memory2_id": "nope"}])
    assert (done["success"], done["created_count"], done["failed_count"]) == (False, 1, 1)
    assert "nope" in done["failed"][0]["reason"]
    assert "missing argument type" in client.refused("associate_memories", memory1_id=one, memory2_id=two)
    assert "must be one of RELATES_TO" in client.refused("associate_memories", **{**pair, "type": "SIMILAR_TO"})


def test_deleting_by_tags_needs_the_count_of_what_would_go(client: McpClient, jot: Jotsam) -> None:
    for number in range(3):
        client.call("store_memory", content=f"Test {number}.", tags=["test"])
    client.call("store_memory", content="Keep.", tags=["keep"])
    planned = client.call("delete_memory", tags=["test"])
    assert planned["deleted_count"] == 0
    assert "confirm: 3" in planned["message"]
    assert client.call("delete_memory", tags=["test"], confirm=4)["deleted_count"] == 0
    assert jot.status().memories == 4
    assert client.call("delete_memory", tags=["test"], confirm=3)["deleted_count"] == 3
    assert client.call("delete_memory", tags=["test"], confirm=3)["message"] == "nothing matches"
    assert jot.status().memories == 1
    for given in ({}, {"memory_id": "x", "tags": ["test"]}):
        assert "either memory_id or tags" in client.refused("delete_memory", **given)


def test_health_says_what_waits_and_what_failed(client: McpClient, jot: Jotsam) -> None:
    client.call("store_memory", content="One.")
    found = client.call("check_database_health")
    assert (found["status"], found["backend"]) == ("healthy", "jotsam")
    assert (found["statistics"]["memory_count"], found["statistics"]["pending"]) == (1, 1)
    jot.admin.pause("enrich", reason="away")
    assert client.call("check_database_health")["status"] == "degraded"
