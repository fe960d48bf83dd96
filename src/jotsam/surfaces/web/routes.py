"""The table of all pages, and the navigation that leads to them."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.surfaces.web import agents, cost, entities, home, settings, timeline, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.web.page import PageRoute

PAGES: tuple[PageRoute, ...] = (
    *home.ROUTES,
    *entities.ROUTES,
    *timeline.ROUTES,
    *cost.ROUTES,
    *agents.ROUTES,
    *settings.ROUTES,
    *tokens.ROUTES,
)


class NavigationLink(Record):
    """A page in the navigation."""

    path: str
    label: str
    admin: bool = False  # for admins only


NAVIGATION = (
    NavigationLink(path="/ui/", label="Home"),
    NavigationLink(path="/ui/entities", label="Graph"),
    NavigationLink(path="/ui/timeline", label="Timeline"),
    NavigationLink(path="/ui/cost", label="Cost"),
    NavigationLink(path="/ui/agents", label="Agents"),
    NavigationLink(path="/ui/settings", label="Settings"),
    NavigationLink(path="/ui/tokens", label="Tokens", admin=True),
)
