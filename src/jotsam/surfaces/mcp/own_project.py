"""Keeps what a model reads in its own project, where the setting `mcp_recall` says so.

The project of a server is that of its settings: of the folder in which it was started, or of `--project`.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.validate import shown
from jotsam.memory.reading.projects import keys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from jotsam.memory.api.client import Jotsam


def chosen(jot: Jotsam, project: str | None = None) -> str | None:
    """The project that may be searched; None: all. Raises `InvalidInput` if another one is asked for."""
    if jot.settings.mcp_recall == "all":
        return project
    own = _own(jot)
    if project and _key(jot, project) != own:
        raise InvalidInput(f"invalid project {shown(project)}: the setting mcp_recall keeps to the own project, {own}")
    return own


def is_readable(jot: Jotsam) -> Callable[[Any], bool]:
    """Whether a memory or document may be read by its id: it is of the own project, or of none."""
    if jot.settings.mcp_recall == "all":
        return lambda item: True
    own = _own(jot)
    return lambda item: item is None or item.project in (None, own)


def check_readable(jot: Jotsam, ids: Iterable[str]) -> None:
    """Raises `NotFound` for ids of another project."""
    if jot.settings.mcp_recall == "all":
        return
    may_read = is_readable(jot)
    others = [id for id in ids if not may_read((found := jot.show(id)).memory or found.document)]
    if others:
        raise NotFound(f"there is no memory {', '.join(others)}: recall returns ids")


def _own(jot: Jotsam) -> str:
    own = _key(jot, jot.settings.project)
    if not own:
        raise InvalidInput("the setting mcp_recall keeps to the own project, and there is none here: give --project")
    return own


def _key(jot: Jotsam, name: str) -> str:
    return keys(jot.database, name, tenant=jot.settings.tenant)[0]
