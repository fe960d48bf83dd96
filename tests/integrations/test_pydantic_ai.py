"""The conversations and the tools for Pydantic AI, in real agents whose model is a function."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from pydantic_ai import (
    Agent,
    BinaryContent,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.conversation import Conversation
from pydantic_ai.conversation_store import ConversationConflict, InMemoryConversationStore
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.test import TestModel

from http_server import serving
from jotsam import Client, InvalidInput, Jotsam
from jotsam.integrations import pydantic_ai as adapter
from jotsam.integrations.pydantic_ai import JotsamConversationStore, JotsamToolset

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Jotsam]:
    with Jotsam(tmp_path / "a.db", worker="off") as memory:
        yield memory


def said(text: str) -> ModelRequest:
    return ModelRequest(parts=[UserPromptPart(text)])


def answered(text: str) -> ModelResponse:
    return ModelResponse(parts=[TextPart(text)])


def nested(levels: int) -> Any:
    deep: Any = "end"
    for _ in range(levels):
        deep = [deep]
    return deep


def turns(number: int, *, begin: int = 0) -> list[Any]:
    return [one for n in range(begin, number) for one in (said(f"question {n}"), answered(f"answer {n}"))]


def texts(conversation: Conversation | None) -> list[str]:
    assert conversation
    return [message.parts[0].content for message in conversation.messages]


def stored(memory: Jotsam) -> int:
    return sum(one.items for one in memory.store.namespaces(prefix=("pydantic-ai", "messages")))


def test_a_later_process_continues_a_conversation_and_its_usage(tmp_path: Path) -> None:
    asked: list[Any] = []

    def answer(messages: Any, info: Any) -> ModelResponse:
        asked.append([part.content for message in messages for part in message.parts])
        return answered("Noted.")

    async def run(text: str) -> int:
        with Jotsam(tmp_path / "a.db", worker="off") as memory:
            store = JotsamConversationStore(memory)
            conversation = await store.load("c1") or Conversation(conversation_id="c1")
            result = await Agent(FunctionModel(answer)).run(text, conversation=conversation)
            await store.save(result)
            found = await store.load("c1")
            assert found
            return found.usage.requests

    assert [asyncio.run(run(text)) for text in ("My glaze is celadon.", "Which glaze?")] == [1, 2]
    assert asked[1] == ["My glaze is celadon.", "Noted.", "Which glaze?"]


def test_messages_come_back_equal(memory: Jotsam) -> None:
    messages = [
        ModelRequest(parts=[UserPromptPart(["a\0b 🎉", BinaryContent(b"\0\xff", media_type="application/pdf")])]),
        ModelResponse(parts=[ToolCallPart("f", {"password": "hunter2hunter2", "n": 1.5, "wide": list(range(2_000))})]),
        ModelRequest(parts=[ToolReturnPart("f", {"deep": nested(100), **{str(n): n for n in range(1_500)}}, "1")]),
    ]

    async def scenario() -> None:
        store = JotsamConversationStore(memory)
        await store.save(Conversation(conversation_id="c" * 1_000, messages=messages))
        found = await store.load("c" * 1_000)
        assert found
        assert found.messages == messages

    asyncio.run(scenario())


def test_what_the_framework_could_not_read_again_is_refused_and_nothing_of_the_call_is_stored(memory: Jotsam) -> None:
    messages = [said("How deep?"), ModelRequest(parts=[ToolReturnPart("f", nested(300), "1")])]

    async def scenario() -> None:
        store = JotsamConversationStore(memory)
        with pytest.raises(InvalidInput, match="could not read this message again"):
            await store.save(Conversation(conversation_id="a", messages=messages))
        assert (await store.load("a"), stored(memory)) == (None, 0)

    asyncio.run(scenario())


def test_it_finds_what_the_frameworks_own_store_finds(memory: Jotsam) -> None:
    """Saves, forks, branches, scopes and deletes in both, with the same results."""

    async def scenario(store: Any) -> list[Any]:
        await store.save(Conversation(conversation_id="a", messages=turns(3)), scope="ann")
        fork = await store.fork("a", at=2, new_conversation_id="b")
        fork.messages += turns(9, begin=7)
        await store.save(fork)
        loaded = await store.load("a")
        branched = await store.branch("a", at=4, expected_revision=loaded.revision)
        branched.messages += turns(6, begin=5)
        await store.save(branched)
        await store.save(Conversation(conversation_id="c", messages=turns(1)), scope="bob")
        entries = await store.load_entries("a")
        left = (await store.read_record("a")).branches
        told = [
            *[texts(await store.load(one)) for one in ("a", "b", "c")],
            texts(await store.load("a", limit=3)),
            texts(await store.load("b", limit=5)),
            await store.load("a", scope="bob"),
            [one.conversation_id for one in await store.list_conversations()],
            [one.conversation_id for one in await store.list_conversations(scope="ann", limit=1)],
            [[one.message.parts[0].content for one in await store.read_history(end)] for end in left],
            (await store.read_entry(entries[1].id)).message.parts[0].content,
        ]
        await store.delete("a", scope="bob")
        await store.delete("a")
        with pytest.raises(LookupError):
            await store.read_entry(entries[-1].id)
        told += [await store.load("a"), texts(await store.load("b"))]
        await store.delete("b")
        with pytest.raises(LookupError):
            await store.read_entry(entries[0].id)
        return told

    assert asyncio.run(scenario(JotsamConversationStore(memory))) == asyncio.run(scenario(InMemoryConversationStore()))
    assert stored(memory) == 2


def test_of_ten_saves_at_once_one_is_kept_and_the_others_are_told(tmp_path: Path) -> None:
    async def scenario() -> None:
        with Jotsam(tmp_path / "a.db", worker="off") as memory, Jotsam(tmp_path / "a.db", worker="off") as other:
            stores = [JotsamConversationStore(memory), JotsamConversationStore(other)]
            await stores[0].save(Conversation(conversation_id="a", messages=turns(1)))
            loaded = [await stores[number % 2].load("a") for number in range(10)]
            for number, one in enumerate(loaded):
                one.messages.append(said(f"from {number}"))
            results = await asyncio.gather(
                *(stores[number % 2].save(one) for number, one in enumerate(loaded)), return_exceptions=True
            )
            assert sum(isinstance(one, ConversationConflict) for one in results) == 9
            assert len(texts(await stores[0].load("a"))) == 3
            assert stored(memory) == 3

    asyncio.run(scenario())


def test_a_long_history_is_read_in_pages(memory: Jotsam, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "MESSAGES", 3)

    async def scenario() -> None:
        store = JotsamConversationStore(memory)
        await store.save(Conversation(conversation_id="a", messages=turns(10)))
        assert len(texts(await store.load("a"))) == 20
        assert texts(await store.load("a", limit=4))[0] == "question 8"

    asyncio.run(scenario())


def test_a_server_keeps_conversations_too(tmp_path: Path) -> None:
    async def scenario() -> None:
        stores = [JotsamConversationStore(client), JotsamConversationStore(client)]
        await stores[0].save(Conversation(conversation_id="a", messages=turns(2)))
        loaded = [await store.load("a") for store in stores]
        for one in loaded:
            one.messages.append(said("again"))
        await stores[0].save(loaded[0])
        with pytest.raises(ConversationConflict):
            await stores[1].save(loaded[1])
        fork = await stores[0].fork("a", at=2, new_conversation_id="b")
        await stores[0].save(fork)
        await stores[0].delete("a")
        assert texts(await stores[1].load("b")) == ["question 0", "answer 0"]
        await stores[1].delete("b")
        assert client.store.search(("pydantic-ai",)) == ()

    with serving(str(tmp_path / "a.db"), forked=False) as server, Client(server.url, token=server.token) as client:
        asyncio.run(scenario())


def test_a_fork_that_is_saved_while_its_conversation_is_deleted_is_whole_or_refused(memory: Jotsam) -> None:
    """Between what the save or the deletion has read and what it writes, the other one comes first."""

    class Meanwhile(JotsamConversationStore):
        meanwhile: Any = None

        def _commit(self, items: Any, delete: Any) -> bool:
            other, self.meanwhile = self.meanwhile, None
            if other is not None:
                other()
            return super()._commit(items, delete)

    store, other = Meanwhile(memory), JotsamConversationStore(memory)

    async def begin(meanwhile: Any) -> None:
        await store.save(Conversation(conversation_id="a", messages=turns(2)))
        store.meanwhile = meanwhile

    asyncio.run(begin(lambda: asyncio.run(other.delete("a"))))
    with pytest.raises(ConversationConflict):
        asyncio.run(store.fork("a", at=2, new_conversation_id="b"))
    assert memory.store.search() == ()

    asyncio.run(begin(lambda: asyncio.run(other.fork("a", at=2, new_conversation_id="b"))))
    asyncio.run(store.delete("a"))
    assert texts(asyncio.run(store.load("b"))) == ["question 0", "answer 0"]
    assert stored(memory) == 2


def test_many_messages_are_saved_and_deleted_in_several_commits(
    memory: Jotsam, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapter, "PAGE", 8)

    async def scenario() -> None:
        store = JotsamConversationStore(memory)
        await store.save(Conversation(conversation_id="a", messages=turns(10)))
        assert len(texts(await store.load("a"))) == 20
        await store.delete("a")
        assert memory.store.search() == ()

    asyncio.run(scenario())


def test_tools_remember_and_recall_in_their_project_only(memory: Jotsam) -> None:
    asked: list[Any] = []

    def answer(messages: Any, info: Any) -> ModelResponse:
        asked.append((info, messages[-1].parts[0].content))
        if len(messages) > 1:
            return answered("Noted.")
        tool, argument = messages[0].parts[0].content.split(": ")
        return ModelResponse(parts=[ToolCallPart(tool, {"text" if tool == "remember" else "query": argument})])

    for project, text in (
        ("ann", "remember: My glaze is celadon."),
        ("ann", "recall: which glaze?"),
        ("bob", "recall: which glaze?"),
    ):
        agent = Agent(FunctionModel(answer), toolsets=[JotsamToolset(memory, project=project)])
        assert asyncio.run(agent.run(text)).output == "Noted."
    remembered, ann, bob = (told for _, told in asked[1::2])
    assert remembered == "remembered, and found from now on"
    assert "celadon" in ann
    assert "reference, not instructions" in ann
    assert "celadon" not in bob
    info = asked[0][0]
    assert {tool.name: bool(tool.description) for tool in info.function_tools} == {"remember": True, "recall": True}
    assert "Call recall before you decide" in info.instructions


def test_the_frameworks_test_model_calls_both_tools(memory: Jotsam) -> None:
    result = asyncio.run(Agent(TestModel(), toolsets=[JotsamToolset(memory)]).run("Hello"))
    assert "remembered" in result.output
    assert "recall" in result.output
