"""The streamed form of a chat completion: server-sent events, joined to the object that the whole form would be.

A stream that ends too early is joined as well, because its tokens were generated and may be billed. Pure.
"""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

EVENT_STREAM = "text/event-stream"
_DATA, _DONE = b"data:", b"[DONE]"


def join_events(content: bytes) -> tuple[dict[str, Any], bool]:
    """The completion, and whether it is complete. Its field `chunks` is the number of pieces of text.

    An error within the stream is a field `error`, as in a whole response.
    """
    texts: list[str] = []
    refusals: list[str] = []
    finish: str | None = None
    found: dict[str, Any] = {}
    is_done = False
    for event in _events(content):
        if event is None:
            is_done = True
            continue
        found |= {name: event[name] for name in ("error", "usage", "timings") if event.get(name)}
        for choice in event.get("choices") or ():
            if not isinstance(choice, dict):
                continue
            finish = choice.get("finish_reason") or finish
            delta = choice.get("delta")
            if isinstance(delta, dict):
                texts += [text] if isinstance(text := delta.get("content"), str) and text else []
                refusals += [text] if isinstance(text := delta.get("refusal"), str) and text else []
    if texts or refusals or finish:
        message = {"content": "".join(texts) or None, "refusal": "".join(refusals) or None}
        found["choices"] = [{"message": message, "finish_reason": finish}]
    return {**found, "chunks": len(texts)}, is_done or finish is not None


def _events(content: bytes) -> Iterator[dict[str, Any] | None]:
    """The JSON objects of the events, and None for the mark of the end. What cannot be read is left out."""
    for line in content.replace(b"\r\n", b"\n").split(b"\n"):
        if not line.startswith(_DATA):
            continue
        data = line.removeprefix(_DATA).strip()
        if data == _DONE:
            yield None
            continue
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            yield event
