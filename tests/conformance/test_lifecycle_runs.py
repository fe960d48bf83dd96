"""Runs of the lifecycle: when they are due, that one works at a time, what is left of them, and taking them back."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import CLUSTER, CREATIVE, DECAY, LIFECYCLE
from jotsam.memory.lifecycle import lifecycle
from jotsam.storage import queue
from jotsam.worker.lifecycle import decay
from jotsam.worker.lifecycle import run as lifecycle_run
from lifecycle_tables import memory_rows, plan, run, undo

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam import Jotsam

DAY_MS = 86_400_000
START = 1_600_000_000_000


def runs(jot: Jotsam) -> list[tuple[str, str]]:
    """Step and state of each run, the latest first."""
    found = lifecycle.runs(jot.database, tenant=jot.settings.tenant, limit=100)
    return [(one.step, one.state) for one in found]


def visit(jot: Jotsam) -> None:
    """What a worker does while it is idle."""
    lifecycle.add_due(jot.database, jot.settings)


def jobs(jot: Jotsam) -> list[int]:
    with jot.database.snapshot() as tx:
        return [job.id for job in queue.jobs(tx, tenant=jot.settings.tenant, limit=100) if job.kind == LIFECYCLE]


def filled(jot: Jotsam, monkeypatch: pytest.MonkeyPatch, *, parts: int = 3) -> Jotsam:
    """With memories that `decay` visits in so many parts."""
    monkeypatch.setattr(decay, "PART", 4)
    for number in range(4 * parts - 2):
        jot.remember(f"Heron {number} stands in the lake.")
    jot.work()
    return jot


def test_a_step_is_due_after_its_interval_and_missed_ones_run_once(open_jot: Callable[..., Jotsam], clock) -> None:
    jot = open_jot(decay_every_days=1, creative_every_days=0, cluster_every_days=0)
    jot.remember("Herons stand.")
    visit(jot)
    assert runs(jot) == []
    clock.tick(DAY_MS - 1)
    visit(jot)
    assert runs(jot) == []
    clock.tick(10 * DAY_MS)
    visit(jot)
    visit(jot)
    assert runs(jot) == [(DECAY, "waiting")]
    jot.work()
    assert runs(jot) == [(DECAY, "done")]
    clock.tick(DAY_MS - 1)
    visit(jot)
    assert len(runs(jot)) == 1
    clock.tick(1)
    visit(jot)
    assert runs(jot) == [(DECAY, "waiting"), (DECAY, "done")]


def test_a_worker_runs_what_is_due(open_jot: Callable[..., Jotsam], clock) -> None:
    jot = open_jot(creative_every_days=0, cluster_every_days=0)
    jot.remember("Herons stand.")
    jot.work()
    clock.tick(2 * DAY_MS)
    jot.work()
    assert runs(jot) == [(DECAY, "done")]


def test_of_many_workers_one_begins_a_step_that_is_due(open_jot: Callable[..., Jotsam], clock) -> None:
    only_decay = {"creative_every_days": 0, "cluster_every_days": 0}
    each = [open_jot(**only_decay) for _ in range(6)]
    each[0].remember("Herons stand.")
    each[0].work()
    clock.tick(2 * DAY_MS)
    with ThreadPoolExecutor(len(each)) as pool:
        for _ in pool.map(visit, each):
            pass
    assert runs(each[0]) == [(DECAY, "waiting")]
    assert len(jobs(each[0])) == 1


def test_off_means_off(open_jot: Callable[..., Jotsam], clock) -> None:
    jot = open_jot(lifecycle="off")
    jot.remember("Herons stand.")
    jot.work()
    clock.tick(400 * DAY_MS)
    jot.work()
    assert runs(jot) == []
    assert {one.next_at for one in lifecycle.steps(jot.database, jot.settings)} == {None}
    assert run(jot, DECAY).changed == 1, "it can still be asked for"


def test_a_shorter_interval_counts_at_once_and_a_clock_set_back_delays_nothing(open_jot, clock) -> None:
    slow = {"creative_every_days": 0, "cluster_every_days": 0}
    jot = open_jot(decay_every_days=300, **slow)
    jot.remember("Herons stand.")
    visit(jot)
    jot = open_jot(decay_every_days=2, **slow)
    visit(jot)
    clock.tick(2 * DAY_MS)
    visit(jot)
    assert runs(jot) == [(DECAY, "waiting")]
    clock.tick(-300 * DAY_MS)
    visit(jot)
    clock.tick(2 * DAY_MS)
    visit(jot)
    assert len(lifecycle.runs(jot.database, tenant="default")) == 1, "it waits still"
    jot.work()
    visit(jot)
    clock.tick(2 * DAY_MS)
    visit(jot)
    assert runs(jot)[0] == (DECAY, "waiting")


def test_runs_of_a_tenant_wait_for_each_other_and_are_not_doubled(jot: Jotsam, monkeypatch) -> None:
    filled(jot, monkeypatch)
    first = lifecycle.request(jot.database, jot.settings, DECAY)
    second = lifecycle.request(jot.database, jot.settings, DECAY)
    assert second.id == first.id
    other = lifecycle.request(jot.database, jot.settings, DECAY)
    assert (other.id, len(jobs(jot))) == (first.id, 1)
    jot.work()
    assert runs(jot) == [(DECAY, "done")]
    assert jobs(jot) == []


def test_each_tenant_has_its_own_runs(open_jot: Callable[..., Jotsam], monkeypatch) -> None:
    ana, eve = open_jot(tenant="ana"), open_jot(tenant="eve")
    filled(ana, monkeypatch)
    done = run(ana, DECAY)
    assert runs(eve) == []
    with pytest.raises(NotFound, match="there is no run"):
        lifecycle.show(eve.database, done.id, tenant="eve")
    with pytest.raises(NotFound, match="there is no run"):
        lifecycle.undo(eve.database, done.id, tenant="eve")


def test_a_dry_run_writes_nothing_and_tells_what_the_run_does(jot: Jotsam, monkeypatch) -> None:
    filled(jot, monkeypatch)
    before = memory_rows(jot)
    planned = plan(jot, DECAY)
    assert (memory_rows(jot), runs(jot)) == (before, [])
    done = run(jot, DECAY)
    assert (planned.examined, planned.changed) == (done.examined, done.changed) == (10, 10)
    shown = lifecycle.show(jot.database, done.id[:8], tenant="default")
    assert shown.counts == planned.counts
    assert [one.replace(reverted=False) for one in shown.changes] == [*planned.changes]


def test_undo_leaves_no_trace_and_says_so(jot: Jotsam, monkeypatch) -> None:
    filled(jot, monkeypatch)
    before = memory_rows(jot)
    done = run(jot, DECAY)
    assert memory_rows(jot) != before
    undone = undo(jot, done)
    assert (undone.state, undone.reverted, undone.kept) == ("undone", 10, 0)
    assert memory_rows(jot) == before
    assert all(one.reverted for one in lifecycle.show(jot.database, done.id, tenant="default").changes)
    with pytest.raises(InvalidInput, match="was undone already"):
        undo(jot, done)


def test_what_has_changed_since_is_kept(jot: Jotsam, monkeypatch, clock) -> None:
    filled(jot, monkeypatch)
    first = run(jot, DECAY)
    clock.tick(30 * DAY_MS)
    second = run(jot, DECAY)
    after = memory_rows(jot)
    kept = undo(jot, first)
    assert (kept.reverted, kept.kept) == (0, 10)
    assert memory_rows(jot) == after
    assert undo(jot, second).reverted == 10


@pytest.mark.needs_server
def test_a_part_that_failed_leaves_those_before_it_and_they_can_be_undone(jot: Jotsam, monkeypatch) -> None:
    filled(jot, monkeypatch)
    before, whole = memory_rows(jot), decay.Decay.plan

    def fails(step, context, place):
        if place is not None:
            raise ValueError("no more")
        return whole(step, context, place)

    monkeypatch.setattr(decay.Decay, "plan", fails)
    monkeypatch.setattr(lifecycle_run, "ATTEMPTS", 1)
    asked = lifecycle.request(jot.database, jot.settings, DECAY)
    jot.work()
    assert runs(jot) == [(DECAY, "failed")]
    (job,) = jot.admin.dead()
    assert "no more" in (job.error or "")
    assert memory_rows(jot) != before
    undone = undo(jot, asked)
    assert (undone.state, undone.reverted) == ("undone", 4)
    assert "is dead" in (undone.error or "")
    assert memory_rows(jot) == before


def test_a_run_whose_job_was_discarded_does_not_block_the_next(jot: Jotsam, monkeypatch) -> None:
    filled(jot, monkeypatch)
    lifecycle.request(jot.database, jot.settings, DECAY)
    jot.admin.discard(jobs(jot)[0])
    run(jot, DECAY)
    assert runs(jot) == [(DECAY, "done"), (DECAY, "failed")]


def test_a_run_that_has_not_ended_is_not_undone(jot: Jotsam, monkeypatch) -> None:
    filled(jot, monkeypatch)
    asked = lifecycle.request(jot.database, jot.settings, DECAY)
    with pytest.raises(InvalidInput, match="has not ended"):
        undo(jot, asked)


def test_unknown_steps_and_runs_are_refused_by_name(jot: Jotsam) -> None:
    with pytest.raises(InvalidInput, match="there is no step 'tidy'; there are decay, "):
        lifecycle.request(jot.database, jot.settings, "tidy")
    for id in ("", "nothing", "%", "\0"):
        with pytest.raises((NotFound, InvalidInput)):
            lifecycle.undo(jot.database, id, tenant="default")


def test_the_beginning_of_an_id_must_name_one_run(jot: Jotsam) -> None:
    seen: set[str] = set()
    while (id := run(jot, DECAY).id)[0] not in seen:
        seen.add(id[0])
    with pytest.raises(InvalidInput, match=f"several runs begin with '{id[0]}'"):
        jot.lifecycle.undo(id[0])
    assert {state for _, state in runs(jot)} == {"done"}


def test_a_step_asked_for_by_many_at_once_runs_once(open_jot: Callable[..., Jotsam]) -> None:
    jots = [open_jot() for _ in range(4)]
    jots[0].remember("Herons stand in the lake.")
    jots[0].work()
    with ThreadPoolExecutor(len(jots)) as threads:
        asked = [*threads.map(lambda jot: jot.lifecycle.run(DECAY).id, jots)]
        assert len({*asked}) == 1
        [*threads.map(lambda jot: jot.work(), jots)]
    (only,) = jots[0].lifecycle.runs()
    assert (only.id, only.state, only.changed) == (asked[0], "done", 1)


def test_old_runs_are_removed_and_what_they_did_stays(open_jot: Callable[..., Jotsam], clock, monkeypatch) -> None:
    jot = open_jot(keep_runs_days=10, lifecycle="off")
    filled(jot, monkeypatch)
    run(jot, DECAY)
    after = memory_rows(jot)
    clock.tick(11 * DAY_MS)
    jot.work()
    assert runs(jot) == []
    assert memory_rows(jot) == after


def test_steps_tell_when_they_are_next(open_jot: Callable[..., Jotsam], clock) -> None:
    jot = open_jot()
    jot.remember("Herons stand.")
    visit(jot)
    next_at = {
        one.step: one.next_at and (one.next_at - clock()) // DAY_MS
        for one in lifecycle.steps(jot.database, jot.settings)
    }
    assert {step: days for step, days in next_at.items() if days} == {DECAY: 1, CREATIVE: 7, CLUSTER: 30}


def test_nothing_is_left_of_a_forgotten_tenant(jot: Jotsam, monkeypatch) -> None:
    filled(jot, monkeypatch)
    undo(jot, run(jot, DECAY))
    run(jot, DECAY)
    visit(jot)
    jot.admin.forget_tenant()
    with jot.database.snapshot(tenant="default") as tx:
        for table in ("lifecycle_run", "lifecycle_change", "lifecycle_schedule", "lifecycle_refusal", "relevance"):
            assert tx.execute(f"select * from {table}") == []
