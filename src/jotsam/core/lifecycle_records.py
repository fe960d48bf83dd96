"""What the steps of the lifecycle would change or have changed."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class LifecycleChange(Record):
    """One thing that a run changed, or would change."""

    kind: str  # relevance, archive, link, theme, ...
    ids: tuple[str, ...]  # UUIDs of the memories it is about, the changed one first
    why: str  # a sentence for people
    number: int = 1  # memories, links or entities that it changes
    reverted: bool = False  # it was taken back


class LifecyclePlan(Record):
    """What a step would do now. Nothing was changed."""

    step: str
    examined: int  # memories or entities that it looked at
    changed: int  # that it would change
    counts: Mapping[str, int]  # changes by kind
    changes: tuple[LifecycleChange, ...]  # the first of them


class LifecycleRun(Record):
    """A run of a step."""

    id: str
    step: str
    origin: str  # schedule, or request of a caller
    state: str  # waiting, running, done, failed, undoing, undone
    examined: int
    changed: int
    reverted: int  # changes that were taken back
    kept: int  # changes that could not be taken back, because something else has changed it since
    job_id: int | None  # that works on it; None: it has ended
    error: str | None
    options: Mapping[str, Any]  # the settings that it ran with
    created_at: int
    started_at: int | None
    ended_at: int | None
    undone_at: int | None


class LifecycleRunDetails(Record):
    """A run with what it changed."""

    run: LifecycleRun
    counts: Mapping[str, int]  # changes by kind
    changes: tuple[LifecycleChange, ...]  # the first of them


class LifecycleStep(Record):
    """When a step runs."""

    step: str
    every_days: int  # 0: only when it is asked for
    next_at: int | None  # None: it does not run by itself
    last: LifecycleRun | None


class MemoryTheme(Record):
    """A group of similar memories of one project."""

    id: str
    project: str | None
    name: str
    terms: tuple[str, ...]  # the most characteristic first
    summary: str | None  # UUID of the memory that summarises it
    size: int
    members: tuple[str, ...]  # UUIDs of the first of them
    created_at: int


class MergedSource(Record):
    """A memory that was merged into another one that says the same."""

    uuid: str
    source: str | None
    session: str | None
    actor: str | None
    at: int  # when it was said
