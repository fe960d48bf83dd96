"""`jotsam hook`: store a turn of an agent session, and give the agent what memory has for it.

The agent waits for its hooks, and interprets their exit code and output. So this module accepts any arguments, ignores
what it does not know, prints nothing that the agent does not know, and never waits long: not for a terminal, an open
pipe or a database lock. A turn is stored before anything is read. Errors are logged, and swallowed by the caller,
`start`.
"""

from __future__ import annotations

import json
import os
import select
import sys

from jotsam.core.clock import monotonic_ms, system_clock
from jotsam.core.errors import InvalidInput
from jotsam.core.settings import UNKNOWN, load_settings
from jotsam.ingest import capture, capture_switch, hook_events, hook_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from jotsam.core.settings import Settings
    from jotsam.ingest.hook_events import Event

OPTIONS_WITH_VALUE = ("--db", "--tenant", "--project", "--harness")
INPUT_LIMIT = 32_000_000  # bytes; the text in it is cut to `capture.MAX_TURN`
INPUT_TIMEOUT_MS = 2_000

TURNS = (hook_events.PROMPT, hook_events.ANSWER, hook_events.SUMMARY)
SUMMARY_TYPE = "Summary"  # type of the memory of what was said before a session was compacted
WITH_CONTEXT = (hook_events.START, hook_events.PROMPT)


def hook(arguments: list[str]) -> None:
    """Read one JSON object from standard input, store the turn in it if there is one, and print what memory has."""
    try:
        _handle(arguments)
    except Exception as error:
        hook_log.write(f"{type(error).__name__}: {error}; a turn may be lost")


def _handle(arguments: list[str]) -> None:
    words, options = _parse(arguments)
    harness = hook_events.harness_of(options.get("--harness", ""))
    event = hook_events.event_of(_read_event(), harness=harness, name=words[1] if len(words) > 1 else None)
    if event is None:
        return
    settings, unknown = _settings(options, event.folder)
    if event.kind in TURNS and capture_switch.is_captured(settings, folder=event.folder, session=event.session):
        _store(settings, event, unknown)
    if event.kind in WITH_CONTEXT and not unknown:
        _print_context(settings, event)


def _store(settings: Settings, event: Event, unknown: tuple[str, ...]) -> None:
    turn = capture.Turn(
        text=event.text,
        actor=event.actor,
        session=event.session,
        key=capture.turn_key(event.session, event.prompt, event.text, actor=event.actor),
        source=event.source,
        said_at=event.said_at or system_clock(),
        type=SUMMARY_TYPE if event.kind == hook_events.SUMMARY else None,
        tenant=settings.tenant,
        project=settings.project or None,
    )
    try:
        capture.capture(settings, turn, unknown=unknown)
    except Exception as error:
        if unknown:
            raise
        capture.spool_turn(settings, turn, error)


def _print_context(settings: Settings, event: Event) -> None:
    """Print what memory has for the agent. An error is logged: the turn is stored already."""
    from jotsam.surfaces.hooks import context, output  # Only these events need them.

    try:
        text = output.printed(event, context.context_for(settings, event))
        if text and sys.stdout is not None:
            # Unbuffered: what is left in a buffer of a closed pipe would change the exit code.
            os.write(sys.stdout.fileno(), text.encode("utf-8", "replace"))
    except Exception as error:
        hook_log.write(f"{type(error).__name__}: {error}; the agent got nothing from memory")


def _parse(arguments: list[str]) -> tuple[list[str], dict[str, str]]:
    """Positional arguments and options. Unknown options are kept: a newer plugin may pass them."""
    words: list[str] = []
    options: dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if not argument.startswith("-"):
            words.append(argument)
        elif name in OPTIONS_WITH_VALUE:
            options[name] = value if equals else next(rest, "")
        else:
            options[name] = value
    return words, options


def _read_event() -> dict[str, Any]:
    """The JSON object on standard input; empty if it is missing, or too large for a turn."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    raw = _read(sys.stdin.fileno())
    if not raw.strip():
        return {}
    if len(raw) > INPUT_LIMIT:
        raise InvalidInput(f"invalid event of more than {INPUT_LIMIT:,} bytes")
    event = json.loads(raw)
    return event if isinstance(event, dict) else {}


def _read(stream: int) -> bytes:
    """Read until the end of the stream, the size limit or the timeout."""
    data = bytearray()
    deadline = monotonic_ms() + INPUT_TIMEOUT_MS
    while len(data) <= INPUT_LIMIT:
        remaining = max(0, deadline - monotonic_ms()) / 1000
        # On Windows, `select` works only for sockets: there the agent's own timeout must do.
        if os.name == "posix" and not select.select([stream], [], [], remaining)[0]:
            break
        piece = os.read(stream, 1 << 16)
        if not piece:
            break
        data += piece
    return bytes(data)


def _settings(options: dict[str, str], folder: str | None) -> tuple[Settings, tuple[str, ...]]:
    """The settings, and the names of those that could not be read. An error in them is logged."""
    values: dict[str, object] = {name[2:]: options.get(name) or None for name in ("--db", "--tenant", "--project")}
    values["worker"] = "off" if "--no-worker" in options else None
    try:
        return load_settings(values, folder=folder)[0], ()
    except (InvalidInput, OSError) as error:
        hook_log.write(f"{error}; these settings are ignored")
        settings, origins = load_settings(values, folder=folder, strict=False)
        return settings, tuple(name for name, origin in origins.items() if origin == UNKNOWN)
