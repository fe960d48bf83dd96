"""What the queue promises, on every database. SQ, GQ, BR and GK are behaviours of the systems it grew from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from jotsam.core.errors import JotsamError
from jotsam.core.job_records import Job, JobSpec
from jotsam.storage import queue

if TYPE_CHECKING:
    from jotsam.storage.database import Database, Transaction

pytestmark = pytest.mark.needs_server

LEASE = 60_000


def spec(**fields: object) -> JobSpec:
    return JobSpec(**{"queue": "q", "kind": "k", **fields})


@pytest.fixture
def send(database: Database) -> Callable[..., int]:
    def send(**fields: object) -> int:
        with database.transaction() as tx:
            return queue.send(tx, spec(**fields)).id

    return send


@pytest.fixture
def receive(database: Database) -> Callable[..., list[Job]]:
    def receive(limit: int = 1, name: str = "q", owner: str = "me", lease_ms: int | None = None) -> list[Job]:
        with database.transaction() as tx:
            return queue.receive(tx, queue=name, owner=owner, limit=limit, lease_ms=lease_ms)

    return receive


@pytest.fixture
def do(database: Database) -> Callable[..., object]:
    def do(verb: Callable[..., object], *args: object, **fields: object) -> object:
        with database.transaction() as tx:
            return verb(tx, *args, **fields)

    return do


def depth(database: Database, tenant: str = "default") -> tuple[int, int, int, int]:
    with database.snapshot() as tx:
        found = queue.depth(tx, queues=("q",), tenant=tenant)
    return found.pending, found.in_progress, found.failed, found.dead


def test_what_is_sent_is_received_with_its_payload(send, receive):
    """SQ-2: any JSON text comes back as it was, also one that looks like something else."""
    payloads = ['"true"', "null", "123", '["a", {"b": []}]', b"\x00\xff", ""]
    ids = [send(payload=payload) for payload in payloads]
    jobs = receive(limit=10)
    assert [job.id for job in jobs] == ids
    assert [job.payload for job in jobs] == payloads


def test_the_first_sent_is_the_first_received(send, receive):
    """MB-2, SQ-5: first in, first out, and the counts say one waits and one is in progress."""
    first, second = send(), send()
    assert [job.id for job in receive()] == [first]
    assert [job.id for job in receive()] == [second]


def test_counts_tell_what_waits_and_what_runs(send, receive, database):
    """MB-2, MB-4, SQ-18."""
    send(), send()
    receive()
    assert depth(database) == (1, 1, 0, 0)


def test_an_empty_queue_gives_nothing(receive):
    """MB-3."""
    assert receive(limit=10) == []


def test_a_received_job_is_invisible_until_its_lease_ends(send, receive, clock):
    """SQ-7, SQ-9: the same id comes again, and `received` has risen."""
    job_id = send(lease_ms=LEASE)
    assert receive()[0].received == 1
    clock.tick(LEASE - 1)
    assert receive() == []
    clock.tick(1)
    (again,) = receive()
    assert (again.id, again.received) == (job_id, 2)


def test_a_lease_of_nothing_ends_at_once(send, receive):
    """SQ-8."""
    send()
    receive(lease_ms=0)
    assert receive()[0].received == 2


def test_higher_priority_is_received_first_and_equal_ones_in_order(send, receive):
    """SQ-5, SQ-13, GQ-9: 10, 1, 0, -5."""
    by_priority = {priority: send(priority=priority) for priority in (0, -5, 10, 1)}
    second_of_ten = send(priority=10)
    expected = [by_priority[10], second_of_ten, by_priority[1], by_priority[0], by_priority[-5]]
    assert [job.id for job in receive(limit=10)] == expected


def test_a_batch_returns_fewer_when_there_are_fewer(send, receive):
    """SQ-13."""
    send(), send()
    assert len(receive(limit=10)) == 2


def test_a_delayed_job_is_received_only_when_its_delay_is_over(send, receive, clock):
    """SQ-4, GQ-2, BR-5."""
    send(delay_ms=200)
    clock.tick(199)
    assert receive() == []
    clock.tick(1)
    assert len(receive()) == 1


def test_queues_do_not_see_each_other(send, receive):
    """SQ-11."""
    send(queue="other")
    assert receive() == []
    assert len(receive(name="other")) == 1


def test_a_deleted_job_is_gone_and_counted_as_done(send, receive, do, database):
    send()
    (job,) = receive()
    assert do(queue.delete, job) is True
    assert depth(database) == (0, 0, 0, 0)
    with database.snapshot() as tx:
        assert queue.totals(tx, queue="q")["done"] == 1
        assert [row["outcome"] for row in queue.attempts(tx, job.id)] == ["done"]


def test_a_second_delete_is_refused(send, receive, do, database):
    """SQ-17: and it counts nothing."""
    send()
    (job,) = receive()
    do(queue.delete, job)
    assert do(queue.delete, job) is False
    with database.snapshot() as tx:
        assert queue.totals(tx)["done"] == 1


VERBS = {
    "delete": lambda tx, job: queue.delete(tx, job),
    "extend": lambda tx, job: queue.extend(tx, job, lease_ms=LEASE),
    "release": lambda tx, job: queue.release(tx, job, error="late") is not None,
    "bury": lambda tx, job: queue.bury(tx, job, error="late"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_who_lost_the_lease_changes_nothing(verb, send, receive, do, clock, database):
    """SQ-15, BR-11: the job stays with its new receiver, who can finish it."""
    send(lease_ms=LEASE)
    (stale,) = receive(owner="first")
    clock.tick(LEASE)
    (current,) = receive(owner="second")
    assert do(VERBS[verb], stale) is False
    assert depth(database) == (0, 1, 0, 0)
    assert do(queue.delete, current) is True


@pytest.mark.parametrize("verb", VERBS)
def test_a_job_that_is_not_leased_cannot_be_settled(verb, send, receive, do):
    """SQ-16, GQ-5: neither a job of another number, nor one that was given back."""
    send()
    (job,) = receive()
    assert do(VERBS[verb], job.replace(id=job.id + 1)) is False
    do(queue.release, job, error=None, spend=False)
    assert do(VERBS[verb], job) is False


def test_ids_are_never_used_again(send, receive, do):
    """A fence of (id, received) is sound only if a new job never looks like an old one."""
    send()
    (first,) = receive()
    do(queue.delete, first)
    assert send() > first.id
    (second,) = receive()
    assert do(queue.delete, first) is False
    assert second.id != first.id


def test_extending_keeps_a_job_hidden(send, receive, do, clock):
    """SQ-14."""
    send(lease_ms=LEASE)
    (job,) = receive()
    clock.tick(LEASE - 1)
    assert do(queue.extend, job, lease_ms=LEASE) is True
    clock.tick(LEASE - 1)
    assert receive() == []


def test_a_released_job_comes_back_after_its_delay_with_its_error(send, receive, do, clock, database):
    """MB-5, BR-8, BR-9."""
    send()
    (job,) = receive()
    assert do(queue.release, job, error="LLM timeout", delay_ms=10_000) == "waiting"
    assert depth(database) == (0, 0, 1, 0)
    assert receive() == []
    clock.tick(10_000)
    (again,) = receive()
    assert (again.failures, again.error) == (1, "LLM timeout")


def test_a_release_that_spends_nothing_can_be_repeated_for_ever(send, receive, do, database):
    job_id = send(max_receive=2)
    for _ in range(5):
        (job,) = receive()
        do(queue.release, job, error="rate limit", spend=False)
    assert depth(database) == (1, 0, 0, 0)
    (job,) = receive()
    do(queue.release, job, error="timeout")
    with database.snapshot() as tx:
        assert [row["outcome"] for row in queue.attempts(tx, job_id)] == ["released"] * 5 + ["retry"]


def test_a_job_that_fails_too_often_is_buried_with_every_error(send, receive, do, database):
    """SQ-10, GQ-3, MB-6: after the second of two deliveries there is none."""
    job_id = send(max_receive=2)
    for error in ("first", "second"):
        (job,) = receive()
        state = do(queue.release, job, error=error)
    assert state == "dead"
    assert receive() == []
    assert depth(database) == (0, 0, 0, 1)
    with database.snapshot() as tx:
        assert [row["error"] for row in queue.attempts(tx, job_id)] == ["first", "second"]
        assert queue.totals(tx)["buried"] == 1


def test_a_job_that_kills_its_receivers_is_buried_too(send, receive, clock, database):
    """Nobody reports such a failure: it is counted when the lease ends without a word."""
    job_id = send(max_receive=3, lease_ms=LEASE)
    for _ in range(3):
        assert len(receive(owner="victim")) == 1
        clock.tick(LEASE)
    assert receive() == []
    assert depth(database) == (0, 0, 0, 1)
    with database.snapshot() as tx:
        attempts = queue.attempts(tx, job_id)
    assert [row["outcome"] for row in attempts] == ["expired"] * 3
    assert "victim" in attempts[0]["error"]


def test_a_buried_job_is_dead_at_once(send, receive, do, database):
    send()
    (job,) = receive()
    assert do(queue.bury, job, error="unknown kind") is True
    assert depth(database) == (0, 0, 0, 1)


def test_a_redriven_job_has_all_its_tries_and_its_old_handle_stays_invalid(send, receive, do):
    """SQ-19: the fencing token goes on rising."""
    job_id = send(max_receive=1)
    (old,) = receive()
    do(queue.release, old, error="broken")
    assert do(queue.redrive, job_id) is True
    (new,) = receive()
    assert (new.id, new.received, new.failures) == (job_id, old.received + 1, 0)
    assert do(queue.delete, old) is False
    assert do(queue.delete, new) is True


def test_only_a_dead_job_can_be_redriven(send, do):
    assert do(queue.redrive, send()) is False
    assert do(queue.redrive, 999) is False


def test_a_discarded_job_is_gone_and_counted_so(send, receive, do, database):
    job_id = send()
    assert do(queue.discard, job_id) is True
    assert receive() == []
    with database.snapshot() as tx:
        assert queue.totals(tx)["discarded"] == 1


def test_a_running_job_cannot_be_discarded(send, receive, do):
    job_id = send()
    receive()
    assert do(queue.discard, job_id) is False


def test_a_key_makes_a_second_job_a_duplicate_of_the_first(database):
    """BR-1: the second call learns the first one's id."""
    with database.transaction() as tx:
        first = queue.send(tx, spec(key="request-7"))
        second = queue.send(tx, spec(key="request-7"))
    assert (second.id, first.duplicate, second.duplicate) == (first.id, False, True)


