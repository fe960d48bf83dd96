"""The documents, and one of them: whether it can be found, and if not, why."""

from __future__ import annotations

import re
from functools import partial

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.memory.reading.documents import STATES, list_documents
from jotsam.surfaces.web.pages.markdown import plain_line
from jotsam.surfaces.web.pages.page import Download, Page, PageCall, PageRoute, Redirect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from jotsam.core.job_records import Job
    from jotsam.core.records import StoredMemory
    from jotsam.memory.reading.show import Details

FILTERS = ("words", "project", "state")
MAX_SHOWN = 50_000  # characters of a text
CHUNKS_PER_PAGE, PER_PAGE = 50, 50


def documents(call: PageCall) -> Page:
    """The documents with their states, those stored last first."""
    filters = {name: value for name in FILTERS if (value := call.query.get(name, "").strip())}
    before = call.query.get("before", "")
    values: dict[str, Any] = {
        "filters": {**dict.fromkeys(FILTERS, ""), **filters},
        "given": filters,
        "states": [("", "any"), *((state, state) for state in STATES)],
        "before": before,
        "page": None,
        "error": "",
    }
    try:
        if before and not (before.isascii() and before.isdecimal()):
            raise InvalidInput(f"invalid before {before[:40]!r}: must be a number")
        wanted: dict[str, Any] = {**filters, "before": int(before[:19]) if before else None}
        tenant = call.jot.settings.tenant
        page = list_documents(call.jot.database, tenant=tenant, limit=PER_PAGE, **wanted)
    except InvalidInput as error:
        return Page(template="documents.html", values={**values, "error": str(error)}, status=400)
    return Page(template="documents.html", values={**values, "page": page})


def document(call: PageCall) -> Page | Redirect:
    """The page of a document; of the id of a memory or job, a redirection to its page."""
    details = call.jot.show(call.path["id"])
    if details.kind != "document":
        return Redirect(to=f"/ui/{'memories' if details.kind == 'memory' else 'jobs'}/{details.id}")
    found = details.document
    assert found is not None
    offset = _offset(call, len(details.memories))
    chunks = _chunks(call, details.memories[offset : offset + CHUNKS_PER_PAGE])
    following = offset + CHUNKS_PER_PAGE
    level, why = explain(details, chunks)
    values = {
        "document": found,
        "details": details,
        "title": found.source or plain_line(found.text[:2_000])[:110] or found.id[:8],
        "text": found.text[:MAX_SHOWN],
        "level": level,
        "why": why,
        "chunks": chunks,
        "offset": offset,
        "following": following if following < len(details.memories) else None,
        "failures": [job for job in details.jobs if job.failures or job.state == "dead"][:20],
        "waiting": sum(job.state != "dead" for job in details.jobs),
    }
    return Page(template="document.html", values=values)


def export(call: PageCall) -> Download:
    """Everything of a project, or of the tenant, as a file that `jotsam import` reads."""
    project = call.query.get("project", "").strip()
    options: dict[str, Any] = {"project": project} if project else {}
    name = re.sub(r"[^A-Za-z0-9]+", "-", project).strip("-")[:60]
    return Download(name=f"jotsam-{name}.jsonl" if name else "jotsam.jsonl", write=partial(call.jot.export, **options))


def _offset(call: PageCall, count: int) -> int:
    text = call.query.get("from", "0")
    return min(int(text[:9]), max(0, count - 1)) if text.isascii() and text.isdecimal() else 0


def _chunks(call: PageCall, ids: Sequence[str]) -> list[StoredMemory]:
    """Chunks with these ids, in the order of the document. One that was forgotten just now is left out."""
    if not ids:
        return []
    try:
        found = call.jot.list(ids=ids, history=True, archived=True, limit=CHUNKS_PER_PAGE).memories
    except NotFound:
        return []
    return sorted(found, key=lambda one: (one.position or 0, one.id))


def explain(details: Details, chunks: Sequence[StoredMemory]) -> tuple[str, str]:
    """Whether a document can be found, or why not, as a level and a sentence."""
    dead = [job for job in details.jobs if job.state == "dead"]
    if not details.memories:
        return _unchunked(details, dead)
    if chunks and all(one.superseded_at is not None for one in chunks):
        return "warning", "It is not found, because it is superseded: ask for the history to find it."
    if dead:
        return "bad", f"It is found, but {_chunk_count(len(dead))} not enriched, because the job is dead."
    live = [job for job in details.jobs if job.state != "dead"]
    if any(job.failures for job in live):
        return "warning", f"It is found; {_chunk_count(len(live))} not enriched yet, and a job failed and is retried."
    if live:
        return "info", f"It is found; {_chunk_count(len(live))} not enriched yet."
    if details.discarded:
        return "warning", "It is found, but some chunks are not enriched, because their jobs were discarded."
    return "ok", f"It is found: all of its {len(details.memories):,} chunks are memories and enriched."


def _unchunked(details: Details, dead: Sequence[Job]) -> tuple[str, str]:
    """A document without chunks: its words are searched as one text, unless splitting it ended."""
    if dead:
        return "bad", "It is found by its words only, because the job that splits it is dead."
    if any(job.failures for job in details.jobs):
        return "warning", "It is found by its words only: splitting it failed, and is tried again."
    if details.jobs:
        return "info", "It is found by its words only: it waits to be split into memories."
    if details.discarded:
        return "bad", "It is found by its words only, because the job that splits it was discarded."
    return "warning", "It has no memories: there is nothing in it to remember, or its memories were forgotten."


def _chunk_count(count: int) -> str:
    return "1 chunk is" if count == 1 else f"{count:,} chunks are"


ROUTES = (
    PageRoute(method="GET", path="/ui/documents", handler=documents),
    PageRoute(method="GET", path="/ui/documents/{id}", handler=document),
    PageRoute(method="GET", path="/ui/export", handler=export, scope="write", is_file=True),
)
