"""The worker lease: which process holds it, which may take it, and that none releases that of another."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from jotsam import Jotsam
from jotsam.core.platform import process_identity
from jotsam.core.settings import Settings
from jotsam.ingest import start_worker
from jotsam.memory.jobs.worker_session import run_worker
from jotsam.memory.status.queue_state import worker
from jotsam.queueing.loop import Loop
from jotsam.storage import queue
from jotsam.storage.sqlite import worker_lease
from jotsam.worker.enrichment import embed
from processes import PATIENCE, WAIT_MS, until

AN_HOUR, LEASE_MS = 3_600_000, 60_000
EITHER_WAY = pytest.mark.parametrize("leap", [-AN_HOUR, AN_HOUR], ids=["back", "ahead"])
DEAD_PID = 2**22 + 1  # beyond any process of this machine


def holder(**fields: object) -> worker_lease.Holder:
    return worker_lease.Holder(**{"owner": "somebody", "pid": os.getpid(), "host": process_identity.host(), **fields})


def hold(jot, who: worker_lease.Holder, lease_ms: int = start_worker.LEASE_MS) -> None:
    with jot.database.transaction() as tx:
        worker_lease.take(tx, who, lease_ms=lease_ms)


def reserve(jot) -> str | None:
    with jot.database.transaction() as tx:
        return start_worker.reserve_worker(tx)


def test_a_living_worker_keeps_a_second_one_from_doing_anything(jot):
    """MB-7: and the job stays untouched."""
    jot.remember("One.")
    hold(jot, holder())
    assert jot.work() is None
    assert jot.status().depth.pending == 1
    assert reserve(jot) is None


@pytest.mark.parametrize("who", [{"pid": DEAD_PID}, {"pid": DEAD_PID, "owner": ""}])
def test_the_lease_of_a_worker_that_died_here_is_void_at_once(who, jot):
    """MB-8: and what it had taken returns when its own lease ends."""
    jot.remember("One.")
    hold(jot, holder(**who))
    assert reserve(jot) is not None
    assert jot.work() == 1


def test_a_zombie_is_dead(jot):
    """A worker that died, and whose parent has not looked yet, still answers to a signal."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    hold(jot, holder(pid=child.pid))
    assert reserve(jot) is not None
    child.wait()


def test_the_lease_of_another_machine_holds_until_it_runs_out(jot, clock):
    """MB-8."""
    jot.remember("One.")
    hold(jot, holder(host="elsewhere", pid=DEAD_PID))
    assert jot.work() is None
    clock.tick(start_worker.LEASE_MS)
    assert jot.work() == 1


def test_a_lease_from_before_the_clock_went_back_is_void(jot, clock):
    """MB-8: one that lies further ahead than any lease can."""
    hold(jot, holder(host="elsewhere"))
    clock.tick(-3_600_000)
    assert reserve(jot) is not None


def test_nobody_gives_up_or_prolongs_anothers_lease(jot):
    """MB-9."""
    hold(jot, holder(owner="mine"))
    with jot.database.transaction() as tx:
        assert worker_lease.release(tx, "other") is False
        assert worker_lease.renew(tx, "other", lease_ms=1) is False
        assert worker_lease.holder(tx, longest_ms=start_worker.LEASE_MS).owner == "mine"
        assert worker_lease.release(tx, "mine") is True
        assert worker_lease.holder(tx, longest_ms=start_worker.LEASE_MS) is None


def test_a_burst_of_senders_starts_one_worker(jot, clock):
    """The first reserves; should its worker never come, the reservation runs out."""
    first, second = reserve(jot), reserve(jot)
    assert first is not None
    assert second is None
    clock.tick(start_worker.RESERVATION_MS)
    assert reserve(jot) is not None


def test_a_reserved_worker_takes_over_under_its_token_and_gives_the_lease_up(jot):
    """MB-10: it drains, leaves, and the lease is gone."""
    jot.remember("One.")
    token = reserve(jot)
    with jot.database.snapshot() as tx:
        assert worker(tx) == ("starting", None)
    assert run_worker(jot, reserved=token) == 1
    with jot.database.snapshot() as tx:
        assert worker(tx) == ("none", None)


@EITHER_WAY
def test_the_lease_of_a_worker_that_is_gone_holds_nobody_up_for_an_hour(leap, jot, clock):
    with jot.database.transaction() as tx:
        worker_lease.take(tx, worker_lease.Holder(owner="there", pid=1, host="elsewhere"), lease_ms=LEASE_MS)
    jot.add("A document about aardvarks.")
    clock.tick(leap)
    done = jot.work()
    clock.tick(LEASE_MS)
    assert (done or 0) + (jot.work() or 0) == 2


@EITHER_WAY
def test_after_a_leap_there_is_one_worker_in_the_end_and_nothing_is_done_twice(leap, url, clock):
    """The lease of the first looks void; whichever of the two keeps it, the other ends or does nothing."""
    settings = Settings(db=url, worker="off", worker_idle_ms=0, shutdown_grace_ms=0, lock_timeout_ms=WAIT_MS)
    with Jotsam(settings=settings, clock=clock) as first, Jotsam(settings=settings, clock=clock) as second:
        loops: list[Loop] = []
        thread = threading.Thread(target=lambda: run_worker(first, forever=True, started=loops.append), daemon=True)
        thread.start()
        until(lambda: loops)
        clock.tick(leap)
        second.add("A document about aardvarks.")
        second.work()
        until(lambda: second.status().done == 2)
        loops[0].stop()
        thread.join(PATIENCE)
        assert (second.status().memories, second.status().depth.dead) == (1, 0)


def test_the_reservation_for_a_worker_that_never_came_is_void_after_a_leap_too(jot, clock):
    with jot.database.transaction() as tx:
        worker_lease.take(tx, worker_lease.Holder(owner="token", pid=0, host=process_identity.host()), lease_ms=5_000)
    clock.tick(-AN_HOUR)
    assert jot.status().worker == "none"


def test_none_is_started_for_vectors_alone_without_an_embedder(jot):
    """It would find no job that it can do, and a program that waits would start one each second."""

    def held_by() -> worker_lease.Holder | None:
        with jot.database.snapshot() as tx:
            return worker_lease.holder(tx, longest_ms=start_worker.LEASE_MS)

    with jot.database.transaction() as tx:
        queue.ensure(tx, embed.job_spec("default"))
    start_worker.start_if_needed(jot.database, worker_idle_ms=0, embeds=False)
    assert held_by() is None
    start_worker.start_if_needed(jot.database, worker_idle_ms=0)
    assert held_by() is not None
    until(lambda: held_by() is None)