def test_a_key_belongs_to_one_tenant_and_one_queue(database):
    """BR-2."""
    with database.transaction() as tx:
        first = queue.send(tx, spec(key="k"))
        others = [queue.send(tx, spec(key="k", tenant="b")), queue.send(tx, spec(key="k", queue="r"))]
    assert not any(other.duplicate for other in others)
    assert len({first.id, *(other.id for other in others)}) == 3


def test_a_key_outlives_its_job_until_it_expires(database, receive, do, clock):
    with database.transaction() as tx:
        first = queue.send(tx, spec(key="k"), key_life_ms=1_000)
    do(queue.delete, receive()[0])
    clock.tick(999)
    with database.transaction() as tx:
        assert queue.send(tx, spec(key="k"), key_life_ms=1_000) == first.replace(duplicate=True)
    clock.tick(1)
    with database.transaction() as tx:
        assert queue.send(tx, spec(key="k")).duplicate is False


def test_a_send_is_seen_only_after_its_commit_and_never_after_a_rollback(database, receive):
    """GQ-4, BR-14."""
    with pytest.raises(RuntimeError), database.transaction() as tx:
        queue.send(tx, spec())
        raise RuntimeError
    assert receive() == []


def test_results_vanish_with_a_refused_acknowledgement(send, receive, clock, database):
    """What a zombie writes in the transaction of its acknowledgement does not stand."""
    send(lease_ms=LEASE)
    (stale,) = receive()
    clock.tick(LEASE)
    receive()
    with pytest.raises(RuntimeError), database.transaction() as tx:
        queue.send(tx, spec(queue="results"))
        if not queue.delete(tx, stale):
            raise RuntimeError
    assert receive(name="results") == []


