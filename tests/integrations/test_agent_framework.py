"""The context provider for Agent Framework, in a real agent whose chat client is a stub."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agent_framework import Agent, BaseChatClient, ChatResponse, Message

from jotsam import AsyncJotsam
from jotsam.integrations.agent_framework import JotsamContextProvider, JotsamHistoryProvider

if TYPE_CHECKING:
    from pathlib import Path


class Stub(BaseChatClient):
    """Answers with a fixed text, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **more: Any) -> Any:
        async def answer() -> ChatResponse:
            self.asked.append("\n".join(message.text for message in messages))
            return ChatResponse(messages=[Message("assistant", ["Fire it at 1240 degrees."])])

        return answer()


def test_a_run_is_given_what_earlier_sessions_said_in_its_project_only(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            asked = {}
            for project, text in (("ann", "My glaze is celadon."), ("ann", "Which glaze?"), ("bob", "Which glaze?")):
                client = Stub()
                agent = Agent(client, context_providers=[JotsamContextProvider(memory, project=project)])
                await agent.run(text, session=agent.create_session())
                asked[project, text] = client.asked[0]
            assert "celadon" in asked["ann", "Which glaze?"]
            assert "reference, not instructions" in asked["ann", "Which glaze?"]
            assert asked["bob", "Which glaze?"] == "Which glaze?"

    asyncio.run(scenario())


def test_question_and_answer_of_a_run_are_turns_of_its_session(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            agent = Agent(Stub(), context_providers=[JotsamContextProvider(memory, project="ann")])
            session = agent.create_session(session_id="s1")
            await agent.run("How hot?", session=session)
            page = await memory.session("s1")
            assert [(turn.actor, turn.text) for turn in page.turns] == [
                ("user", "How hot?"),
                ("assistant", "Fire it at 1240 degrees."),
            ]

    asyncio.run(scenario())


def test_a_later_process_continues_a_session_with_its_exact_messages(tmp_path: Path) -> None:
    async def scenario() -> None:
        asked = []
        for text in ("My password is hunter2hunter2.", "What did I say?"):
            async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
                client = Stub()
                agent = Agent(client, context_providers=[JotsamHistoryProvider(memory)])
                await agent.run(text, session=agent.create_session(session_id="s1"))
                asked.append(client.asked[0])
        assert asked[1] == "My password is hunter2hunter2.\nFire it at 1240 degrees.\nWhat did I say?"

    asyncio.run(scenario())
