"""Kinds of changes: how each is made, and how it is taken back exactly."""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.worker.lifecycle import (
    add_link,
    archive_memory,
    crystal_changes,
    merge_memory,
    save_theme,
    set_identity,
    set_relevance,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jotsam.storage.database import Transaction


class Action(Record):
    """How a kind of change is made and taken back.

    `apply` gets the data of the change and returns what `revert` needs, as plain JSON values; None if there is nothing
    to change any longer. `revert` returns how many changes it took back, and how many it left because something else
    has changed the same since.
    """

    apply: Callable[[Transaction, Mapping[str, Any]], Mapping[str, Any] | None]
    revert: Callable[[Transaction, Mapping[str, Any]], tuple[int, int]]
    is_repeated: bool = False  # it is made again by a later run although it was taken back


# All but `remove`, which deletes what no other job deletes: see `memory.lifecycle.lifecycle_actions`.
ACTIONS: dict[str, Action] = {
    "archive": Action(apply=archive_memory.apply, revert=archive_memory.revert),
    "identity": Action(apply=set_identity.apply, revert=set_identity.revert),
    "link": Action(apply=add_link.apply, revert=add_link.revert),
    "merge": Action(apply=merge_memory.apply, revert=merge_memory.revert),
    "summary": Action(apply=save_theme.apply_summary, revert=save_theme.revert_summary),
    "theme": Action(apply=save_theme.apply, revert=save_theme.revert),
    "triage": Action(apply=crystal_changes.apply_triage, revert=crystal_changes.revert_triage, is_repeated=True),
    "refusal": Action(apply=crystal_changes.apply_triage, revert=crystal_changes.revert_triage, is_repeated=True),
    "crystal": Action(apply=crystal_changes.apply_crystal, revert=crystal_changes.revert_crystal),
    "support": Action(apply=crystal_changes.apply_support, revert=crystal_changes.revert_support),
    "relevance": Action(apply=set_relevance.apply, revert=set_relevance.revert, is_repeated=True),
}
