"""`Jotsam.lifecycle`, and the same over HTTP: look, run, wait, show, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jotsam import InvalidInput, NotFound
from processes import working

if TYPE_CHECKING:
    from jotsam import Jotsam


def test_a_step_is_planned_run_shown_and_undone(jot: Jotsam) -> None:
    ids = [jot.remember(f"Heron {number} stands in the lake.").id for number in range(3)]
    jot.work()
    plan = jot.lifecycle.plan("decay")
    assert (plan.step, plan.examined, plan.changed, dict(plan.counts)) == ("decay", 3, 3, {"relevance": 3})
    assert jot.lifecycle.plan("decay", limit=0).changes == ()
    asked = jot.lifecycle.run("decay")
    assert (asked.state, jot.lifecycle.run("decay").id) == ("waiting", asked.id)
    assert jot.lifecycle.wait(asked.id, timeout_ms=0).state == "waiting"
    jot.work()
    ended = jot.lifecycle.wait(asked.id)
    assert (ended.state, ended.examined, ended.changed) == ("done", 3, 3)
    shown = jot.lifecycle.show(asked.id[:8])
    assert (shown.run, set(shown.changes[0].ids)) == (ended, set(ids))
    assert shown.changes == plan.changes
    assert jot.lifecycle.show(asked.id, after=1).changes == ()
    assert jot.lifecycle.plan("decay").changed == 0
    undone = jot.lifecycle.undo(asked.id[:8])
    assert (undone.state, undone.reverted, undone.kept) == ("undone", 3, 0)
    assert jot.lifecycle.plan("decay").changed == 3
    assert jot.lifecycle.runs(step="decay", limit=1) == (undone,)
    assert jot.lifecycle.runs(step="forget") == ()
    assert {one.step: one.last for one in jot.lifecycle.steps()}["decay"] == undone
    assert jot.lifecycle.allow_again() == 0


def test_a_run_is_waited_for_while_a_worker_ends_it(jot: Jotsam) -> None:
    jot.remember("Herons stand in the lake.")
    with working(jot):
        ended = jot.lifecycle.run("decay", wait_ms=20_000)
    assert ended.state == "done"


def test_what_does_not_exist_is_refused(jot: Jotsam) -> None:
    for call in (jot.lifecycle.plan, jot.lifecycle.run):
        with pytest.raises(InvalidInput, match="there is no step 'sleep'; there are decay, creative"):
            call("sleep")
    for call in (jot.lifecycle.show, jot.lifecycle.undo, jot.lifecycle.wait):
        with pytest.raises(NotFound, match="there is no run '4f2a'"):
            call("4f2a")


def test_a_step_that_failed_is_in_the_status_until_it_has_run_again(jot: Jotsam) -> None:
    jot.remember("Herons stand in the lake.")
    jot.work()
    failed = jot.lifecycle.run("decay")
    assert [(one.id, one.state) for one in jot.status().lifecycle_runs] == [(failed.id, "waiting")]
    assert failed.job_id is not None
    jot.admin.discard(failed.job_id)
    assert [(one.step, one.state) for one in jot.status().lifecycle_runs] == [("decay", "failed")]
    jot.lifecycle.run("decay")
    jot.work()
    assert jot.status().lifecycle_runs == ()
