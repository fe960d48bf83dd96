"""The first page: what waits, what failed, and whether all is well."""

from __future__ import annotations

from jotsam.surfaces.web.page import Page, PageCall, PageRoute


def home(call: PageCall) -> Page:
    """The state of the memory."""
    return Page(template="home.html", values={"status": call.jot.status()})


ROUTES = (PageRoute(method="GET", path="/ui/", handler=home),)
