"""The settings in effect, and where each comes from. Nothing is changed here: they are read when a process starts."""

from __future__ import annotations

import os

from jotsam.admin.settings_overview import GROUPS, OTHER, settings_overview
from jotsam.core.settings import config_path
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute


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


ROUTES = (PageRoute(method="GET", path="/ui/settings", handler=settings, scope="operator"),)
