"""`jotsam hook EVENT`: captures a turn of an agent's session.

The agent waits for a hook, and reads meaning into its exit code and every word it prints. So this room parses nothing
strictly, ignores what it does not know, prints nothing, and waits for nobody: not for a terminal, not for a pipe that
never ends, not for a lock. Whatever it raises is swallowed where it is called, in `start`.
"""

from __future__ import annotations

import json
import os
import select
import sys

from jotsam.core.clock import monotonic_ms, system_clock
from jotsam.core.settings import load_settings
from jotsam.ingest import capture

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.core.settings import Settings

TURNS = {"UserPromptSubmit": ("user", "prompt"), "Stop": ("assistant", "last_assistant_message")}
"""Events that carry a turn: who said it, and the field that holds its text."""

SPOKEN = (None, "user", "sdk")
"""Sources of a prompt that somebody meant; others are the program talking to itself."""

VALUED = ("--db", "--tenant", "--project", "--harness")
INPUT_LIMIT = 4_000_000
INPUT_WAIT_MS = 2_000


def hook(arguments: list[str]) -> None:
    """Read one JSON object from standard input and keep the turn that it carries, if it carries one."""
    words, options = _loose(arguments)
    event = _event()
    name = event.get("hook_event_name") or (words[1] if len(words) > 1 else None)
    if name not in TURNS or event.get("source") not in SPOKEN:
        return
    actor, field = TURNS[name]
    text, session = event.get(field), event.get("session_id")
    if not isinstance(text, str) or not isinstance(session, str):
        return
    settings = _settings(options, event.get("cwd"))
    turn = capture.Turn(
        text=text,
        actor=actor,
        session=session,
        key=capture.turn_key(session, str(event.get("prompt_id") or event.get("turn_id") or ""), text, actor=actor),
        source=options.get("--harness") or "claude-code",
        said_at=system_clock(),
        tenant=settings.tenant,
        project=settings.project or None,
    )
    capture.capture(settings, turn)


def _loose(arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    """Words and options; an option that a newer plugin knows and this program does not is no reason to fail."""
    words: list[str] = []
    options: dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if not argument.startswith("-"):
            words.append(argument)
        elif name in VALUED:
            options[name] = value if equals else next(rest, "")
        else:
            options[name] = value
    return words, options


def _event() -> dict[str, Any]:
    """The object on standard input; an empty one if there is none, or it is too large to be a turn."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    raw = _input(sys.stdin.fileno())
    if not raw.strip() or len(raw) > INPUT_LIMIT:
        return {}
    event = json.loads(raw)
    return event if isinstance(event, dict) else {}


def _input(stream: int) -> bytes:
    """What comes before the end, the limit, or the deadline."""
    data = b""
    deadline = monotonic_ms() + INPUT_WAIT_MS
    while len(data) <= INPUT_LIMIT:
        patience = max(0, deadline - monotonic_ms()) / 1000
        # Windows can only select on sockets; there the agent's own time limit has to do.
        if os.name == "posix" and not select.select([stream], [], [], patience)[0]:
            break
        piece = os.read(stream, 1 << 16)
        if not piece:
            break
        data += piece
    return data


def _settings(options: dict[str, str], folder: object) -> Settings:
    chosen: dict[str, object] = {name[2:]: options.get(name) or None for name in ("--db", "--tenant", "--project")}
    chosen["worker"] = "off" if "--no-worker" in options else None
    return load_settings(chosen, folder=folder if isinstance(folder, str) else None, strict=False)[0]
