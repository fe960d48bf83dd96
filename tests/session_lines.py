"""Lines of session files of Claude Code and Codex CLI, for tests of their parsers."""

from __future__ import annotations

AT, AT_MS = "2026-03-01T14:00:00.250Z", 1_772_373_600_250


def claude(kind: str = "user", content: object = "Use tabs.", **more: object) -> dict[str, object]:
    message = {"role": kind, "content": content, "model": "some-model"}
    whole = {"type": kind, "message": message, "uuid": "u1", "sessionId": "s", "timestamp": AT, "cwd": "/shop"}
    return whole | {"isSidechain": False, "promptId": "p1"} | more


def block(kind: str, **more: object) -> list[dict[str, object]]:
    return [{"type": kind, **more}]


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def item(kind: str = "message", **more: object) -> dict[str, object]:
    return {"timestamp": AT, "type": "response_item", "payload": {"type": kind, **more}}


def event(what: str, **more: object) -> dict[str, object]:
    return {"timestamp": AT, "type": "event_msg", "payload": {"type": what, **more}}


def header(**more: object) -> dict[str, object]:
    return {"timestamp": AT, "type": "session_meta", "payload": {"id": "c1", "cwd": "/shop", **more}}


def typed(*texts: str, kinds: list[str] | None = None) -> dict[str, object]:
    content = [{"type": "input_text", "text": text} for text in texts]
    about = {} if kinds is None else {"internal_chat_message_metadata_passthrough": {"content_item_kinds": kinds}}
    return item(role="user", content=content, **about)


def completed(text: str) -> dict[str, object]:
    return event("item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": text}]})


ANSWER = item(role="assistant", content=[{"type": "output_text", "text": "Tabs it is."}])