def test_a_lane_runs_barriers_alone_and_parallel_jobs_together(database, receive, do):
    """GK-1: P1 P2 S1 P3 P4 S2 runs as [P1 P2] [S1] [P3 P4] [S2]."""
    with database.transaction() as tx:
        for name in ("P1", "P2", "S1", "P3", "P4", "S2"):
            queue.send(tx, spec(kind=name, lane="lane", parallel=name.startswith("P")))
    rounds = []
    while jobs := receive(limit=10):
        rounds.append([job.kind for job in jobs])
        for job in jobs:
            do(queue.delete, job)
    assert rounds == [["P1", "P2"], ["S1"], ["P3", "P4"], ["S2"]]


def test_a_barrier_waits_until_the_last_of_its_predecessors_is_done(send, receive, do):
    send(lane="a"), send(lane="a")
    barrier = send(lane="a", parallel=False)
    first, second = receive(limit=10)
    do(queue.delete, first)
    assert receive() == []
    do(queue.delete, second)
    assert [job.id for job in receive()] == [barrier]


def test_other_lanes_and_tenants_run_meanwhile(send, receive):
    """GK-1: a barrier holds its own lane alone."""
    send(lane="a", parallel=False), send(lane="a")
    free = {send(lane="b"), send(), send(lane="a", tenant="other")}
    assert {job.id for job in receive(limit=10)} >= free


