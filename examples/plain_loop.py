"""A chat in a terminal that remembers earlier chats.

OPENAI_BASE_URL=http://127.0.0.1:11434/v1 MODEL=llama3.1 python examples/plain_loop.py
"""

import os
import sys
import uuid

import httpx

from jotsam import Jotsam

URL = os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:11434/v1")
MODEL = os.environ.get("MODEL", "llama3.1")
KEY = os.environ.get("OPENAI_API_KEY", "none")
SYSTEM = "You are a helpful assistant. This is what you know from earlier:\n"


def answer(messages: list[dict[str, str]]) -> str:
    body = {"model": MODEL, "messages": messages}
    headers = {"Authorization": f"Bearer {KEY}"}
    reply = httpx.post(f"{URL}/chat/completions", json=body, headers=headers, timeout=120)
    return str(reply.raise_for_status().json()["choices"][0]["message"]["content"])


with Jotsam() as jot:
    session, said = str(uuid.uuid4()), []
    for line in map(str.strip, sys.stdin):
        known = jot.recall(line, tokens=500)
        said.append({"role": "user", "content": line})
        told = answer([{"role": "system", "content": f"{SYSTEM}{known}"}, *said])
        said.append({"role": "assistant", "content": told})
        print(told, flush=True)
        jot.add_turn(line, session=session, actor="user")
        jot.add_turn(told, session=session, actor="assistant")
