"""`jotsam hook`: store a turn of an agent session, and give the agent what memory has for it.

The agent waits for its hooks, and interprets their exit code and output. So this module accepts any arguments, ignores
what it does not know, prints nothing that the agent does not know, and never waits long: not for a terminal, an open
pipe or a database lock. A turn is stored before anything is read. Errors are logged, and swallowed by the caller,
`start`.
"""

from __future__ import annotations

import json
import os
import sys

from jotsam.agents import agent
from jotsam.agents.agent import agent_of
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import pipes
from jotsam.ingest import capture, capture_switch, hook_events, hook_log, transcript_requests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.agents.agent import Event
    from jotsam.core.settings import Settings

INPUT_LIMIT = 32_000_000  # bytes; the text in it is cut to `capture.MAX_TURN`
INPUT_TIMEOUT_MS = 2_000

STARTED = monotonic_ms()  # about when the process did
WITH_CONTEXT = (agent.START, agent.PROMPT, agent.COMPACT)


def hook(arguments: list[str]) -> None:
    """Read one JSON object from standard input, store the turn in it if there is one, and print what memory has."""
    try:
        _handle(arguments)
    except Exception as error:
        hook_log.write(f"{type(error).__name__}: {error}; a turn may be lost")


def _handle(arguments: list[str]) -> None:
    words, options = hook_events.parse_arguments(arguments)
    if transcript_requests.SERVE in options:
        transcript_requests.serve_for(hook_log.load_hook_settings(options, folder=None)[0])
        return
    harness = hook_events.harness_of(options.get("--harness", ""))
    event = _event(harness, name=words[1] if len(words) > 1 else None)
    if event is None:
        return
    settings, unknown = hook_log.load_hook_settings(options, folder=event.folder)
    if capture_switch.is_captured(settings, folder=event.folder, session=event.session):
        # First, because the worker that stores a turn, or is started by it, reads the transcript as well.
        is_due = _request_transcript(settings, event, unknown)
        if event.kind in hook_events.TURNS:
            _store(settings, event, unknown)
        if is_due:
            transcript_requests.start_reader(settings, event)
    if event.kind in WITH_CONTEXT and not unknown:
        _print_context(settings, event)


def _request_transcript(settings: Settings, event: Event, unknown: tuple[str, ...]) -> bool:
    """Whether there is something to read in the transcript now. A failed request loses no turn that hooks see."""
    try:
        return not unknown and transcript_requests.write(settings, event)
    except OSError as error:
        hook_log.write(f"{error}; what was said between tool calls is not read")
        return False


def _store(settings: Settings, event: Event, unknown: tuple[str, ...]) -> None:
    turn = capture.turn_of(event, settings)
    try:
        capture.capture(settings, turn, unknown=unknown)
    except Exception as error:
        if unknown:
            raise
        capture.spool_turn(settings, turn, error)


def _print_context(settings: Settings, event: Event) -> None:
    """Print what memory has for the agent. An error is logged: the turn is stored already."""
    from jotsam.surfaces.hooks import context  # Only these events need them.

    try:
        text = context.printed(event, context.context_for(settings, event, started=STARTED))
        if text and sys.stdout is not None:
            # Unbuffered: what is left in a buffer of a closed pipe would change the exit code.
            os.write(sys.stdout.fileno(), text.encode("utf-8", "replace"))
    except Exception as error:
        hook_log.write(f"{type(error).__name__}: {error}; the agent got nothing from memory")


def _event(harness: str, *, name: str | None) -> Event | None:
    """The event on standard input; None if it is missing. Raises `InvalidInput`, `ValueError`."""
    raw = b"" if sys.stdin is None or sys.stdin.isatty() else _read(sys.stdin.fileno())
    if not raw.strip():
        return None
    if len(raw) > INPUT_LIMIT:
        raise InvalidInput(f"invalid event of more than {INPUT_LIMIT:,} bytes")
    if event_in := agent_of(harness).event_in:
        return event_in(raw.decode(errors="replace"), os.getcwd())
    fields = json.loads(raw)
    return hook_events.event_of(fields, harness=harness, name=name) if isinstance(fields, dict) else None


def _read(stream: int) -> bytes:
    """Read until the end of the stream, the size limit or the timeout."""
    data = bytearray()
    deadline = monotonic_ms() + INPUT_TIMEOUT_MS
    while len(data) <= INPUT_LIMIT:
        if not pipes.wait(stream, max(0, deadline - monotonic_ms())):
            break
        piece = os.read(stream, 1 << 16)
        if not piece:
            break
        data += piece
    return bytes(data)
