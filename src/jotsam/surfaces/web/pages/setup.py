"""How Jotsam is set up here: the agents that it is installed in, and the settings in effect.

Nothing is changed here: settings are read when a process starts.
"""

from __future__ import annotations

import os

from jotsam.admin.agents.hook_checks import agents_overview
from jotsam.admin.settings_overview import GROUPS, OTHER, settings_overview
from jotsam.agents.agent import every_agent
from jotsam.core.platform.folders import config_path
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


AGENT_ROUTES = (PageRoute(method="GET", path="/ui/agents", handler=agents, scope="operator"),)


def settings(call: PageCall) -> Page:
    """All settings of the server."""
    found = settings_overview(call.server.settings)
    changed = call.query.get("changed", "") == "1"
    shown = [one for one in found if not (changed and one.is_default)]
    groups = [(group, [one for one in shown if one.group == group]) for group in (OTHER, *GROUPS)]
    return Page(
        template="settings.html",
        values={
            "groups": [(group, members) for group, members in groups if members],
            "changed": changed,
            "total": len(found),
            "not_default": sum(not one.is_default for one in found),
            "config_file": config_path(os.environ),
        },
    )


SETTINGS_ROUTES = (PageRoute(method="GET", path="/ui/settings", handler=settings, scope="operator"),)
