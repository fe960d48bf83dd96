"""The memory service for ADK, in a real runner with a model that is a stub."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from google.adk.agents import LlmAgent
from google.adk.events.event import Event
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.adk.tools import preload_memory
from google.genai.types import Content, Part
from pydantic import Field

from jotsam import AsyncJotsam
from jotsam.integrations.adk import JotsamMemoryService

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


class Stub(BaseLlm):
    """Answers with a fixed text, and keeps what it was asked."""

    asked: list[str] = Field(default_factory=list)

    async def generate_content_async(self, llm_request: Any, stream: bool = False) -> AsyncIterator[LlmResponse]:
        self.asked.append(str(llm_request.contents))
        yield LlmResponse(content=Content(role="model", parts=[Part(text="Noted.")]))


def said(text: str, *, id: str, author: str = "user", thought: bool = False) -> Event:
    return Event(
        id=id, author=author, content=Content(parts=[Part(text=text, thought=thought)]), timestamp=1_790_000_000
    )


def session_of(user: str, *events: Event, id: str = "s1") -> Session:
    return Session(id=id, app_name="kiln", user_id=user, events=list(events))


async def texts(service: JotsamMemoryService, user: str, query: str) -> list[str]:
    found = await service.search_memory(app_name="kiln", user_id=user, query=query)
    return [memory.content.parts[0].text for memory in found.memories]


def test_a_session_is_found_by_its_user_only_and_stored_once(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            service = JotsamMemoryService(memory)
            spoken = [said("The glaze is celadon.", id="1"), said("Fire it at 1240 degrees.", id="2", author="potter")]
            await service.add_session_to_memory(session_of("ann", *spoken))
            await service.add_session_to_memory(session_of("ann", *spoken, said("And slowly.", id="3")))
            await service.add_session_to_memory(session_of("bob", said("The glaze is tenmoku.", id="1")))
            assert await texts(service, "ann", "which glaze") == ["The glaze is celadon."]
            assert await texts(service, "bob", "which glaze") == ["The glaze is tenmoku."]
            assert len(await texts(service, "ann", "")) == 3
            assert await texts(service, "a/nn", "which glaze") == []
            found = await service.search_memory(app_name="kiln", user_id="ann", query="degrees")
            assert (found.memories[0].author, found.memories[0].timestamp) == ("assistant", "2026-09-21T14:13:20Z")
            assert found.memories[0].content.role == "model"

    asyncio.run(scenario())


def test_thoughts_and_events_without_text_are_not_kept(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            service = JotsamMemoryService(memory)
            await service.add_session_to_memory(
                session_of("ann", said("Let me think.", id="1", thought=True), Event(id="2", author="user"))
            )
            assert await texts(service, "ann", "") == []

    asyncio.run(scenario())


def test_a_memory_is_deleted_by_the_id_of_a_search_and_by_its_user_only(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            service = JotsamMemoryService(memory)
            entry = MemoryEntry(content=Content(parts=[Part(text="Ann likes celadon.")]), author="ann", id="m1")
            for _ in range(2):
                await service.add_memory(app_name="kiln", user_id="ann", memories=[entry])
            found = await service.search_memory(app_name="kiln", user_id="ann", query="celadon")
            (id,) = [memory.id for memory in found.memories]
            for other in ("bob", "unknown"):
                await service.delete_memory(app_name="kiln", user_id=other, memory_id=id)
            assert await texts(service, "ann", "celadon") == ["Ann likes celadon."]
            await service.delete_memory(app_name="kiln", user_id="ann", memory_id=id)
            await service.delete_memory(app_name="kiln", user_id="ann", memory_id=id)
            assert await texts(service, "ann", "celadon") == []

    asyncio.run(scenario())


def test_a_later_session_of_a_real_runner_is_given_what_an_earlier_one_said(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            sessions, service, model = InMemorySessionService(), JotsamMemoryService(memory), Stub(model="stub")
            agent = LlmAgent(name="potter", model=model, tools=[preload_memory])
            runner = Runner(app_name="kiln", agent=agent, session_service=sessions, memory_service=service)
            for id, text in (("one", "My glaze is celadon."), ("two", "Which glaze is mine?")):
                await sessions.create_session(app_name="kiln", user_id="ann", session_id=id)
                message = Content(role="user", parts=[Part(text=text)])
                async for _ in runner.run_async(user_id="ann", session_id=id, new_message=message):
                    pass
                told = await sessions.get_session(app_name="kiln", user_id="ann", session_id=id)
                assert told
                await service.add_session_to_memory(told)
            assert "PAST_CONVERSATIONS" not in model.asked[0]
            assert "user: My glaze is celadon." in model.asked[1]

    asyncio.run(scenario())
