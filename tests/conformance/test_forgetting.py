"""The step `forget`: what it archives and removes, what is protected, and that both are taken back exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam
from jotsam.core.names import DECAY, FORGET
from lifecycle_tables import memory_rows, plan, run, undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import StandingClock

DAY_MS = 86_400_000
OLD = "The parking space near the station was free of charge on Sundays."


def filled(jot: Jotsam, clock: StandingClock, **options: object) -> str:
    """A memory that is a year old, of which nothing is known that would protect it."""
    id = jot.remember(OLD, importance=0.1, **options).id  # type: ignore[arg-type]
    jot.work()
    clock.tick(365 * DAY_MS)
    run(jot, DECAY)
    return id


def kinds(jot: Jotsam) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.kind, one.ids) for one in plan(jot, FORGET).changes]


def test_nothing_is_archived_or_removed_by_default(jot: Jotsam, clock: StandingClock) -> None:
    filled(jot, clock)
    planned = plan(jot, FORGET)
    assert (planned.examined, planned.changed) == (0, 0)


def test_what_is_hardly_relevant_is_archived_then_removed_and_both_are_undone_exactly(
    jot: Jotsam, clock: StandingClock, open_jot: Callable[..., Jotsam]
) -> None:
    id = filled(jot, clock, tags=["parking"], metadata={"level": 2}, session="s", external_id="space")
    jot.remember("Anna parks at the station on Mondays.", session="s")
    jot.work()
    both = open_jot(archive_below=0.2, remove_below=0.2)
    states = [memory_rows(jot)]
    assert kinds(both) == [("archive", (id,))]
    assert plan(both, FORGET).changes[0].why == "its relevance 0.03 is below 0.2"
    runs = [run(both, FORGET)]
    assert jot.get(id).archived_at is not None
    states.append(memory_rows(jot))
    assert kinds(both) == [("remove", (id,))]
    runs.append(run(both, FORGET))
    assert [one.memories for one in jot.admin.trash()] == [1]
    assert OLD not in str(jot.recall("parking space", archived=True))
    assert undo(both, runs[1]).reverted == 1
    assert memory_rows(jot) == states[1]
    assert jot.admin.trash() == ()
    assert undo(both, runs[0]).reverted == 1
    assert memory_rows(jot) == states[0]
    assert kinds(both) == []  # What was taken back is not done again.


def test_a_removal_that_was_restored_or_emptied_from_the_trash_is_not_taken_back(
    jot: Jotsam, clock: StandingClock, open_jot: Callable[..., Jotsam]
) -> None:
    jot.archive(filled(jot, clock, external_id="space"))
    ended = run(open_jot(remove_below=0.2), FORGET)
    new = jot.remember("Another parking space.", external_id="space").id
    assert undo(jot, ended).kept == 1
    assert len(jot.admin.trash()) == 1
    assert jot.get("space").id == new


@pytest.mark.parametrize(
    "options",
    [
        {"tags": ["Pinned"]},
        {"metadata": {"protected": True}},
        {"type": "decision"},
        {"type": "Insight"},
        {"tags": ["summary"]},
        {"tags": ["crystal"]},
    ],
)
def test_what_somebody_marked_is_protected(
    jot: Jotsam, clock: StandingClock, open_jot: Callable[..., Jotsam], options: dict[str, object]
) -> None:
    filled(jot, clock, **options)
    assert kinds(open_jot(archive_below=1.0)) == []


def test_important_young_changed_and_stating_memories_and_survivors_are_protected(
    jot: Jotsam, clock: StandingClock, open_jot: Callable[..., Jotsam]
) -> None:
    plain = jot.remember("Nobody used the bicycle stand.").id
    survivor = jot.remember("The bicycle stand was hardly used.").id
    important = jot.remember("The bicycle stand is unsafe.", importance=0.7).id
    jot.remember("Ana Lima works at Acme.")
    changed = jot.remember("The bicycle stand is red.").id
    repeated = [jot.remember(f"{text}Bob Ray works at Northwind.").id for text in ("", "Yes, ")]
    jot.work()
    clock.tick(100 * DAY_MS)
    jot.update(changed, importance=0.2)
    young = jot.remember("The bicycle stand is new.").id
    jot.work()
    run(jot, DECAY)
    below_all = open_jot(archive_below=1.0)
    assert {ids[0] for _, ids in kinds(below_all)} == {plain, survivor, *repeated}
    jot.archive(repeated[1])  # Now only the other one states where Bob works.
    with jot.database.transaction(tenant="default") as tx:
        tx.execute(
            "update memory set archived_at = 1, archived_by = (select id from memory where uuid = :by)"
            " where uuid = :id",
            {"by": survivor, "id": plain},
        )
    assert kinds(below_all) == []
    jot.update(important, importance=0.1)
    clock.tick(91 * DAY_MS)
    assert {ids[0] for _, ids in kinds(below_all)} == {changed, important, young}


@pytest.mark.needs_server
def test_a_chunk_is_archived_and_never_removed(
    jot: Jotsam, clock: StandingClock, open_jot: Callable[..., Jotsam]
) -> None:
    jot.add("# Parking\n\nThe space near the station was free.\n", source="parking.md")
    jot.work()
    clock.tick(365 * DAY_MS)
    run(jot, DECAY)
    both = open_jot(archive_below=1.0, remove_below=1.0)
    assert run(both, FORGET).changed == 1
    assert kinds(both) == []
