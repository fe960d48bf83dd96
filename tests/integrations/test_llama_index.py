"""The memory block and the retriever for LlamaIndex, in its own `Memory`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.memory import Memory

from jotsam import AsyncJotsam, Jotsam
from jotsam.integrations.llama_index import JotsamMemoryBlock, JotsamRetriever

if TYPE_CHECKING:
    from pathlib import Path

LONG = "The kiln log of day {}: fired slowly, cooled overnight, the shelf in the middle was the hottest of all."


def test_what_leaves_the_short_term_memory_is_given_again_when_it_is_asked_about(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            block = JotsamMemoryBlock(memory=memory, project="ann")
            chat = Memory.from_defaults(
                session_id="s1",
                token_limit=400,
                chat_history_token_ratio=0.5,
                token_flush_size=50,
                memory_blocks=[block],
            )
            await chat.aput(ChatMessage(role="user", content="My glaze is celadon."))
            for day in range(12):
                await chat.aput(ChatMessage(role="user", content=LONG.format(day)))
                await chat.aput(ChatMessage(role="assistant", content="Noted."))
            await chat.aput(ChatMessage(role="user", content="Which glaze is mine?"))
            given = await chat.aget()
            await chat.sql_store._async_engine.dispose()
            assert "celadon" in str(given[0].content)
            assert {turn.session for turn in (await memory.recall("glaze")).hits} == {"s1"}

    asyncio.run(scenario())


def test_a_truncated_answer_keeps_its_first_memories_and_its_end(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            block = JotsamMemoryBlock(memory=memory)
            await block.aput([ChatMessage(role="user", content=LONG.format(day)) for day in range(5)], session_id="s1")
            whole = await block.aget([ChatMessage(role="user", content="What says the kiln log?")])
            cut = await block.atruncate(whole, 60)
            assert cut
            assert len(cut) <= len(whole) - 240
            assert cut.startswith(whole[:100])
            assert cut.endswith(whole[whole.rindex("\n</jotsam-memory>") :])
            assert await block.atruncate(whole, 10_000) is None
            assert await block.aget([]) == ""

    asyncio.run(scenario())


def test_a_retriever_gives_memories_as_nodes_of_its_project(tmp_path: Path) -> None:
    with Jotsam(tmp_path / "a.db", worker="off") as memory:
        memory.remember("The glaze is celadon.", project="ann", source="log.md", actor="ann")
        memory.remember("The glaze is tenmoku.", project="bob")
        (node,) = JotsamRetriever(memory, project="ann").retrieve("which glaze")
        assert (node.text, node.metadata["source"], node.metadata["actor"]) == (
            "The glaze is celadon.",
            "log.md",
            "ann",
        )
        assert node.score
        assert asyncio.run(JotsamRetriever(memory, project="bob").aretrieve("which glaze"))[0].text.endswith("tenmoku.")
