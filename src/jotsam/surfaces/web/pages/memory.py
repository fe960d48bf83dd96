"""One memory: its text with what is around it, what was extracted, its links, its validity, and where it is from."""

from __future__ import annotations

from jotsam.core.clock import system_clock
from jotsam.core.errors import NotFound
from jotsam.core.names import FOUND_LINK_TYPES
from jotsam.core.records import Record
from jotsam.memory.reading.listing import surroundings
from jotsam.surfaces.web.drawings.graph_layout import MAX_NODES
from jotsam.surfaces.web.drawings.link_drawing import STEPS, draw, groups
from jotsam.surfaces.web.drawings.validity_drawing import draw_validity
from jotsam.surfaces.web.pages.markdown import plain_line
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute, Redirect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.records import Link, StoredMemory
    from jotsam.memory.api.client import Jotsam
    from jotsam.memory.reading.show import Details

MAX_SHOWN = 50_000  # characters of a text
MAX_BESIDE = 700  # of a neighbour
MAX_LINKS = 200
SIMILAR = 5
IMPORTANT = 1.0
TEXT_LINK, REPLACED = "INVALIDATED_BY", 1.0


class Ending(Record):
    """A memory that supersedes one, or casts doubt on it, and why."""

    id: str
    text: str  # its beginning; empty if it is not stored any longer
    reason: str  # the sentence
    how: str


class MadeBy(Record):
    """A delivery of a job that made a memory, or one that is still to come."""

    job_id: int
    kind: str
    state: str
    at: int | None
    error: str | None


def memory(call: PageCall) -> Page | Redirect:
    """The page of a memory; of the id of a document or job, a redirection to its page."""
    details = call.jot.show(call.path["id"])
    if details.kind != "memory":
        return Redirect(to=f"/ui/{details.kind}s/{details.id}")
    found = stored_memory(call)
    around = surroundings(call.jot.database, tenant=call.jot.settings.tenant, id=found.id)
    near = call.jot.knowledge.neighbourhood(found.id, depth=STEPS, limit=MAX_NODES - 1, similar=SIMILAR)
    drawing = draw(near)
    values = {
        "memory": found,
        "details": details,
        "title": title_of(found),
        "text": found.text[:MAX_SHOWN],
        "tags": [tag for tag in found.tags if not tag.startswith("entity:")],
        "around": around,
        "max_beside": MAX_BESIDE,
        "endings": tuple(_endings(call.jot, found, details)),
        "neighbours": call.jot.knowledge.graph(found.id).neighbours,
        "max_links": MAX_LINKS,
        "drawing": drawing if len(drawing.boxes) > 1 else None,
        "groups": groups(drawing),
        "found_types": FOUND_LINK_TYPES,
        "is_complete": near.is_complete and not drawing.left_out,
        "similar": near.similar,
        "line": draw_validity(found, now=system_clock()),
        "versions": call.jot.versions(found.id)[::-1],
        "made_by": tuple(_made_by(details, around.ingest_job)),
        "is_important": found.importance is not None and found.importance >= IMPORTANT,
        "is_stored_alone": found.document is None,
    }
    return Page(template="memory.html", values=values)


def stored_memory(call: PageCall) -> StoredMemory:
    """The memory that the path names. Raises `NotFound`, also for a document."""
    return call.jot.get(call.path["id"])


def title_of(memory: StoredMemory) -> str:
    """What a page about a memory is called."""
    text = plain_line(memory.summary or memory.text[:2_000])
    return text if len(text) <= 110 else text[:109] + "…"


def _endings(jot: Jotsam, memory: StoredMemory, details: Details) -> Iterator[Ending]:
    """What superseded it, or casts doubt on it, each with the sentence."""
    sentences = {link.target: link for link in details.links if link.type == TEXT_LINK}
    if memory.superseded_by is not None:
        link = sentences.pop(memory.superseded_by, None)
        yield _ending(jot, memory.superseded_by, link, _how(memory, details, link))
    elif memory.superseded_at is not None and not sentences:
        yield Ending(id="", text="", reason="", how="superseded, by a text that is not stored any longer or not known")
    for target, link in sentences.items():
        how = "superseded by its words" if link.weight >= REPLACED else "may be outdated: casts doubt on it"
        yield _ending(jot, target, link, how)


def _how(memory: StoredMemory, details: Details, link: Link | None) -> str:
    if link is not None:
        return "superseded by its words"
    if any(fact.superseded_by == memory.superseded_by for fact in details.facts):
        return "superseded by a later fact"
    return "superseded by a newer text of its source, or by a caller" if memory.document else "superseded by a caller"


def _ending(jot: Jotsam, id: str, link: Link | None, how: str) -> Ending:
    try:
        text = jot.get(id).text[:MAX_BESIDE]
    except NotFound:
        text = ""
    reason = (link.properties or {}).get("reason") if link else None
    return Ending(id=id, text=text, reason=str(reason or ""), how=how)


def _made_by(details: Details, ingest_job: int | None) -> Iterator[MadeBy]:
    """The jobs that made it, in their order."""
    if ingest_job is not None:
        yield MadeBy(job_id=ingest_job, kind="ingest", state="done", at=None, error=None)
    for one in details.attempts:
        yield MadeBy(job_id=one.job_id, kind="enrich", state=one.outcome, at=one.ended_at, error=one.error)
    for job in details.jobs:
        yield MadeBy(job_id=job.id, kind=job.kind, state=job.state, at=job.wake_at, error=job.error)


ROUTES = (PageRoute(method="GET", path="/ui/memories/{id}", handler=memory),)
