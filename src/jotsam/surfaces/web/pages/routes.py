"""The table of all pages, and the navigation that leads to them."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.surfaces.web.pages import (
    cost,
    documents,
    entities,
    entity,
    entity_graph,
    forget,
    go,
    home,
    inbox,
    job,
    job_actions,
    jobs,
    lifecycle,
    memories,
    memory,
    memory_changes,
    next_session,
    sessions,
    setup,
    timeline,
    today,
    tokens,
)
from jotsam.surfaces.web.pages.page import PageRoute

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.token_records import Principal
    from jotsam.surfaces.web.pages.page import Page, PageCall


def _go(call: PageCall) -> Page:
    """Where one may go, of all pages here."""
    pages = [
        go.Destination(label=link.label, address=link.path, about="" if link.label == one.label else one.label)
        for one in navigation(call.principal, "")
        for link in one.links
    ]
    return go.go(call, pages=pages, asking=[one for one in PAGES if one.scope in call.principal.scopes])


PAGES: tuple[PageRoute, ...] = (
    *today.ROUTES,
    *inbox.ROUTES,
    PageRoute(method="GET", path=go.PATH, handler=_go),
    *home.ROUTES,
    *next_session.ROUTES,
    *sessions.ROUTES,
    *jobs.ROUTES,
    *job_actions.ROUTES,
    *job.ROUTES,
    *memories.ROUTES,
    *memory.ROUTES,
    *memory_changes.ROUTES,
    *documents.ROUTES,
    *entities.ROUTES,
    *entity.ROUTES,
    *entity_graph.ROUTES,
    *timeline.ROUTES,
    *cost.ROUTES,
    *lifecycle.ROUTES,
    *forget.ROUTES,
    *forget.TRASH_ROUTES,
    *setup.AGENT_ROUTES,
    *setup.SETTINGS_ROUTES,
    *tokens.ROUTES,
)


class NavigationLink(Record):
    """A page in the navigation."""

    path: str
    label: str


class Section(Record):
    """A group of pages. Its own link leads to the first of them that the visitor may see."""

    label: str
    links: tuple[NavigationLink, ...]
    at: str | None = None  # the path of the link that leads to the page shown, or to the list that it is an entry of


def _section(label: str, **links: str) -> Section:
    """A section by the paths of its pages below /ui/, with what their links say."""
    found = tuple(NavigationLink(path=f"/ui/{path}", label=text) for path, text in links.items())
    return Section(label=label, links=found)


NAVIGATION = (
    _section("Today", **{"": "Today", "inbox": "To decide"}),
    _section("Sessions", sessions="Sessions", next="Next session"),
    _section("Knowledge", entities="People and things", timeline="Timeline", lifecycle="Lifecycle", forget="Forget"),
    _section("Ask", memories="Ask"),
    _section("Sources", documents="Documents", trash="Trash"),
    _section(
        "Operate",
        operate="State",
        jobs="Jobs",
        cost="Cost",
        agents="Agents",
        settings="Settings",
        tokens="Tokens",
        audit="Audit",
    ),
)


def navigation(principal: Principal, path: str) -> list[Section]:
    """The sections, with the links to the pages that this visitor may see, and where the page at a path is."""
    paths = {page.path for page in PAGES if page.method == "GET" and page.scope in principal.scopes}
    found = []
    for section in NAVIGATION:
        links = tuple(link for link in section.links if link.path in paths)
        at = next((link.path for link in links if path == link.path or path.startswith(f"{link.path}/")), None)
        found.append(section.replace(links=links, at=at))
    return [one for one in found if one.links]
