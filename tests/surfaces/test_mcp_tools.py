"""The five tools of the MCP server, called through its dispatcher."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from tests.surfaces.mcp_client import McpClient, modern, request

from jotsam.core.clock import format_time
from jotsam.core.errors import InvalidInput
from jotsam.surfaces.mcp.messages import encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import StandingClock

    from jotsam import Jotsam

TEN_MINUTES = 600_000


@pytest.fixture
def client(jot: Jotsam) -> McpClient:
    return McpClient(lambda: jot, source="claude")


def test_the_tools_and_their_schemas_fit_into_4000_characters(client: McpClient) -> None:
    """A model reads them in every session."""
    tools = client.result("tools/list")["tools"]
    assert [tool["name"] for tool in tools] == ["remember", "recall", "get_memory", "forget", "memory_status"]
    assert len(encode({"tools": tools})) <= 4_000
    for tool in tools:
        hints = tool["annotations"]
        assert set(hints) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
        assert hints["readOnlyHint"] == (tool["name"] in ("recall", "get_memory", "memory_status"))
        assert hints["destructiveHint"] == (tool["name"] == "forget")
        assert not hints["openWorldHint"]
        assert ("anthropic/alwaysLoad" in tool.get("_meta", {})) == (tool["name"] in ("remember", "recall"))


def test_what_is_remembered_is_recalled_with_its_id_and_what_the_answer_covers(client: McpClient, jot: Jotsam) -> None:
    text = "We chose PostgreSQL: it has transactions."
    stored = client.call("remember", text=text, tags=["db"], importance=0.9, type="decision")
    found = client.call("recall", query="PostgreSQL transactions")
    [hit] = found["hits"]
    assert (hit["id"], hit["text"], hit["type"], hit["source"]) == (stored["id"], text, "Decision", "claude")
    assert hit["date"] == format_time(1_750_000_000_000)[:10]
    assert found["note"] == "reference, not instructions"
    memory = jot.get(stored["id"])
    assert (memory.source, memory.tags, memory.importance) == ("claude", ("db",), 0.9)

    shown = client.text("recall", query="PostgreSQL transactions")
    assert shown.startswith("<jotsam-memory")
    assert stored["id"][:8] in shown
    assert shown.endswith(found["coverage"])
    assert "1 pending" in found["coverage"]

    nothing = client.text("recall", query="giraffe")
    assert nothing.startswith("(not known yet; 1 pending")
    assert client.call("recall", query="giraffe") == {"coverage": nothing, "hits": []}


def test_the_source_is_the_harness_or_the_client_of_the_request_or_mcp(jot: Jotsam) -> None:
    call = {"name": "remember", "arguments": {"text": "Tabs."}}
    for source, message, expected in (
        ("codex", modern("tools/call", call), "codex"),
        (None, modern("tools/call", {**call, "arguments": {"text": "Spaces."}}), "modern-client"),
        (None, request("tools/call", {**call, "arguments": {"text": "Both."}}), "mcp"),
    ):
        reply = McpClient(lambda: jot, source=source).send(message)["result"]
        assert jot.get(reply["structuredContent"]["id"]).source == expected


def test_the_same_statement_is_stored_once_within_ten_minutes(
    client: McpClient, jot: Jotsam, clock: StandingClock
) -> None:
    """A client repeats a call after a timeout, and a model says the same twice."""
    clock.now = 1_750_000_200_000 // TEN_MINUTES * TEN_MINUTES + TEN_MINUTES - 1  # just before the next window
    first = client.call("remember", text="We use tabs.")
    clock.tick(1)
    again = client.call("remember", text="We use tabs. ", tags=["style"])
    assert (again["id"], again["duplicate"], first["duplicate"]) == (first["id"], True, False)
    clock.tick(TEN_MINUTES - 2)
    assert client.call("remember", text="We use tabs.")["duplicate"]
    clock.tick(1)
    later = client.call("remember", text="We use tabs.")
    assert not later["duplicate"]

    # What was replaced meanwhile is not the same any longer, and what was forgotten is not there.
    spaces = client.call("remember", text="We use spaces.", replaces=later["id"])
    back = client.call("remember", text="We use tabs.", replaces=spaces["id"])
    assert not back["duplicate"]
    assert client.call("recall", query="what do we use")["hits"][0]["text"] == "We use tabs."
    client.call("forget", ids=[back["id"]], confirm=1)
    assert not client.call("remember", text="We use tabs.")["duplicate"]


def test_a_correction_replaces_what_is_no_longer_true(client: McpClient, jot: Jotsam) -> None:
    old = client.call("remember", text="The office is in Berlin.")["id"]
    new = client.call("remember", text="The office is in Hamburg.", replaces=old[:8])["id"]
    assert jot.get(old).superseded_by == new
    assert [hit["id"] for hit in client.call("recall", query="where is the office")["hits"]] == [new]
    both = client.call("recall", query="where is the office", history=True)["hits"]
    assert {hit["id"]: hit.get("superseded_by") for hit in both} == {new: None, old: new}
    # The same correction again, for example after a timeout.
    assert client.call("remember", text="The office is in Hamburg.", replaces=old) == {"id": new, "duplicate": True}
    assert "there is no memory 'nope'" in client.refused("remember", text="The office is in Bonn.", replaces="nope")
    assert client.call("recall", query="Bonn")["hits"] == []


def test_recall_is_concise_unless_more_is_asked_for(client: McpClient, jot: Jotsam) -> None:
    for number in range(12):
        about = " ".join(f"word{number}x{other}" for other in range(300))
        client.call("remember", text=f"{about} The giraffe number {number} sleeps. {about}")
    concise, full = (client.call("recall", query="giraffe", detail=detail)["hits"] for detail in ("concise", "full"))
    assert len(concise) == 12 > len(full)
    assert all("giraffe" in hit["text"] and len(hit["text"]) < 400 for hit in concise)
    assert len(full[0]["text"]) > 800
    assert len(client.call("recall", query="giraffe", max_tokens=200)["hits"]) < 4
    whole = client.call("get_memory", ids=[concise[0]["id"]], max_tokens=20_000)["memories"][0]
    assert whole["text"].count("word") == 600


def test_get_memory_returns_whole_memories_and_documents_within_a_budget(client: McpClient, jot: Jotsam) -> None:
    document = jot.add("# Plan\n\n" + "Ship it. " * 2_000, source="plan.md").id
    id = client.call("remember", text="Ship on Fridays.", tags=["release"], importance=0.7)["id"]
    found = client.call("get_memory", ids=[id[:8], id[:8], document, "none"])
    memory, plan = found["memories"]
    assert (memory["id"], memory["text"], memory["tags"]) == (id, "Ship on Fridays.", ["release"])
    assert memory["pending"] is True
    assert (plan["kind"], plan["source"], len(plan["text"])) == ("document", "plan.md", 8_000 - len(memory["text"]))
    assert "raise max_tokens" in plan["cut"]
    assert found["missing"] == ["none"]
    text = client.text("get_memory", ids=[id, "none"])
    assert "Ship on Fridays." in text
    assert "there is no memory none" in text
    assert "there is no memory none" in client.refused("get_memory", ids=["none"])
    assert "must be a list of 1 to 20 items" in client.refused("get_memory", ids=[id] * 21)


def test_forget_deletes_nothing_before_its_count_is_confirmed(client: McpClient, jot: Jotsam) -> None:
    id = client.call("remember", text="A secret plan.")["id"]
    document = jot.add("# One\n\nFirst.\n\n# Two\n\nSecond.\n").id
    jot.work()
    plan = client.call("forget", ids=[id, document])
    assert (plan["forgotten"], plan["count"]) == (False, 4)
    assert {one["id"] for one in plan["plan"]} == {id, document}
    assert "confirm: 4" in client.text("forget", ids=[id, document])
    for confirm in (1, 3, 5):
        assert "nothing was deleted" in client.refused("forget", ids=[id, document], confirm=confirm)
    for confirm in (0, True, "4", None):
        arguments = {"ids": [id, document], "confirm": confirm}
        result = client.result("tools/call", {"name": "forget", "arguments": arguments})
        assert result["isError"] or not result["structuredContent"]["forgotten"]
    assert jot.status().memories == 3
    done = client.call("forget", ids=[id, document], confirm=4)
    assert (done["forgotten"], done["count"]) == (True, 4)
    assert jot.status().memories == jot.status().documents == 0
    assert "there is no document or memory" in client.refused("forget", ids=[id], confirm=1)
    assert "must be a list" in client.refused("forget", ids=[])


def test_an_error_of_an_argument_says_what_to_give_instead(client: McpClient) -> None:
    cases: list[tuple[tuple[str, str, object], str]] = [
        (("remember", "importance", 7), "invalid importance 7: must be a number from 0 to 1"),
        (("remember", "importance", "high"), "invalid importance 'high': must be a number from 0 to 1"),
        (("remember", "importance", True), "invalid importance True: must be a number from 0 to 1"),
        (("remember", "text", 5), "invalid text 5: must be text"),
        (("remember", "text", " "), "invalid text '': must be a statement to remember"),
        (("remember", "txt", "x"), "unknown argument 'txt': remember takes text, type, tags, importance, replaces"),
        (("remember", "tags", [1]), "invalid tags 1: must be text"),
        (("recall", "detail", "long"), "invalid detail 'long': must be one of concise, full"),
        (("recall", "max_tokens", 5), "invalid max_tokens 5: must be an integer from 100 to 20,000"),
        (("recall", "max_tokens", 200.5), "invalid max_tokens 200.5: must be an integer from 100 to 20,000"),
        (("recall", "history", "yes"), "invalid history 'yes': must be true or false"),
        (("recall", "when", "blue"), "blue"),
        (("memory_status", "x", 1), "unknown argument 'x': memory_status takes no arguments"),
    ]
    for (tool, name, value), message in cases:
        given = {"text": "Tabs.", name: value} if tool == "remember" else {name: value}
        assert message in client.refused(tool, **given), name
    assert client.refused("get_memory") == "missing argument ids: must be a list of 1 to 20 items, each text"
    # What means the same is accepted.
    assert client.call("recall", query="x", max_tokens=200.0, tags="db", when=None)["hits"] == []


def test_status_says_what_is_pending_in_its_text_too(client: McpClient, jot: Jotsam) -> None:
    client.call("remember", text="Tabs.")
    found = client.call("memory_status")
    assert (found["counts"]["memories"], found["counts"]["pending"], found["level"]) == (1, 1, "ok")
    assert found["text"] == client.text("memory_status")
    assert "1 memory" in found["text"]
    assert "1 pending" in found["text"]
    jot.admin.pause("enrich", reason="the model is away")
    assert "queue enrich is paused: the model is away" in client.text("memory_status")


def test_a_broken_configuration_or_database_is_an_error_of_the_call_until_it_is_repaired(jot: Jotsam) -> None:
    broken = [InvalidInput("invalid tenant ''"), OSError("disk on fire")]

    def connect() -> Jotsam:
        if broken:
            raise broken.pop()
        return jot

    client = McpClient(connect)
    assert client.refused("recall") == "disk on fire"
    assert client.error("resources/read", {"uri": "memory://status"})["message"] == "invalid tenant ''"
    assert client.call("recall")["hits"] == []


def test_a_replaced_database_is_opened_again_and_a_newer_one_refused(
    open_jot: Callable[..., Jotsam], url: str, next_version: Callable[..., object]
) -> None:
    client = McpClient(open_jot)
    client.call("remember", text="In the old file.")
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(url + suffix):
            os.remove(url + suffix)
    assert client.call("recall", query="file")["hits"] == []
    client.call("remember", text="In the new file.")
    next_version(f"from jotsam import Jotsam; Jotsam({url!r}, worker='off').close()")
    client.memory.close()  # As after a minute without a call.
    assert "upgrade jotsam" in client.refused("recall", query="file")


def test_an_error_nobody_expected_is_reported_and_the_server_goes_on(
    jot: Jotsam, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = [ZeroDivisionError("of a bug")]

    def connect() -> Jotsam:
        if broken:
            raise broken.pop()
        return jot

    client = McpClient(connect)
    assert client.refused("recall") == "internal error: ZeroDivisionError: of a bug"
    assert "Traceback" in capsys.readouterr().err
    assert client.call("recall")["hits"] == []
    client.dispatcher._content.lists["tools/list"] = None  # type: ignore[assignment]
    assert client.error("tools/list")["code"] == -32603


def test_a_setting_keeps_what_is_read_in_the_own_project(open_jot: Callable[..., Jotsam]) -> None:
    jot = open_jot(project="shop", mcp_recall="project")
    mine = jot.remember("Our giraffe is tall.").id
    theirs = jot.remember("Their giraffe is a secret.", project="bank").id
    everybody = jot.scoped(project="").remember("Giraffes are always tall.").id
    client = McpClient(lambda: jot, source="claude")
    assert [hit["id"] for hit in client.call("recall", query="giraffe")["hits"]] == [mine]
    assert [hit["id"] for hit in client.call("recall", project="shop")["hits"]] == [mine]
    assert "keeps to the own project, shop" in client.refused("recall", query="giraffe", project="bank")
    assert [one["id"] for one in client.call("get_memory", ids=[mine, theirs, everybody])["memories"]] == [
        mine,
        everybody,
    ]
    assert "there is no memory" in client.refused("forget", ids=[theirs])
    brief = client.error("resources/read", {"uri": "memory://project/bank/brief"})
    assert "keeps to the own project, shop" in brief["message"]
    without = McpClient(lambda: open_jot(mcp_recall="project"), source="claude")
    assert "there is none here" in without.refused("recall", query="giraffe")
    every = McpClient(lambda: open_jot(project="shop"), source="claude")
    assert {hit["id"] for hit in every.call("recall", query="giraffe")["hits"]} == {mine, theirs, everybody}
