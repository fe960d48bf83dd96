"""The first page: the worst that is true and what to do about it, what was learned, what is to decide, what arrives."""

from __future__ import annotations

from jotsam.agents.agent import every_agent
from jotsam.core.clock import LATEST_MS, duration
from jotsam.core.records import Record
from jotsam.memory.graph.inbox import read_inbox
from jotsam.memory.graph.learned import EXAMINED, count_learned, read_learned
from jotsam.memory.status import overview
from jotsam.memory.status.health import worst
from jotsam.memory.status.tenant_view import overview_of_tenant
from jotsam.surfaces.web.pages.home import LINKS, headline
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.memory.status.overview import Overview

DAY_MS, HOUR_MS = 86_400_000, 3_600_000
SHOWN = 5  # that are to decide
LARGE = 20  # jobs that are worth a bar
# The page that helps against the worst, and what its button says.
HELP = {**LINKS, "paused": ("/ui/jobs#queues", "Paused queues"), "backlog": ("/ui/jobs", "Jobs")}


class Progress(Record):
    """Jobs of what was handed in today: how many are done, how fast, and how long the rest takes."""

    done: int
    waiting: str  # with a + if there are more than were counted
    share: float
    per_minute: int
    left: str  # empty while nothing is done


def today(call: PageCall) -> Page:
    """What is new, and what needs a person."""
    tenant, project = call.principal.tenant, call.query.get("project") or None
    now = overview.read_overview(call.jot.database, call.jot.settings)
    if not call.is_operator:
        now = overview_of_tenant(now)
    since = (now.at // DAY_MS - 1) * DAY_MS
    found = worst(now.findings)
    inbox = read_inbox(call.jot.database, tenant=tenant, project=project)
    return Page(
        template="today.html",
        values={
            "overview": now,
            "headline": headline(now),
            "worst": found,
            "link": HELP.get(found.name, ("/ui/operate", "State")) if found else None,
            "others": sum(one.level != "note" for one in now.findings) - 1,
            "learned": read_learned(call.jot.database, tenant=tenant, since=since, project=project),
            "since": since,
            "inbox": inbox,
            "shown": SHOWN,
            "progress": progress(now),
            "agents": [agent.name for agent in every_agent() if "user" in agent.scopes],
        },
    )


def arriving(call: PageCall) -> Page:
    """What is in work, and how much was stored since a list was loaded: the part of each list that stays current."""
    since = whole_number(call.query.get("since", "0"), name="since", least=0, most=LATEST_MS)
    project, back = call.query.get("project") or None, call.query.get("back", "")
    new = count_learned(call.jot.database, tenant=call.principal.tenant, since=since, project=project) if since else 0
    now = overview.read_overview(call.jot.database, call.jot.settings)
    values = {
        "progress": progress(now),
        "new": f"{new:,}+" if new == EXAMINED else f"{new:,}" if new else "",
        "back": back if back.startswith("/ui/") and back.isprintable() and "\\" not in back else "/ui/memories",
    }
    return Page(template="arriving.html", values=values)


def progress(now: Overview) -> Progress | None:
    """The bar of what is worked on; None if little waits."""
    live = now.jobs.live
    if live.number < LARGE and not live.more:
        return None
    minutes = max(1, now.at % HOUR_MS // 60_000)
    hours = now.hours[-2:]
    done, spent = hours[-1].done, minutes
    if minutes < 10 and len(hours) > 1:  # Too short for a rate of its own.
        done, spent = done + hours[0].done, minutes + 60
    rate = done / spent
    return Progress(
        done=now.done_today,
        waiting=str(live),
        share=now.done_today / (now.done_today + live.number),
        per_minute=round(rate),
        left=duration(int(live.number / rate * 60_000)) if rate and not live.more else "",
    )


ROUTES = (
    PageRoute(method="GET", path="/ui/", handler=today),
    PageRoute(method="GET", path="/ui/arriving", handler=arriving),
)
