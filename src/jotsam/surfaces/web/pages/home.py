"""The state of the server: what waits and for how long, what failed, what is degraded, and what happened last."""

from __future__ import annotations

from jotsam.agents.agent import every_agent
from jotsam.core.clock import duration, format_time
from jotsam.core.errors import NotFound
from jotsam.core.records import Record
from jotsam.memory.status import overview
from jotsam.memory.status.health import counted, worst
from jotsam.memory.status.tenant_view import overview_of_tenant
from jotsam.surfaces.web.drawings.bar_chart import bars_up_and_down
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.event_records import Event
    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam
    from jotsam.memory.status.overview import Overview
    from jotsam.surfaces.web.drawings.bar_chart import BarChart

STATES = {
    "ready": ("ready", "can run now"),
    "leased": ("running", "held by a worker"),
    "waiting": ("waiting", "for a retry or a delay"),
    "blocked": ("blocked", "behind a job of its lane"),
    "dead": ("dead", "not tried again"),
}
WARNING_SHARE = 0.8
STORE = "memory.store"
# The page that shows more of a finding, and what the link to it says.
LINKS = {
    "dead": ("/ui/jobs/failures", "Errors, and retry"),
    "cap": ("/ui/cost", "Cost"),
    "llm": ("/ui/cost", "How to switch it on"),
}


class Tile(Record):
    """A number with its name, and the page that lists what is counted."""

    id: str
    state: str
    name: str
    value: str
    note: str
    link: str


class Cap(Record):
    """Tokens or cost of today, of all tenants. A `cap` of None is no limit."""

    name: str
    used: float
    cap: float | None

    @property
    def share(self) -> float:
        return self.used / self.cap if self.cap else 0.0

    @property
    def state(self) -> str:
        """ok, warning from 80 % of the cap, error when it is reached."""
        return "error" if self.share >= 1 else "warning" if self.share >= WARNING_SHARE else "ok"


class Activity(Record):
    """An event in words, with the page of what it is about."""

    at: int
    text: str
    link: str | None
    is_failure: bool


def home(call: PageCall) -> Page:
    """The state of the memory."""
    settings = call.jot.settings
    now = overview.read_overview(call.jot.database, settings)
    if not call.is_operator:
        now = overview_of_tenant(now)
    values = {
        "overview": now,
        "headline": headline(now),
        "level": _level(now),
        "tiles": [*_tiles(now)],
        "findings": [(one, LINKS.get(one.name)) for one in now.findings],
        "chart": _chart(now),
        "caps": caps(now.tokens_today, now.cost_today, settings) if call.is_operator else [],
        "has_model": settings.has_model,
        "activity": [_activity(event, _title(call.jot, event)) for event in now.events],
        "window": overview.TIMED_DELIVERIES,
        "counted_to": overview.MAX_JOBS,
        "agents": [agent.name for agent in every_agent() if "user" in agent.scopes],
    }
    return Page(template="home.html", values=values)


def caps(tokens: int, cost: float, settings: Settings) -> list[Cap]:
    """What was used today of the daily caps, or without one, what was used."""
    found = []
    if tokens or settings.llm_daily_tokens:
        found.append(Cap(name="tokens", used=tokens, cap=settings.llm_daily_tokens or None))
    if cost or settings.llm_daily_cost:
        found.append(Cap(name="cost", used=cost, cap=settings.llm_daily_cost or None))
    return found


def headline(now: Overview) -> str:
    """The worst of what is wrong, or how long the oldest job has waited."""
    if now.is_empty:
        return "Nothing is stored yet"
    if problem := worst(now.findings):
        return problem.text
    return (
        "Nothing waits" if now.jobs.oldest_ms is None else f"The oldest job has waited {duration(now.jobs.oldest_ms)}"
    )


def _level(now: Overview) -> str:
    """Why the level is what it is, and who works."""
    jobs = f"{counted(now.jobs.live, 'open job')} (soft cap {now.soft_cap:,})"
    workers = {"running": "a worker runs", "starting": "a worker starts", "none": "no worker runs"}[now.worker]
    waits = "" if now.jobs.oldest_ms is None else f", the oldest since {duration(now.jobs.oldest_ms)}"
    return f"{jobs}{waits}; {workers}"


def _tiles(now: Overview) -> Iterator[Tile]:
    for state, (name, note) in STATES.items():
        value = str(now.jobs.states[state])
        yield Tile(id=state, state=state, name=name, value=value, note=note, link=f"/ui/jobs?state={state}")
    names = ", ".join(one.queue for one in now.paused) or "no queue"
    yield Tile(
        id="paused", state="paused", name="paused", value=f"{len(now.paused):,}", note=names, link="/ui/jobs#queues"
    )
    note = f"since 00:00 UTC; {now.done:,} in all"
    yield Tile(
        id="done", state="done", name="done today", value=f"{now.done_today:,}", note=note, link="/ui/jobs?state=done"
    )


def _chart(now: Overview) -> BarChart:
    rows = []
    for hour in now.hours:
        begin = format_time(hour.at)[11:16]
        rows.append(
            (hour.accepted, f"{begin} UTC: {hour.accepted:,} in", hour.done, f"{begin} UTC: {hour.done:,} done")
        )
    return bars_up_and_down(rows)


def _title(jot: Jotsam, event: Event) -> str:
    """The beginning of the memory that an event is about; empty for everything else."""
    if event.type != STORE or event.data.get("kind") == "document" or event.subject is None:
        return ""
    try:
        return jot.get(event.subject).text[:400]
    except NotFound:  # It was forgotten.
        return ""


def _activity(event: Event, title: str) -> Activity:
    kind, job = event.data.get("kind"), f"/ui/jobs/{event.job_id}"
    if event.type == STORE:
        what, page = ("document", "documents") if kind == "document" else ("memory", "memories")
        text, link = (
            f"A {what} was stored{title and f': {title}'}",
            f"/ui/{page}/{event.subject}" if event.subject else None,
        )
    elif event.type == "memory.recall":
        text, link = f"A question was answered with {event.data.get('results', 0)} results", None
    elif event.type == "enrichment.start":
        text, link = f"Job {event.job_id} ({kind}) began", job
    elif event.type == "enrichment.complete":
        text, link = f"Job {event.job_id} ({kind}) is done", job
    elif event.type == "enrichment.failed":
        retried = "it will be tried again" if event.data.get("will_retry") else "it is dead"
        text, link = f"Job {event.job_id} ({kind}) failed, {retried}: {event.data.get('error')}", job
    else:
        text, link = event.type, job if event.job_id else None
    return Activity(at=event.at, text=text, link=link, is_failure=event.type == "enrichment.failed")


ROUTES = (PageRoute(method="GET", path="/ui/operate", handler=home),)
