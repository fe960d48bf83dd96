"""Finds the JSON object in the reply of a language model, without thoughts, a code fence or prose around it. Pure.

Of a reply that was cut off, it keeps the items that are complete.
"""

from __future__ import annotations

import json
import re

from jotsam.core.errors import Malformed
from jotsam.core.validate import replace_unstorable_in_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any

MAX_BRACES = 200  # at which the object of a reply may begin
MAX_DEPTH = 20  # of brackets in a reply that is completed

_THOUGHT = re.compile(r"<(/?)(think|thinking|reasoning)>")
_TRAILING_COMMA = re.compile(r",(?=\s*[\]}])")
_MARK = re.compile(r'[{}\[\]]|"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)', re.DOTALL)  # a bracket, or a whole text
_CLOSING = {"{": "}", "[": "]"}
_decoder = json.JSONDecoder()


def find_object(reply: str, names: Collection[str]) -> dict[str, Any]:
    """The first JSON object with one of these names, each text in it storable. Raises `Malformed`: there is none."""
    bare = _without_thoughts(reply)
    for text in (bare, _TRAILING_COMMA.sub("", bare)):
        for found in _objects(text):
            if not found.keys().isdisjoint(names):
                return replace_unstorable_in_json(found)  # type: ignore[no-any-return]
    raise Malformed(f"the model's reply contains no JSON object of the schema: {' '.join(reply.split())[:160]!r}")


def completed(reply: str) -> str | None:
    """A reply that was cut off within a list of objects, ended after the last whole one; None if there is none.

    Linear in one pass.
    """
    bare = _without_thoughts(reply)
    begin = max(0, bare.find("{"))
    opened: list[str] = []
    end, left = 0, ""  # of the last whole object, and what was open around it
    for mark in _MARK.finditer(bare, begin):
        if mark[0] in _CLOSING:
            opened.append(mark[0])
        elif mark[0] in _CLOSING.values():
            if not 1 < len(opened) < MAX_DEPTH or _CLOSING[opened.pop()] != mark[0]:
                return None  # Not cut off there, or no reply of ours.
            if mark[0] == "}" and opened[-1] == "[":
                end, left = mark.end(), "".join(opened)
    return bare[begin:end] + "".join(_CLOSING[one] for one in reversed(left)) if end else None


def _without_thoughts(reply: str) -> str:
    """A reply without the text in thinking tags, and without the text before a closing tag that was never opened.

    Linear in one pass: a reply that opens ten thousand thoughts must not block a worker.
    """
    tags = list(_THOUGHT.finditer(reply))
    last_end = {tag[2]: tag.start() for tag in tags if tag[1]}
    kept: list[str] = []
    at, thinking = 0, ""
    for tag in tags:
        if thinking:
            if tag[1] and tag[2] == thinking:
                at, thinking = tag.end(), ""
        elif tag[1]:
            kept, at = [], tag.end()
        elif last_end.get(tag[2], -1) > tag.start():
            kept.append(reply[at : tag.start()])
            thinking = tag[2]
    return "".join((*kept, reply[at:]))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that begin at one of the first braces of a text; prose may contain braces too."""
    at = -1
    for _ in range(MAX_BRACES):
        at = text.find("{", at + 1)
        if at < 0:
            return
        try:
            found, end = _decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            continue
        yield found
        at = end - 1
