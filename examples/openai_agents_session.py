"""An agent that continues its session after a restart.

OPENAI_API_KEY=... MODEL=gpt-5-mini python examples/openai_agents_session.py user-7 "Hello"
"""

import asyncio
import os
import sys

from openai import AsyncOpenAI

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from jotsam import AsyncJotsam
from jotsam.integrations.openai_agents import JotsamSession


async def main(user: str, said: str) -> None:
    set_tracing_disabled(disabled=True)
    model = OpenAIChatCompletionsModel(os.environ.get("MODEL", "gpt-5-mini"), AsyncOpenAI())
    agent = Agent(name="Helper", instructions="Answer in one sentence.", model=model)
    async with AsyncJotsam() as memory:
        session = JotsamSession(user, memory)
        result = await Runner.run(agent, said, session=session)
        print(result.final_output)
        print(f"{len(await session.get_items())} items in the session")


asyncio.run(main(*sys.argv[1:]))
