"""The changes `theme` and `summary`: add, change or remove a group of similar memories, and what summarises it."""

from __future__ import annotations

from jotsam.pipeline.likeness.star_groups import MIN_MEMBERS
from jotsam.storage.forgetting import erasure
from jotsam.storage.lifecycle import themes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


def apply(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has the UUID of the `theme`, its `project`, `name`, `terms` and `members`; without members it goes."""
    before = themes.state(tx, data["theme"])
    if before is None and not data["members"]:
        return None
    if before is None:
        themes.add(tx, uuid=data["theme"], **_fields(data))
    elif data["members"]:
        themes.update(tx, before["id"], **_fields(data))
    else:
        themes.delete(tx, before["id"])
    after = themes.state(tx, data["theme"])
    if data["members"] and (after is None or len(after["members"]) < MIN_MEMBERS):
        _put_back(tx, data["theme"], before)  # Its members were forgotten since the plan.
        return None
    return {"theme": data["theme"], "before": before, "after": after}


def _fields(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: data[name] for name in ("project", "name", "terms", "members")}


def _put_back(tx: Transaction, uuid: str, before: Mapping[str, Any] | None) -> None:
    """Make a theme what it was; the row keeps its id."""
    now = themes.state(tx, uuid)
    if now is not None and before is not None:
        themes.update(tx, now["id"], **_fields(before))
    elif now is not None:
        themes.delete(tx, now["id"])
    elif before is not None:
        themes.restore(tx, before)


def revert(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    now, after = themes.state(tx, undo["theme"]), undo["after"]
    if (now is None) != (after is None) or (now is not None and not _is_as_made(now, after)):
        return 0, 1
    _put_back(tx, undo["theme"], undo["before"])
    return 1, 0


def _is_as_made(now: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether a theme is as a run has left it. Members that were forgotten since do not count."""
    return now["name"] == after["name"] and now["terms"] == after["terms"] and {*now["members"]} <= {*after["members"]}


def apply_summary(tx: Transaction, data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """`data` has the UUID of the `theme` and the `memory` that summarises it now, or null.

    The summary before it is deleted, unless a person has changed it.
    """
    theme = themes.state(tx, data["theme"])
    if theme is None or (data["memory"] is not None and {*data["memory"]["sources"]} - {*theme["members"]}):
        return None  # A source was forgotten, and the text may repeat it.
    number = theme["summary_id"]
    before = themes.summary(tx, number) if number is not None else None
    if before is None and data["memory"] is None:
        return None
    if before is not None:
        _delete(tx, before["id"])
    new = None if data["memory"] is None else themes.add_summary(tx, data["memory"])
    themes.set_summary(tx, theme["id"], new)
    return {"theme": data["theme"], "memory": new, "replaced": number, "before": before}


def revert_summary(tx: Transaction, undo: Mapping[str, Any]) -> tuple[int, int]:
    theme, new = themes.state(tx, undo["theme"]), undo["memory"]
    if theme is None or theme["summary_id"] != new:
        return 0, 1
    if new is not None:
        if themes.summary(tx, new) is None:
            return 0, 1  # Somebody has changed it.
        _delete(tx, new)
    if undo["before"] is not None:
        themes.add_summary(tx, undo["before"])
    themes.set_summary(tx, theme["id"], undo["replaced"])
    return 1, 0


def _delete(tx: Transaction, number: int) -> None:
    erasure.delete(tx, erasure.Doomed.of(memories=(number,), documents=()))
