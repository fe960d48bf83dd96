"""The table of all pages, and the navigation that leads to them."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.surfaces.web import cost, home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.web.page import PageRoute

PAGES: tuple[PageRoute, ...] = (*home.ROUTES, *cost.ROUTES)


class NavigationLink(Record):
    """A page in the navigation."""

    path: str
    label: str
    admin: bool = False  # for admins only


NAVIGATION = (NavigationLink(path="/ui/", label="Home"), NavigationLink(path="/ui/cost", label="Cost"))
