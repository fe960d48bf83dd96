"""Session files as agents write them, for tests."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

START_MS = 1_772_373_600_000


def at(second: int) -> str:
    return datetime.fromtimestamp(START_MS / 1_000 + second, UTC).isoformat()


def claude(number: int, text: str, actor: str = "user", *, prompt: str = "p", **more: object) -> str:
    """A turn of Claude Code, said so many seconds after the first."""
    content = text if actor == "user" else [{"type": "text", "text": text}]
    line = {"type": actor, "uuid": f"u{number}", "sessionId": "s", "timestamp": at(number), "isSidechain": False}
    line |= {"message": {"role": actor, "content": content}, **({"promptId": prompt} if actor == "user" else {})}
    return json.dumps(line | more)


def tool(number: int) -> str:
    block = {"type": "tool_result", "tool_use_id": "t", "content": "a great deal of output"}
    return claude(number, "", message={"role": "user", "content": [block]})


def plain(number: int, text: str, **more: object) -> str:
    return json.dumps({"actor": "Ana", "text": text, "timestamp": at(number), "session": "s"} | more)


def codex(number: int, text: str, actor: str = "user") -> str:
    if actor == "user":
        return json.dumps(
            {"timestamp": at(number), "type": "event_msg", "payload": {"type": "user_message", "message": text}}
        )
    content = [{"type": "output_text", "text": text}]
    payload = {"type": "message", "role": "assistant", "content": content}
    return json.dumps({"timestamp": at(number), "type": "response_item", "payload": payload})


def codex_header(session: str = "c", *, turn: str = "t1", folder: str = "/nowhere") -> list[str]:
    meta = {"type": "session_meta", "timestamp": at(0), "payload": {"id": session, "cwd": folder}}
    started = {"type": "event_msg", "timestamp": at(0), "payload": {"type": "task_started", "turn_id": turn}}
    return [json.dumps(meta), json.dumps(started)]


def write(path: Path, *lines: str | bytes, end: bytes = b"\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\n".join(line.encode() if isinstance(line, str) else line for line in lines) + end)
    return path


def add(path: Path, *lines: str) -> Path:
    with path.open("a") as file:
        file.writelines(line + "\n" for line in lines)
    return path
