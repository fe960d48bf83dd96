"""`jotsam mcp` judged by the client of the official SDK, which checks each result against its schema."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

TIMEOUT = 120


def server(sdk: Any, shell: Shell, *arguments: str) -> Any:
    command = [*shell.command("mcp", *arguments)]
    return sdk.StdioServerParameters(command=command[0], args=command[1:], env=shell.env, cwd=shell.home)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28", "auto"])
def test_its_client_connects_lists_and_calls_in_both_eras(sdk: Any, jotsam: Shell, mode: str) -> None:
    async def use() -> None:
        async with sdk.Client(server(sdk, jotsam), mode=mode, read_timeout_seconds=TIMEOUT) as client:
            assert client.protocol_version == ("2025-11-25" if mode == "legacy" else "2026-07-28")
            if mode != "2026-07-28":  # Then it asks nothing before the first call.
                assert client.server_info.name == "jotsam"
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools] == ["remember", "recall", "get_memory", "forget", "memory_status"]
            for tool in tools:
                Draft202012Validator.check_schema(tool.input_schema)
                Draft202012Validator.check_schema(tool.output_schema)
            stored = await client.call_tool("remember", {"text": "Tabs.", "importance": 0.9})
            id = stored.structured_content["id"]
            for name, arguments in (
                ("recall", {"query": "tabs"}),
                ("recall", {"query": "giraffe"}),
                ("get_memory", {"ids": [id, "none"]}),
                ("forget", {"ids": [id]}),
                ("memory_status", {}),
                ("forget", {"ids": [id], "confirm": 1}),
            ):
                result = await client.call_tool(name, arguments)
                assert not result.is_error, (name, result)
                assert result.content[0].text
                assert result.structured_content
            refused = await client.call_tool("remember", {"text": "Tabs.", "importance": 7})
            assert refused.is_error
            with pytest.raises(sdk.MCPError, match="unknown tool"):
                await client.call_tool("nope", {})
            assert [one.uri for one in (await client.list_resources()).resources] == ["memory://status"]
            assert len((await client.list_resource_templates()).resource_templates) == 2
            assert "memor" in (await client.read_resource("memory://status")).contents[0].text
            assert [one.name for one in (await client.list_prompts()).prompts] == ["recall", "remember", "handoff"]
            assert (await client.get_prompt("remember", {"text": "x"})).messages

    asyncio.run(use())


def test_its_client_uses_the_profile_of_automem(sdk: Any, jotsam: Shell) -> None:
    async def use() -> None:
        async with sdk.Client(server(sdk, jotsam, "--profile", "automem"), read_timeout_seconds=TIMEOUT) as client:
            for tool in (await client.list_tools()).tools:
                Draft202012Validator.check_schema(tool.input_schema)
            one = (await client.call_tool("store_memory", {"content": "Tabs.", "tags": ["a"]})).structured_content
            two = (await client.call_tool("store_memory", {"memories": [{"content": "Spaces."}]})).structured_content
            pair = {"memory1_id": one["memory_id"], "memory2_id": two["memory_ids"][0], "type": "PREFERS_OVER"}
            for name, arguments in (
                ("recall_memory", {"query": "tabs"}),
                ("recall_memory", {"memory_id": one["memory_id"]}),
                ("recall_memory", {"tags": ["a"], "exhaustive": True}),
                ("associate_memories", pair),
                ("associate_memories", {"associations": [{**pair, "strength": 0.5}, {**pair, "strength": 1}]}),
                ("update_memory", {"memory_id": one["memory_id"], "importance": 0.1}),
                ("delete_memory", {"tags": ["a"]}),
                ("delete_memory", {"memory_id": one["memory_id"]}),
                ("check_database_health", {}),
            ):
                result = await client.call_tool(name, arguments)
                assert not result.is_error, (name, result)

    asyncio.run(use())


def test_its_session_pings_and_reads_the_instructions(sdk: Any, jotsam: Shell) -> None:
    async def use() -> None:
        async with sdk.stdio_client(server(sdk, jotsam)) as (read, write), sdk.ClientSession(read, write) as session:
            found = await session.initialize()
            assert 100 < len(found.instructions) <= 600
            await session.send_ping()

    asyncio.run(use())
