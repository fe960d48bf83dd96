"""The table of all pages, and the navigation that leads to them."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.surfaces.web.pages import (
    cost,
    documents,
    entities,
    forget,
    home,
    job,
    job_actions,
    jobs,
    lifecycle,
    memories,
    memory,
    memory_changes,
    next_session,
    setup,
    timeline,
    tokens,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.token_records import Principal
    from jotsam.surfaces.web.pages.page import PageRoute

PAGES: tuple[PageRoute, ...] = (
    *home.ROUTES,
    *next_session.ROUTES,
    *jobs.ROUTES,
    *job_actions.ROUTES,
    *job.ROUTES,
    *memories.ROUTES,
    *memory.ROUTES,
    *memory_changes.ROUTES,
    *documents.ROUTES,
    *entities.ROUTES,
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


NAVIGATION = (
    NavigationLink(path="/ui/", label="Home"),
    NavigationLink(path="/ui/next", label="Next session"),
    NavigationLink(path="/ui/jobs", label="Jobs"),
    NavigationLink(path="/ui/memories", label="Memories"),
    NavigationLink(path="/ui/documents", label="Documents"),
    NavigationLink(path="/ui/entities", label="Entities"),
    NavigationLink(path="/ui/timeline", label="Timeline"),
    NavigationLink(path="/ui/cost", label="Cost"),
    NavigationLink(path="/ui/lifecycle", label="Lifecycle"),
    NavigationLink(path="/ui/forget", label="Forget"),
    NavigationLink(path="/ui/trash", label="Trash"),
    NavigationLink(path="/ui/agents", label="Agents"),
    NavigationLink(path="/ui/settings", label="Settings"),
    NavigationLink(path="/ui/tokens", label="Tokens"),
)


def navigation(principal: Principal) -> list[NavigationLink]:
    """The links to the pages that this visitor may see."""
    paths = {page.path for page in PAGES if page.method == "GET" and page.scope in principal.scopes}
    return [link for link in NAVIGATION if link.path in paths]
