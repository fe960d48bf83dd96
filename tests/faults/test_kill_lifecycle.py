"""A worker is killed in the middle of each step of the lifecycle: it ends as without that, and undo leaves no trace.

An undo that was killed goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing.connection import Connection

import pytest

import roles
from jotsam import Jotsam
from jotsam.core.clock import system_clock
from jotsam.core.lifecycle_records import LifecycleRun
from jotsam.core.names import FORGET, STEPS
from jotsam.core.settings import Settings
from jotsam.memory.lifecycle import lifecycle
from lifecycle_tables import in_small_parts, memory_rows
from processes import WAIT_MS, start

DAY_MS = 86_400_000
AN_HOUR = 3_600_000
SMALL = 6  # memories of a part, so that each run has several
REMOVE = "remove"  # the step `forget` on memories that are archived
EACH = 17  # of how many moments one is tried in each check; `-m long` tries all
ON_SERVER = "cluster"  # the step that the check tries on a server too

HERONS = (
    "The heron stands in the shallow lake and waits for fish.",
    "The heron stands in the shallow lake and waits for fish!",
    "A heron stands in the shallow lake, waiting for fish.",
    "Herons stand in the shallow lake and wait for small fish.",
    "In the shallow lake a heron stands and waits for a fish.",
    "The grey heron stands in the shallow lake and waits for fish all day.",
)
TYPED = (
    ("Decision", "We decided to use PostgreSQL for the billing service of Acme."),
    ("Decision", "We decided to paint the kitchen green."),
    ("Insight", "The nightly deploys of Acme fail on Fridays because the mail queue of the billing service is full."),
    ("Pattern", "Deploys of the billing service fail whenever its mail queue is full before a weekend."),
)
SAID = "Always run the migrations before the tests of the billing service."


def settings(url: str, *, remove_below: float = 0.0) -> Settings:
    return Settings(
        db=url,
        worker="off",
        worker_idle_ms=0,
        concurrency=1,
        lock_timeout_ms=WAIT_MS,
        embed_model="hashing",
        lifecycle="off",
        archive_below=1.0,
        remove_below=remove_below,
    )


def opened(url: str, *, ahead_ms: int = 0) -> Jotsam:
    return Jotsam(settings=settings(url), clock=lambda: system_clock() + ahead_ms)


@pytest.fixture
def filled(url: str) -> str:
    """A memory in which each step finds something to do, and of which each has several parts."""
    with opened(url) as jot:
        now = system_clock()
        for text in HERONS:
            jot.remember(text, said_at=now - 200 * DAY_MS, importance=0.1)
        for type, text in TYPED:
            jot.remember(text, type=type, said_at=now - 3 * DAY_MS, confidence=0.9, importance=0.9)
        for number in range(4):
            jot.remember(SAID, session=f"s{number}", actor="Ana Lee", said_at=now - (9 + number) * DAY_MS)
        for number in range(6):
            jot.remember(f"Ana Lee works at Acme on project {number}.", said_at=now - 150 * DAY_MS)
        jot.work()
    return url


def work(pipe: Connection, url: str, dies_at: int) -> None:
    in_small_parts(SMALL)
    with opened(url, ahead_ms=AN_HOUR if not dies_at else 0) as jot:
        jot.database = roles.DoomedAtWork(jot.database, dies_at)
        pipe.send(jot.work())


def undo(pipe: Connection, url: str, id: str, dies_at: int) -> None:
    with opened(url) as jot:
        pipe.send(lifecycle.undo(roles.Doomed(jot.database, dies_at), id, tenant="default").state)


def requested(url: str, step: str) -> str:
    """The id of a run that nothing keeps from doing what was undone before."""
    with opened(url) as jot:
        lifecycle.allow_again(jot.database, tenant="default")
        if step == REMOVE:
            return lifecycle.request(jot.database, settings(url, remove_below=1.0), FORGET).id
        return lifecycle.request(jot.database, jot.settings, step).id


def ended(url: str, id: str) -> LifecycleRun:
    with opened(url) as jot:
        return lifecycle.show(jot.database, id, tenant="default").run


def rows(url: str) -> dict[str, list[str]]:
    with opened(url) as jot:
        return memory_rows(jot)


def prepared(url: str, step: str) -> None:
    """What a step builds on."""
    for earlier in () if step == "decay" else ("decay", FORGET) if step == REMOVE else ("decay",):
        requested(url, earlier)
        assert start(work, url, 0).ends() == 0


def cases() -> Iterator[object]:
    for kind in ("sqlite", "postgres"):
        for step in (*STEPS, REMOVE):
            in_check = kind == "sqlite" or step == ON_SERVER
            yield pytest.param(kind, step, EACH, marks=() if in_check else (pytest.mark.long,))
            yield pytest.param(kind, step, 1, marks=(pytest.mark.long,))


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("kind", "step", "each"), [*cases()])
def test_killed_at_any_moment_a_run_ends_the_same_and_undo_leaves_no_trace(
    step: str, each: int, filled: str, record_property
) -> None:
    prepared(filled, step)
    before = rows(filled)
    id = requested(filled, step)
    assert start(work, filled, 0).ends() == 0
    expected = ended(filled, id)
    assert expected.state == "done"
    assert expected.changed, "otherwise nothing is tried"
    assert rows(filled) != before
    was_killed, moment, kills = True, max(1, each // 4), -1
    while was_killed:
        with opened(filled) as jot:
            assert lifecycle.undo(jot.database, id, tenant="default").kept == 0
        assert rows(filled) == before, f"killed at moment {moment}"
        id = requested(filled, step)
        was_killed = start(work, filled, moment).ends() == -9
        assert start(work, filled, 0).ends() == 0
        found = ended(filled, id)
        assert (found.state, found.examined, found.changed) == ("done", expected.examined, expected.changed)
        moment, kills = moment + each, kills + 1
    assert kills > 0, "no worker was killed"
    record_property("tried", f"{kills} kills of the step {step}, each undone")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("step", ["cluster", "forget"])
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def test_an_undo_that_was_killed_goes_on(step: str, filled: str) -> None:
    prepared(filled, step)
    before = rows(filled)
    for moment in (2, 4, 7):
        id = requested(filled, step)
        assert start(work, filled, 0).ends() == 0
        killed = start(undo, filled, id, moment).ends() == -9
        assert ended(filled, id).state in ("done", "undoing", "undone")
        if killed and ended(filled, id).state != "undone":
            with opened(filled) as jot:
                assert lifecycle.undo(jot.database, id, tenant="default").state == "undone"
        assert rows(filled) == before, f"killed at moment {moment}"
