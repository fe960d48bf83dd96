"""The graph around an entity, to walk: a click or Enter on a node opens its neighbours. A list has the same."""

from __future__ import annotations

from urllib.parse import urlencode

from jotsam.core.names import CATEGORIES
from jotsam.memory.graph.surroundings import MAX_OPENED, surroundings
from jotsam.surfaces.web.drawings.walk_layout import lay_out
from jotsam.surfaces.web.pages.entities import address, name_of
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute

DAY = len("2026-03-01")


def graph(call: PageCall) -> Page:
    """The surroundings of an entity."""
    query = call.query
    category = query.get("category", "")
    since, until = (query.get(name, "").strip()[:DAY] for name in ("since", "until"))
    opened = [one for one in dict.fromkeys(call.many("open")) if one][:MAX_OPENED]
    found = surroundings(
        call.jot.database,
        tenant=call.principal.tenant,
        name=call.path["name"],
        opened=opened,
        category=category or None,
        since=since or None,
        until=f"{until}T23:59:59Z" if until else None,
    )
    here = f"{address(found.centre)}/graph"
    filters = [(name, value) for name, value in (("category", category), ("since", since), ("until", until)) if value]

    def step_to(name: str) -> str:
        """The address after a click on a node: it is opened, or if it was, it comes into the middle."""
        if name in opened or name == name_of(found.centre):
            return f"{address(name)}/graph" + (f"?{urlencode(filters)}" if filters else "")
        last = [*opened, name][-MAX_OPENED:]
        return f"{here}?{urlencode([*filters, *(('open', one) for one in last)])}"

    return Page(
        template="entity_graph.html",
        values={
            "found": found,
            "walk": lay_out(found),
            "here": here,
            "address": address,
            "step_to": step_to,
            "category": category,
            "categories": CATEGORIES,
            "since": since,
            "until": until,
            "opened": opened,
            "labels": {one.name: one.label for one in found.nodes},
        },
    )


ROUTES = (PageRoute(method="GET", path="/ui/entities/{name}/graph", handler=graph),)
