"""The step `decay`: what it computes, that its dry run tells the same, and that its undo leaves no trace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import lifecycle_tables
from jotsam.pipeline.lifecycle.relevance import DAY_MS
from jotsam.storage.memories import archive

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import StandingClock
    from jotsam import Jotsam

FACT = "The key of the shed hangs behind the green door."


def relevance(jot: Jotsam, id: str) -> float | None:
    return jot.show(id).relevance


def test_a_run_computes_what_its_dry_run_said_and_its_undo_leaves_no_trace(jot: Jotsam, clock: StandingClock) -> None:
    jot.settings = jot.settings.replace(lifecycle="off")  # no other step runs
    ids = [jot.remember(f"{FACT} Number {n}.", importance=n / 10, confidence=0.5).id for n in range(5)]
    jot.work()
    before = lifecycle_tables.memory_rows(jot)
    planned = lifecycle_tables.plan(jot, "decay")
    assert lifecycle_tables.memory_rows(jot) == before
    ended = lifecycle_tables.run(jot, "decay")
    assert (ended.examined, ended.changed) == (planned.examined, planned.changed) == (5, 5)
    first = [relevance(jot, id) for id in ids]
    assert first == [0.255, 0.306, 0.357, 0.408, 0.459]  # 0.6 * (0.5 + importance) * 0.85
    assert lifecycle_tables.run(jot, "decay").changed == 0
    clock.tick(30 * DAY_MS)
    later = lifecycle_tables.run(jot, "decay")
    assert all(now < then for id, then in zip(ids, first, strict=True) if then and (now := relevance(jot, id) or 0))
    assert lifecycle_tables.undo(jot, later).reverted == 5
    assert [relevance(jot, id) for id in ids] == first
    lifecycle_tables.undo(jot, ended)
    assert lifecycle_tables.memory_rows(jot) == before


def test_it_falls_until_its_least_value_is_reached_exactly(jot: Jotsam, clock: StandingClock) -> None:
    jot.settings = jot.settings.replace(lifecycle="off")
    id = jot.remember(FACT, importance=0.2, confidence=0.5).id
    for _ in range(40):
        lifecycle_tables.run(jot, "decay")
        clock.tick(10 * DAY_MS)
    assert relevance(jot, id) == 0.06
    assert lifecycle_tables.run(jot, "decay").changed == 0


def test_what_was_in_an_answer_is_more_relevant(open_jot: Callable[..., Jotsam], clock: StandingClock) -> None:
    jot = open_jot()
    ids = [jot.remember(text, importance=0.5, confidence=0.5).id for text in (FACT, "A cat sleeps on the roof.")]
    clock.tick(60 * DAY_MS)
    assert [hit.id for hit in jot.recall("Where is the key of the shed?").hits] == ids[:1]
    jot.close()
    again = open_jot()
    lifecycle_tables.run(again, "decay")
    assert [relevance(again, id) for id in ids] == [0.28, 0.15]  # e^-0.6 * 0.6 * 0.85, and the least value


def test_links_count_once_for_each_memory_and_the_order_of_turns_does_not(jot: Jotsam) -> None:
    turns = [
        jot.remember(f"{FACT} Turn {n}.", session="s", position=n, importance=0.5, confidence=0.5).id for n in range(3)
    ]
    alone = [jot.remember(f"{FACT} Note {n}.", importance=0.5, confidence=0.5).id for n in range(2)]
    for source, target in (alone, alone[::-1]):
        jot.knowledge.link(source, "REINFORCES", target)
    lifecycle_tables.run(jot, "decay")
    assert [relevance(jot, id) for id in turns] == [0.51] * 3
    assert [relevance(jot, id) for id in alone] == [0.616] * 2  # 0.51 * (1 + 0.3 ln 2)


def test_archived_memories_fade_on_and_superseded_ones_are_left(jot: Jotsam, clock: StandingClock) -> None:
    archived, old = (jot.remember(f"{FACT} Number {n}.", importance=0.5, confidence=0.5).id for n in range(2))
    jot.work()
    lifecycle_tables.run(jot, "decay")
    jot.supersede(old, jot.remember("The key is under the mat.").id)
    with jot.database.transaction(tenant=jot.settings.tenant) as tx:
        number = tx.execute("select id from memory where uuid = :id", {"id": archived})[0]["id"]
        assert archive.archive(tx, number, into=None)
    clock.tick(90 * DAY_MS)
    lifecycle_tables.run(jot, "decay")
    assert (relevance(jot, archived), relevance(jot, old)) == (0.15, 0.51)


def test_without_a_given_importance_it_is_estimated_from_the_text(jot: Jotsam) -> None:
    talk, stated = (
        jot.remember(text, confidence=0.5).id
        for text in ("Wow, that sounds great!", "I moved to Lyon in May, with my sister Paula.")
    )
    jot.work()
    lifecycle_tables.run(jot, "decay")
    least, most = relevance(jot, talk), relevance(jot, stated)
    assert least is not None
    assert most is not None
    assert least < 0.36 < most


def test_show_says_what_it_is_made_of(jot: Jotsam, clock: StandingClock) -> None:
    id = jot.remember(FACT, importance=0.5, confidence=0.25).id
    assert relevance(jot, id) is None
    lifecycle_tables.run(jot, "decay")
    clock.tick(12 * DAY_MS)
    details = jot.show(id)
    assert details.relevance == 0.465
    assert details.relevance_from == ("said 12 days ago, never in an answer, 0 links, importance 0.50, confidence 0.25")
    other = jot.remember("It rains.").id
    assert re.search(r"importance 0\.\d\d \(estimated\), confidence 0\.50", jot.show(other).relevance_from)
