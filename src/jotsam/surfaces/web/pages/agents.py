"""The agents that Jotsam is installed in, and whether their turns arrive."""

from __future__ import annotations

from jotsam.admin.agents.agents_overview import agents_overview
from jotsam.agents.agent import every_agent
from jotsam.core.version import VERSION
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute


def agents(call: PageCall) -> Page:
    """What is installed on the machine of the server, and when the last turn of each came."""
    settings = call.server.settings
    is_here = call.principal.tenant == settings.tenant
    found = agents_overview(call.jot.database, settings) if is_here else None
    installed = {one.agent for one in found.agents} if found else set()
    return Page(
        template="agents.html",
        values={
            "found": found,
            "titles": {agent.name: agent.title for agent in every_agent()},
            "others": [agent for agent in every_agent() if agent.name not in installed],
            "with_hooks": {agent.name for agent in every_agent() if agent.has_hooks},
            "home": settings.tenant,
            "program": VERSION,
        },
    )


ROUTES = (PageRoute(method="GET", path="/ui/agents", handler=agents, scope="operator"),)
