"""Requests to read the transcript of an agent: hooks see a prompt and the last answer, and not the turns in between.

A request is a small file in the spool, so it stays on the machine of the transcript, not of the worker that serves
the queue, and no path reaches the queue. There is one for each prompt that a hook has stored, and only answers to these
prompts are read: not turns from before the hooks were installed, or while capture was off. A prompt is `open` until
its answer is complete. What was interrupted is read when the session goes on, ends, or has been idle for a while.
"""

from __future__ import annotations

import os

from jotsam.agents import agent
from jotsam.agents.agent import has_transcripts
from jotsam.core.clock import new_id, system_clock
from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.core.platform import files
from jotsam.core.records import Record
from jotsam.ingest import hook_events, spawn, spool, start_worker
from jotsam.ingest.capture import empty_spool, text_mark
from jotsam.storage import connect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.agents.agent import Event
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database

SERVE = "--serve-transcripts"  # option of `jotsam hook`: read the transcripts of this machine for a server
OPEN = ".open"  # ending of a request for a prompt that is not answered yet; `spool.DUE` is that of one to be served
IDLE_MS = 600_000  # after this time without a new line, nothing more is expected of an open prompt


class Request(Record):
    """What to read: the answers to one prompt, or without a prompt, to all open ones of a transcript that has ended."""

    transcript: str
    prompt: str
    tenant: str
    project: str | None
    answer: str = ""  # mark of the last answer: when it is in the file, so is all before


def write(settings: Settings, event: Event) -> bool:
    """Write the request for an event, if it needs one. Returns whether it is due now. Raises `OSError`."""
    is_subagent = event.kind == agent.ANSWER and event.actor != hook_events.ASSISTANT
    if not has_transcripts(event.harness) or event.transcript is None or is_subagent:
        return False
    if event.kind == agent.END:
        prompt, ending = "", spool.DUE
    elif event.prompt and event.kind in (agent.PROMPT, agent.ANSWER, agent.COMPACT):
        prompt, ending = event.prompt, OPEN if event.kind == agent.PROMPT else spool.DUE
    else:
        return False
    request = Request(
        transcript=event.transcript,
        prompt=prompt,
        tenant=settings.tenant,
        project=settings.project or None,
        answer=text_mark(event.text) if event.kind == agent.ANSWER else "",
    )
    _write(spool.folder(settings.db), request, ending)
    return ending == spool.DUE


def serve(database: Database, settings: Settings) -> None:
    """Import what is due from the transcripts if possible. If not, the requests stay, and `jotsam doctor` reports them.

    A transcript that does not exist, or is not a session file, is given up.
    """
    try:
        _serve_all(database, settings)
    except (OSError, JotsamError):
        pass


def start_reader(settings: Settings, event: Event) -> None:
    """Have what is due read: by the worker of a file, or for a server by a process of this machine.

    If that is not possible now, the request stays for the next worker.
    """
    if settings.worker != "auto":
        return
    if "://" in settings.db:
        spawn.launch_hook(SERVE, environ={**os.environ, "JOTSAM_DB": settings.db})
    elif event.kind not in hook_events.TURNS:  # A turn has started a worker already.
        try:
            _start_worker(settings)
        except JotsamError:
            pass


def _start_worker(settings: Settings) -> None:
    database = connect(settings.db, wait_ms=settings.hook_lock_timeout_ms, migrate=False)
    try:
        start_worker.start_if_needed(database, worker_idle_ms=0)
        database.notify()
    finally:
        database.close()


def serve_for(settings: Settings) -> None:
    """What the process of `start_reader` does. Raises the errors of the database."""
    database = connect(settings.db, wait_ms=settings.lock_timeout_ms, migrate=False)
    try:
        empty_spool(database, settings)
        serve(database, settings)
    finally:
        database.close()


def _serve_all(database: Database, settings: Settings) -> None:
    by_transcript: dict[str, list[tuple[str, Request]]] = {}
    for path, request in _requests(spool.folder(database.url)):
        by_transcript.setdefault(request.transcript, []).append((path, request))
    for transcript, requests in by_transcript.items():
        due = [(path, request) for path, request in requests if path.endswith(spool.DUE)]
        is_over = any(not request.prompt for _, request in due) or _is_idle(transcript)
        opened = [(path, request) for path, request in requests if path.endswith(OPEN)]
        finished = opened if is_over else opened[:-1]
        if due or finished:
            _serve(database, settings, due, opened, finished={path for path, _ in finished})


def _serve(
    database: Database,
    settings: Settings,
    due: list[tuple[str, Request]],
    opened: list[tuple[str, Request]],
    *,
    finished: set[str],
) -> None:
    """Import the answers of the requests of one transcript, and delete those that are served."""
    from jotsam.ingest import sessions  # only a worker needs it

    wanted = [request for path, request in (*due, *opened) if path in finished or path.endswith(spool.DUE)]
    first = wanted[0]
    prompts = frozenset(request.prompt for request in wanted if request.prompt)
    seen: set[str] = set()
    if prompts:
        its = settings.replace(tenant=first.tenant)
        try:
            seen = sessions.import_answers(database, its, first.transcript, prompts, project=first.project)
        except InvalidInput:
            finished |= {path for path, _ in opened}  # The file is gone, or is not a transcript.
    complete = {request.prompt for _, request in due if request.answer in seen}
    for path, request in (*due, *opened):
        if path.endswith(spool.DUE) or path in finished or request.prompt in complete:
            spool.remove(path)


def _is_idle(transcript: str) -> bool:
    try:
        return system_clock() - os.stat(transcript).st_mtime_ns // 1_000_000 > IDLE_MS
    except OSError:
        return True


def _requests(place: str) -> Iterator[tuple[str, Request]]:
    """The requests in a spool folder with their paths, oldest first. One that cannot be read is deleted."""
    for path in sorted(_paths(place), key=_changed_at):
        try:
            yield path, Request(**spool.read_fields(path))
        except FileNotFoundError:
            continue  # Another process has served it.
        except (ValueError, TypeError, RecursionError):
            spool.remove(path)


def _paths(place: str) -> Iterable[str]:
    return [os.path.join(place, name) for name in spool.names_in(place) if name.endswith((spool.DUE, OPEN))]


def _changed_at(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0


def _write(place: str, request: Request, ending: str) -> None:
    """Write a request over an earlier one of the same prompt. It is not synced: a power cut loses no turn with it."""
    import json
    from zlib import crc32

    marks = (crc32(text.encode("utf-8", "surrogatepass")) for text in (request.transcript, request.prompt))
    name = "-".join(f"{mark:08x}" for mark in marks)
    spool.make_folder(place)
    part = os.path.join(place, f"{name}.{new_id()[:8]}{spool.PARTIAL}")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(json.dumps(request.as_dict()).encode())
    files.replace(part, os.path.join(place, name + ending))
