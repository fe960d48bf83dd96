"""A LangGraph chat that keeps what a user told it, and finds it in later chats.

OPENAI_BASE_URL=http://127.0.0.1:11434/v1 MODEL=llama3.1 python examples/langgraph_chat.py ann
"""

import os
import sys
import uuid
from typing import TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore
from openai import OpenAI

from jotsam import Jotsam
from jotsam.integrations.langgraph import JotsamStore

MODEL = os.environ.get("MODEL", "llama3.1")
client = OpenAI(api_key=os.environ.get("OPENAI_API_KEY", "none"))


class State(TypedDict):
    user: str
    said: str
    told: str


def answer(state: State, *, store: BaseStore) -> dict[str, str]:
    found = store.search(("chats", state["user"]), query=state["said"], limit=5)
    known = "\n".join(item.value["said"] for item in found)
    system = {"role": "system", "content": f"The user said earlier:\n{known}"}
    messages = [system, {"role": "user", "content": state["said"]}]
    reply = client.chat.completions.create(model=MODEL, messages=messages)
    return {"told": reply.choices[0].message.content or ""}


def keep(state: State, *, store: BaseStore) -> None:
    store.put(("chats", state["user"]), str(uuid.uuid4()), {"said": state["said"]})


builder = StateGraph(State)
builder.add_node("answer", answer)
builder.add_node("keep", keep)
builder.add_edge(START, "answer")
builder.add_edge("answer", "keep")
builder.add_edge("keep", END)

with Jotsam() as jot:
    graph = builder.compile(store=JotsamStore(jot))
    for line in map(str.strip, sys.stdin):
        print(graph.invoke({"user": sys.argv[1], "said": line})["told"], flush=True)