@pytest.mark.parametrize("leave", ["waiting", "dead", "discarded"])
def test_a_job_that_waits_or_is_dead_does_not_hold_its_lane(leave, send, receive, do):
    """GK-3: what waits out a backoff, is dead or is discarded lets the others pass."""
    barrier, follower = send(lane="a", parallel=False), send(lane="a")
    if leave == "discarded":
        do(queue.discard, barrier)
    else:
        (job,) = receive()
        do(queue.release, job, error="x", delay_ms=1_000) if leave == "waiting" else do(queue.bury, job, error="x")
    assert [job.id for job in receive(limit=10)] == [follower]


def test_a_barrier_that_comes_back_from_its_backoff_runs_alone_again(send, receive, do, clock):
    barrier = send(lane="a", parallel=False)
    (job,) = receive()
    do(queue.release, job, error="x", delay_ms=1_000)
    follower = send(lane="a")
    (running,) = receive()
    assert running.id == follower
    clock.tick(1_000)
    assert receive() == []
    do(queue.delete, running)
    assert [job.id for job in receive(limit=10)] == [barrier]


def test_when_the_clock_goes_back_a_lease_lasts_no_longer(send, receive, clock):
    """An hour back must not make a lease of a minute last an hour."""
    send(lease_ms=LEASE)
    receive()
    clock.tick(-3_600_000)
    assert receive() == []
    clock.tick(LEASE)
    assert receive()[0].received == 2


def test_when_the_clock_jumps_ahead_a_job_is_redelivered_and_fenced(send, receive, do, clock):
    send(lease_ms=LEASE)
    (first,) = receive()
    clock.tick(3_600_000)
    (second,) = receive()
    assert do(queue.delete, first) is False
    assert do(queue.delete, second) is True


def test_accepted_is_done_and_discarded_and_live_and_dead(send, receive, do, database, clock):
    """The sum that `doctor` checks."""
    for number in range(12):
        send(max_receive=1, delay_ms=number % 2)
    clock.tick(10)
    done, dead, held, back = receive(limit=4)
    do(queue.delete, done)
    do(queue.release, dead, error="x")
    do(queue.release, back, error="x", spend=False)
    do(queue.discard, back.id)
    assert held.id
    with database.snapshot() as tx:
        totals = queue.totals(tx, queue="q")
        found = queue.depth(tx, queues=("q",), tenant="default")
    dead_now = totals["buried"] - totals["redriven"]
    assert totals["accepted"] == totals["done"] + totals["discarded"] + found.live + dead_now
    assert (totals["accepted"], totals["done"], totals["discarded"], found.live, found.dead) == (12, 1, 1, 9, 1)


