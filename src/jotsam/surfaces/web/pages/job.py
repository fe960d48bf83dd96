"""The page of one job: what it is about, why it is in its state, its deliveries, and what it has made."""

from __future__ import annotations

from jotsam.core.clock import duration
from jotsam.core.errors import NotFound
from jotsam.core.names import ENRICH, INGEST, MODEL
from jotsam.core.records import Record
from jotsam.core.validate import job_id_of
from jotsam.memory.jobs import job_pages, job_view
from jotsam.surfaces.web.pages.jobs import PATH
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.core.job_records import Delivery
    from jotsam.core.records import StoredMemory
    from jotsam.memory.jobs.job_view import JobView, Period
    from jotsam.memory.reading.show import ModelUsage

SHOWN = 20  # memories that are listed
WIDTH, LEAST = 1_000, 6  # of the drawing, and of a period in it
COLOURS = {"leased": "info", "waiting": "warning", "dead": "bad", "done": "ok"}


class Segment(Record):
    """A period of the drawing."""

    x: float
    width: float
    colour: str
    text: str


class Row(Record):
    """A delivery, how long it ran, and the models that were asked in the meantime."""

    delivery: Delivery
    took: int
    models: str


def job(call: PageCall) -> Page:
    """One job, in any state."""
    id = job_id_of(call.path["id"])
    try:
        found = job_view.view(call.jot.database, tenant=call.jot.settings.tenant, id=id)
    except NotFound:
        return Page(template="job_gone.html", values={"id": id}, status=404)
    details = found.job
    return Page(
        template="job.html",
        values={
            "view": found,
            "job": details,
            "why": why(found),
            "coverage": coverage(found),
            "rows": [
                Row(delivery=one, took=one.ended_at - one.started_at, models=_models(one, details.usage))
                for one in details.deliveries
            ],
            "segments": segments(found.periods, now=found.now),
            "memories": _made(call, details.memories[:SHOWN]) if details.kind == INGEST else [],
            "limit": job_view.MAX_MADE,
            "can_retry": details.state in ("dead", "waiting"),
            "can_discard": details.state in ("ready", "waiting", "dead", "blocked"),
            "label": {"leased": "running"}.get(details.state, details.state),
        },
    )


def _made(call: PageCall, ids: Sequence[str]) -> list[StoredMemory]:
    """The memories with these ids, in their order. One that was forgotten is left out."""
    found = []
    for id in ids:
        try:
            found.append(call.jot.get(id))
        except NotFound:
            continue
    return found


def why(view: JobView) -> str:
    """Why a job is in its state, and what happens next."""
    job, now = view.job, view.now
    if job.state == "leased":
        who = f" by {view.worker}" if view.worker else ""
        return f"It is running{who}. {_until(job.wake_at, now, 'Unless it is prolonged, its lease ends')}"
    if job.state == "dead":
        return f"It failed {job.failures} of {job.max_receive} times. It is not delivered again unless you retry it."
    if job.ended:
        return "It is done." if job.state == "done" else f"It was {job.state}."
    if view.paused is not None:
        return f"Its queue is paused: {view.paused.reason}."
    if job.state == "waiting":
        tries = f"It failed {job.failures} of {job.max_receive} times. " if job.failures else ""
        return f"{tries}{_until(job.wake_at, now, 'It is tried again')}"
    if job.state == "blocked":
        return "Another job of its lane runs first."
    return (
        "It waits for a worker."
        if view.has_worker
        else "It waits for a worker, and none is running: `jotsam jobs work --forever` starts one."
    )


def coverage(view: JobView) -> str:
    """What recall finds of the document or memory as long as the job is not done."""
    job = view.job
    if view.subject is None or job.kind not in (INGEST, ENRICH, MODEL) or job.state == "done":
        return ""
    lacks = "memories, facts and links" if job.kind == INGEST else "entities, facts and links of this job"
    if job.state in ("dead", "discarded", "cancelled"):
        way = "retry it" if job.state == "dead" else f"`jotsam models reprocess {view.subject.id}` sends a new one"
        found = f"Recall finds the {view.subject.kind} by its words only."
        return f"{found} It lacks the {lacks}, because the job is {job.state}: {way}."
    return f"Recall finds the {view.subject.kind} by its words already. The {lacks} follow when the job is done."


def segments(periods: Sequence[Period], *, now: int) -> tuple[Segment, ...]:
    """The timeline as adjacent bars; nothing if it took no time."""
    last = periods[-1]
    ends = [*(one.until for one in periods[:-1]), last.since if last.state in job_pages.ENDED else now]
    took = [max(0, (end or one.since) - one.since) for one, end in zip(periods, ends, strict=True)]
    whole = sum(took)
    if not whole:
        return ()
    shown = [(one, ms) for one, ms in zip(periods, took, strict=True) if ms]
    scale = (WIDTH - LEAST * len(shown)) / whole
    found, x = [], 0.0
    for one, ms in shown:
        width = LEAST + ms * scale
        colour = COLOURS.get(one.state, "faint")
        found.append(
            Segment(x=round(x, 1), width=round(width - 1, 1), colour=colour, text=f"{one.state}: {duration(ms)}")
        )
        x += width
    return tuple(found)


def _until(at: int | None, now: int, what: str) -> str:
    if at is None:
        return ""
    return f"{what} in {duration(at - now)}." if at > now else f"{what} now: a worker notices within a second."


def _models(delivery: Delivery, usage: Sequence[ModelUsage]) -> str:
    asked = [one for one in usage if delivery.started_at <= one.at <= delivery.ended_at]
    return ", ".join(f"{one.model}: {one.tokens_in + one.tokens_out:,} tokens" for one in asked)


ROUTES = (PageRoute(method="GET", path=PATH + "/{id}", handler=job),)
