"""What is decided while a move is under way is not lost without a word: the move is undone, and the next one has it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from movers import across, mover
from sources import as_written, rows_of

from jotsam import Jotsam
from jotsam.admin.copy_database import copy_database
from jotsam.core.errors import DatabaseBusy, DatabaseUnusable
from jotsam.storage import connect
from processes import start


def supersede(jot: Jotsam) -> None:
    old, new = (jot.recall(question).hits[0].id for question in ("early returns", "kitchen"))
    jot.supersede(old, new)


DECISIONS: dict[str, Callable[[Jotsam], object]] = {
    "supersede": supersede,
    "pause": lambda jot: jot.admin.pause("enrich", reason="for the night"),
    "allow": lambda jot: jot.knowledge.allow("password: swordfish2", reason="another example"),
    "split": lambda jot: jot.knowledge.split("john smith"),
    "retry": lambda jot: jot.admin.retry(jot.admin.jobs(state="dead")[0].id),
}


IN_THE_CHECK = ("supersede", "pause")


def decisions() -> Iterator[object]:
    for name, decide in DECISIONS.items():
        yield pytest.param(decide, id=name, marks=() if name in IN_THE_CHECK else pytest.mark.long)


def elsewhere(work: Callable[[], object]) -> None:
    """In a thread of its own, for this one holds a transaction."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


@across
@pytest.mark.parametrize("decide", [*decisions()])
def test_a_decision_taken_meanwhile_undoes_the_move_and_the_next_one_has_it(decide, source, target, clock):
    decided = []

    def tell(what: str, done: int, total: int) -> None:
        if not decided:
            elsewhere(decision)

    def decision() -> None:
        with Jotsam(settings=source.replace(tenant="ana"), clock=clock) as jot:
            decide(jot)
            decided.append(True)

    before = rows_of(source.db)
    with pytest.raises(DatabaseUnusable, match=r"was written to during the copy: stop all writers"):
        copy_database(source, target, tell=tell)
    with pytest.raises(DatabaseUnusable, match="unfinished copy"):
        connect(target)
    after = rows_of(source.db)
    assert after != before
    assert copy_database(source, target).already is False
    assert as_written(rows_of(target)) == as_written(after)


@across
def test_a_decision_taken_after_an_interruption_comes_along_with_the_move_after_next(source, target, clock):
    running = start(mover, source.db, target)
    while running.says()[0] == "copying":
        running.tell("go on")
    running.kill()
    with Jotsam(settings=source.replace(tenant="ana"), clock=clock) as jot:
        supersede(jot)
    with pytest.raises(DatabaseUnusable, match="memory differs"):
        copy_database(source, target)
    copy_database(source, target)
    assert as_written(rows_of(target)) == as_written(rows_of(source.db))


@across
def test_while_both_are_compared_whoever_writes_to_the_source_is_told_to_wait(source, target, clock):
    refused = []

    def tell(what: str, done: int, total: int) -> None:
        if what.startswith("comparing memory") and not refused:
            elsewhere(late)

    def late() -> None:
        with Jotsam(settings=source.replace(tenant="ana", lock_timeout_ms=50), clock=clock) as jot:
            try:
                jot.knowledge.allow("password: swordfish2", reason="late")
            except DatabaseBusy as error:
                refused.append(str(error))

    report = copy_database(source, target, tell=tell)
    assert len(refused) == 1
    assert report.already is False
    assert as_written(rows_of(target)) == as_written(rows_of(source.db))