def test_old_history_is_forgotten_but_not_that_of_jobs_that_exist(send, receive, do, database, clock):
    """Dead letters keep their errors until somebody takes them away."""
    done, dead = send(), send()
    first, second = receive(limit=2)
    do(queue.delete, first)
    do(queue.bury, second, error="x")
    clock.tick(1_000)
    fresh = send()
    do(queue.delete, receive()[0])
    after = do(queue.prune, before=clock.now)
    assert do(queue.prune, before=clock.now, after_job=after) is None
    with database.snapshot() as tx:
        assert [len(queue.attempts(tx, job_id)) for job_id in (done, dead, fresh)] == [0, 1, 1]


def test_forgetting_steps_over_what_is_long_gone_and_what_is_dead(send, receive, do, database, clock):
    """A worker that leaves after one look leaves the rest to the next, which must not begin in front of it again."""
    dead = send()
    do(queue.bury, receive()[0], error="x")
    with database.transaction() as tx:
        tx.execute("update queue_attempt set job_id = 900000, received = 1")
        tx.execute(
            "insert into queue_attempt (job_id, received, queue, tenant, kind, started_at, ended_at, outcome)"
            " values (:dead, 1, 'q', 'default', 'k', 0, :now, 'dead')",
            {"dead": dead},
        )
    clock.tick(1_000)
    do(queue.prune, before=clock.now)
    with database.snapshot() as tx:
        assert [row["job_id"] for row in tx.execute("select job_id from queue_attempt")] == [dead]


def test_how_long_jobs_took_is_told(send, receive, do, database, clock):
    for took in (10, 20, 30, 40, 1_000):
        send()
        (job,) = receive()
        clock.tick(took)
        do(queue.delete, job)
    with database.snapshot() as tx:
        assert queue.timings(tx, queue="q") == {"p50": 30, "p95": 1_000}
        assert queue.timings(tx, queue="other") is None


def test_two_receivers_share_a_hundred_jobs_and_get_none_twice(send, receive):
    """BR-3: in batches of ten, never more."""
    ids = [send() for _ in range(100)]
    batches = [receive(limit=10, owner=owner) for _ in range(5) for owner in ("first", "second")]
    assert [len(batch) for batch in batches] == [10] * 10
    assert sorted(job.id for batch in batches for job in batch) == ids


def test_a_claim_is_signed_and_counted_and_settling_clears_it(send, receive, do, database, clock):
    """BR-4, BR-7."""
    job_id = send()
    (job,) = receive(owner="me", lease_ms=1_000)
    assert (job.owner, job.received, job.state, job.wake_at) == ("me", 1, "leased", clock.now + 1_000)
    do(queue.release, job, error=None, spend=False)
    with database.snapshot() as tx:
        back = queue.get(tx, job_id)
    assert back is not None
    assert (back.owner, back.state, back.wake_at) == (None, "ready", None)


def test_a_job_that_comes_back_takes_the_place_it_had(send, receive, do):
    """BR-6 differs on purpose: the order is that of sending, however late a job became due."""
    first, second = send(), send()
    (job,) = receive()
    do(queue.release, job, error=None, spend=False)
    assert [job.id for job in receive(limit=2)] == [first, second]


