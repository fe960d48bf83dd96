"""The session for the OpenAI Agents SDK, with its real runner and a model that is a stub."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from agents.models.interface import Model
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from agents import Agent, ModelResponse, Runner, SessionSettings, Usage
from jotsam import AsyncJotsam
from jotsam.integrations.openai_agents import JotsamSession

if TYPE_CHECKING:
    from pathlib import Path


class Stub(Model):
    """Answers with a fixed text, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    async def get_response(self, *args: Any, **options: Any) -> ModelResponse:
        self.asked.append(options.get("input", args[1] if len(args) > 1 else None))
        text = ResponseOutputText(type="output_text", text="Noted.", annotations=[])
        said = ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **options: Any) -> Any:
        raise NotImplementedError


def user(text: str) -> Any:
    return {"role": "user", "content": text}


def test_a_second_run_is_given_the_first_one(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            model = Stub()
            for text in ("My glaze is celadon.", "Which glaze is mine?"):
                session = JotsamSession("s1", memory)
                result = await Runner.run(Agent(name="potter", model=model), text, session=session)
                assert result.final_output == "Noted."
            said = [one.get("content") for one in model.asked[1]]
            assert said[0] == "My glaze is celadon."
            assert said[-1] == "Which glaze is mine?"
            assert len(await JotsamSession("s1", memory).get_items()) == 4
            assert await JotsamSession("s2", memory).get_items() == []

    asyncio.run(scenario())


def test_items_are_exact_in_order_and_limited_to_the_latest(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            session = JotsamSession("s1", memory)
            call = {"type": "function_call", "arguments": '{"password": "hunter2hunter2"}', "call_id": "1", "name": "f"}
            items = [user("same"), user("same"), call, user("a\0b 🎉")]
            await session.add_items(items)
            assert await session.get_items() == items
            assert await session.get_items(limit=2) == items[2:]
            assert await session.get_items(limit=0) == []
            short = JotsamSession("s1", memory, session_settings=SessionSettings(limit=1))
            assert await short.get_items() == items[3:]
            assert await session.pop_item() == items[3]
            await session.clear_session()
            assert (await session.get_items(), await session.pop_item()) == ([], None)

    asyncio.run(scenario())


def test_ten_appends_of_ten_at_once_keep_each_item_and_each_append_together(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            session = JotsamSession("s1", memory)
            await asyncio.gather(*(session.add_items([user(f"{n} {m}") for m in range(10)]) for n in range(10)))
            texts = [one["content"].split() for one in await session.get_items()]
            assert len(texts) == 100
            for first in range(0, 100, 10):
                assert texts[first : first + 10] == [[texts[first][0], str(m)] for m in range(10)]

    asyncio.run(scenario())


def test_more_items_than_a_call_takes_are_added_and_given(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with AsyncJotsam(tmp_path / "a.db", worker="off") as memory:
            session = JotsamSession("s1", memory)
            items = [user(str(n)) for n in range(1_203)]
            await session.add_items(items)
            assert await session.get_items() == items
            assert await session.get_items(limit=700) == items[-700:]

    asyncio.run(scenario())
