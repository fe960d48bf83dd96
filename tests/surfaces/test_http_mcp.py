"""`POST /mcp`: the Model Context Protocol over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from http_server import HttpServer, Response, serving
from jotsam.surfaces.mcp.dispatcher import LEGACY
from token_proxy import TokenProxy

VERSION = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("mcp") / "jotsam.db")) as running:
        yield running


def send(server: HttpServer, method: str, token: str = "", path: str = "/mcp", **params: object) -> Response:
    return server.post(path, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}, token=token)


def test_a_client_of_an_earlier_revision_stores_and_finds_a_memory(served: HttpServer) -> None:
    hello = send(served, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "x"})
    assert hello.json["result"]["protocolVersion"] == "2025-11-25"
    assert served.post("/mcp", {"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202
    stored = send(served, "tools/call", name="remember", arguments={"text": "The gateway uses port 8443."})
    assert not stored.json["result"]["isError"]
    found = send(served, "tools/call", name="recall", arguments={"query": "port of the gateway"})
    assert "8443" in found.json["result"]["content"][0]["text"]


def test_a_token_that_may_only_read_cannot_call_a_tool_that_writes(served: HttpServer) -> None:
    reader = served.create_token(scope="read")
    wanted = {"name": "remember", "arguments": {"text": "no"}}
    assert send(served, "tools/call", reader, **wanted).status == 403
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": wanted}
    assert served.post("/mcp", [call], token=reader).status == 403
    assert send(served, "tools/call", reader, name="memory_status", arguments={}).status == 200


def test_the_headers_of_the_latest_revision_must_agree_with_the_message(served: HttpServer) -> None:
    body = {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "tools/call",
        "params": {"name": "memory_status", "arguments": {}, "_meta": META},
    }
    told = {"MCP-Protocol-Version": VERSION, "Mcp-Method": "tools/call", "Mcp-Name": "memory_status"}
    assert served.post("/mcp", body, headers=told).json["result"]["resultType"] == "complete"
    for name in told:
        wrong = served.post("/mcp", body, headers={**told, name: "other"})
        assert (wrong.status, wrong.json["id"], wrong.json["error"]["code"]) == (400, 7, -32020)
        assert served.post("/mcp", body, headers={k: v for k, v in told.items() if k != name}).status == 400


def test_what_is_no_message_is_answered_with_an_error(served: HttpServer) -> None:
    assert served.request("POST", "/mcp", content=b"{", headers={"Content-Type": "application/json"}).status == 400
    assert served.get("/mcp").status == 405
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    told = {version: served.post("/mcp", ping, headers={"MCP-Protocol-Version": version}) for version in ("1", *LEGACY)}
    assert [version for version, answer in told.items() if answer.status != 200] == ["1"]
    assert "must be one of" in told["1"].json["error"]["message"]
    assert send(served, "tools/list", path="/mcp?profile=other").status == 400
    names = [tool["name"] for tool in send(served, "tools/list", path="/mcp?profile=automem").json["result"]["tools"]]
    assert "store_memory" in names


def test_another_tenant_finds_nothing(served: HttpServer) -> None:
    other = served.create_token(tenant="other")
    send(served, "tools/call", name="remember", arguments={"text": "Zebra is the code name."})
    found = send(served, "tools/call", other, name="recall", arguments={"query": "Zebra"})
    assert found.json["result"]["structuredContent"]["hits"] == []


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_client_of_the_official_sdk_stores_and_finds_a_memory(sdk: Any, served: HttpServer, mode: str) -> None:
    async def use(url: str) -> None:
        async with sdk.Client(url, mode=mode, read_timeout_seconds=60) as client:
            assert len((await client.list_tools()).tools) == 5
            stored = await client.call_tool("remember", {"text": f"Tabs, says the {mode} client: müde."})
            assert not stored.is_error
            found = await client.call_tool("recall", {"query": "tabs"})
            assert mode in found.content[0].text

    with TokenProxy(served) as proxy:
        asyncio.run(use(f"{proxy.url}/mcp"))
