"""The second phase of `cluster`: merges each memory that repeats another one into it."""

from __future__ import annotations

from bisect import bisect_right

from jotsam.storage.lifecycle import likeness
from jotsam.worker.lifecycle.cluster_pairs import REPEATS_FIRST, REPEATS_SECOND, repeats
from jotsam.worker.lifecycle.step import PART, Change

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.worker.lifecycle.step import StepContext

    Targets = dict[int, tuple[int, str]]


def plan(context: StepContext, targets: Targets, *, after: int) -> tuple[list[Change], int | None]:
    """The changes of the next memories that repeat another one, and the last of these; None if none is left."""
    ordered = sorted(targets)
    start = bisect_right(ordered, after)
    some = ordered[start : start + PART]
    changes = []
    with context.database.snapshot(tenant=context.tenant) as tx:
        rows = likeness.some(tx, (number for one in some for number in (one, targets[one][0])))
        for number in some:
            into, score = targets[number]
            if number in rows and into in rows and repeats(tx, rows[number], rows[into]):
                own, other = rows[number], rows[into]
                changes.append(
                    Change(
                        kind="merge",
                        ids=(own["uuid"], other["uuid"]),
                        why=f"says the same as {other['uuid'][:8]}{score}",
                        data={"memory": number, "into": into, "versions": [own["version"], other["version"]]},
                    )
                )
    return changes, some[-1] if len(some) == PART else None


def merged(pairs: Iterable[tuple[int, int, float]]) -> Targets:
    """The memories that repeat another one: the one that stays, and how alike they are for people, if compared.

    What repeats a memory that itself repeats a third one is merged into the third.
    """
    stays: dict[int, tuple[int, float]] = {}
    for first, second, score in pairs:
        if score >= REPEATS_FIRST:
            is_first = score < REPEATS_SECOND
            keeps, goes = (first, second) if is_first else (second, first)
            own = score - (REPEATS_FIRST if is_first else REPEATS_SECOND)
            if goes not in stays or (keeps, own) < stays[goes]:
                stays[goes] = keeps, own
    found = {}
    for goes, (keeps, own) in stays.items():
        target = keeps
        while target in stays:
            target = stays[target][0]
        found[goes] = target, f" (likeness {own:.2f})" if target == keeps else ""
    return found