def test_only_leases_that_have_ended_are_taken_back(send, receive, clock):
    """BR-10: the younger one stays untouched."""
    old, young = send(lease_ms=LEASE), send(lease_ms=LEASE)
    receive(owner="first")
    clock.tick(LEASE // 2)
    receive(owner="first")
    clock.tick(LEASE // 2)
    assert [job.id for job in receive(limit=10)] == [old]
    clock.tick(LEASE // 2)
    assert [job.id for job in receive(limit=10)] == [young]


def test_jobs_are_listed_by_state_and_kind(send, receive, do, tx_jobs):
    first, second, third = send(kind="a"), send(kind="b"), send(kind="a")
    do(queue.bury, receive()[0], error="x")
    assert [job.id for job in tx_jobs(state="dead")] == [first]
    assert [job.id for job in tx_jobs(kind="a")] == [first, third]
    assert [job.id for job in tx_jobs(after=first, limit=1)] == [second]


@pytest.fixture
def tx_jobs(database: Database) -> Callable[..., list[Job]]:
    def listed(**filters: object) -> list[Job]:
        with database.snapshot() as tx:
            return queue.jobs(tx, **filters)

    return listed


def test_a_paused_queue_gives_nothing_and_resumes_where_it_was(send, receive, do):
    first = send()
    do(queue.pause, "q", reason="the provider refuses our key")
    assert receive() == []
    do(queue.resume, "q")
    assert [job.id for job in receive()] == [first]


def test_a_transaction_knows_one_now(database: Database, clock):
    with database.transaction() as tx:
        before = tx.now
        clock.tick(5)
        assert tx.now == before


def _sum(tx: Transaction) -> int:
    return tx.execute("select :now as n")[0]["n"]


def test_the_callers_own_sql_runs_in_the_same_transaction(database: Database):
    with pytest.raises(RuntimeError), database.transaction() as tx:
        tx.execute("create table of_the_caller (x integer)")
        tx.execute("insert into of_the_caller (x) values (:x)", {"x": 1})
        assert _sum(tx) == tx.now
        raise RuntimeError
    with database.snapshot() as tx, pytest.raises(Exception, match="of_the_caller"):
        tx.execute("select x from of_the_caller")


def test_a_snapshot_that_is_written_to_keeps_nothing_and_says_so(send, database):
    job_id = send()
    with pytest.raises(JotsamError), database.snapshot() as tx:
        queue.send(tx, spec())
    with database.snapshot() as tx:
        assert [job.id for job in queue.jobs(tx, queue="q")] == [job_id]


def test_many_are_acknowledged_at_once_and_who_lost_some_is_told_which(send, receive, do, database):
    for _ in range(4):
        send()
    jobs = receive(limit=4)
    assert do(queue.release, jobs[1], error=None, spend=False) == "ready"
    again = receive()[0]
    gone = do(queue.delete_many, jobs)
    assert gone == {(job.id, job.received) for job in (jobs[0], jobs[2], jobs[3])}
    assert do(queue.delete_many, []) == set()
    with database.snapshot() as tx:
        assert queue.totals(tx)["done"] == 3
        assert [row["outcome"] for row in queue.attempts(tx, jobs[2].id)] == ["done"]
        left = queue.get(tx, again.id)
    assert left is not None
    assert (left.received, left.state) == (2, "leased")


def test_many_leases_are_prolonged_at_once_each_by_its_own_length(send, receive, do, clock):
    ids = [send(lease_ms=1_000), send(lease_ms=5_000), send(lease_ms=5_000)]
    jobs = receive(limit=3)
    do(queue.delete, jobs[2])
    do(queue.cancel, jobs[1].id)
    clock.tick(900)
    assert do(queue.extend_many, jobs) == {(ids[0], 1): False, (ids[1], 1): True}
    clock.tick(999)
    assert receive(limit=3) == []
    clock.tick(1)
    assert [job.id for job in receive(limit=3)] == [ids[0]]


def test_a_lane_goes_on_when_many_are_acknowledged_at_once(send, receive, do):
    barrier = [send(lane="x", parallel=False) for _ in range(3)]
    other = send()
    jobs = receive(limit=10)
    assert [job.id for job in jobs] == [barrier[0], other]
    do(queue.delete_many, jobs)
    assert [job.id for job in receive(limit=10)] == [barrier[1]]


@pytest.fixture
def onward(database: Database) -> Callable[..., list[int]]:
    """Receives as somebody does who remembers how far it has come."""
    watermark = queue.Watermark()

    def onward(limit: int = 1) -> list[int]:
        with database.transaction() as tx:
            return [job.id for job in queue.receive(tx, queue="q", owner="me", limit=limit, watermark=watermark)]

    return onward


def test_who_remembers_how_far_it_came_still_takes_first_what_came_back(send, receive, do, clock, onward):
    late = send(delay_ms=1_000)
    ids = [send() for _ in range(8)]
    first = receive()[0]
    assert onward(3) == ids[1:4]
    do(queue.release, first, error=None, spend=False)
    assert onward() == [ids[0]]
    clock.tick(1_000)
    assert onward(2) == [late, ids[4]]
    urgent = send(priority=1)
    assert onward(2) == [urgent, ids[5]]
    low = send(priority=-1)
    assert onward(9) == [*ids[6:], low]
    assert onward() == []


def test_who_remembers_how_far_it_came_claims_nothing_from_a_paused_queue(send, do, onward):
    ids = [send() for _ in range(3)]
    assert onward() == ids[:1]
    do(queue.pause, "q", reason="maintenance")
    assert onward(2) == []
    do(queue.resume, "q")
    assert onward(2) == ids[1:]


def test_who_remembers_how_far_it_came_takes_first_what_is_due_by_now(send, clock, onward):
    soon = send(delay_ms=500)
    ids = [send() for _ in range(3)]
    assert onward() == ids[:1]
    clock.tick(600)
    assert onward(2) == [soon, ids[1]]


def test_who_remembers_how_far_it_came_notices_that_the_clock_went_back(send, receive, clock, onward):
    ids = [send() for _ in range(3)]
    (held,) = receive(lease_ms=60_000)
    assert onward() == [ids[1]]
    clock.tick(-3_600_000)
    assert onward() == [ids[2]]
    clock.tick(60_000)
    assert onward() == [held.id]


def test_who_remembers_how_far_it_came_takes_what_its_lane_lets_go(send, receive, do, onward):
    held = [send(lane="x", parallel=False) for _ in range(2)]
    ids = [send() for _ in range(3)]
    first = receive()[0]
    assert first.id == held[0]
    assert onward(2) == ids[:2]
    do(queue.delete, first)
    assert onward(2) == [held[1], ids[2]]


def test_who_remembers_how_far_it_came_takes_what_was_revived(send, receive, do, onward):
    dead = send()
    do(queue.bury, receive()[0], error="x")
    ids = [send() for _ in range(3)]
    assert onward() == ids[:1]
    do(queue.redrive, dead)
    assert onward(2) == [dead, ids[1]]


def test_a_claim_that_was_taken_back_is_found_again_by_who_had_come_that_far(send, database, onward):
    ids = [send() for _ in range(2)]
    watermark = queue.Watermark()
    with pytest.raises(JotsamError), database.transaction() as tx:
        assert len(queue.receive(tx, queue="q", owner="me", limit=2, watermark=watermark)) == 2
        raise JotsamError("the commit did not come to be")
    with database.transaction() as tx:
        assert [job.id for job in queue.receive(tx, queue="q", owner="me", limit=2, watermark=watermark)] == ids


def test_what_is_below_is_found_within_a_second_by_who_had_come_further(send, database, clock):
    ids = [send() for _ in range(4)]
    watermark = queue.Watermark()
    with pytest.raises(JotsamError), database.transaction() as tx:
        queue.receive(tx, queue="q", owner="me", limit=2, watermark=watermark)
        raise JotsamError("the commit did not come to be")
    with database.transaction() as tx:
        first = queue.receive(tx, queue="q", owner="me", watermark=watermark)
    clock.tick(1_000)
    with database.transaction() as tx:
        second = queue.receive(tx, queue="q", owner="me", limit=4, watermark=watermark)
    assert sorted(job.id for job in first + second) == ids


def test_jobs_that_are_done_together_close_a_breaker_but_resume_no_pause_by_hand(send, receive, do):
    for _ in range(5):
        send()
    together = receive(limit=2)
    do(queue.open_breaker, "q", reason="no route to host")
    assert receive() == []
    do(queue.delete_many, together)
    together = receive(limit=2)
    assert len(together) == 2
    do(queue.pause, "q", reason="by hand")
    do(queue.delete_many, together)
    assert receive() == []
