"""`jotsam.Queue` and `jotsam.Processor`, as somebody uses them who wants no memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from jotsam import (
    BuryJob,
    InvalidInput,
    JobCancelled,
    LeaseLost,
    NotFound,
    Processor,
    ProviderUnavailable,
    Queue,
    RetryJob,
)
from processes import PATIENCE, until

DAY_MS = 86_400_000


@pytest.fixture
def open_queue(url: str, clock) -> Iterator[Callable[..., Queue]]:
    opened: list[Queue] = []

    def open_queue(name: str = "mail", **options: object) -> Queue:
        opened.append(Queue(url, name, clock=clock, **options))
        return opened[-1]

    yield open_queue
    for queue in opened:
        queue.close()


@pytest.fixture
def mail(open_queue) -> Queue:
    return open_queue()


@pytest.mark.parametrize(
    "payload", ["true", "null", "123", [], None, {"a": [1, {"b": None}]}, 1.5, "王小明 \U0001f600", ""]
)
def test_any_json_value_comes_back_as_it_was(payload, mail):
    """SQ-2."""
    mail.send(payload)
    got = []
    Processor(mail, {"default": lambda task: got.append(task.payload)}).run()
    assert got == [payload]


def test_bytes_come_back_as_they_were(mail):
    mail.send(b"\x00\xff")
    job = mail.receive()
    assert job is not None
    assert job.payload == b"\x00\xff"


def test_ids_are_numbers_that_rise(mail):
    """SQ-1 differs on purpose: a number that is never used again is a fence, and shorter to type."""
    ids = [mail.send(n).id for n in range(3)]
    assert ids == sorted(set(ids))


WRONG = [
    ({"payload": object()}, "must be a JSON value"),
    ({"payload": float("nan")}, "nan"),
    ({"payload": {"deep": [float("inf")]}}, "inf"),
    ({"payload": "x" * 200}, "202 bytes"),
    ({"payload": "\ud800"}, "must be a JSON value"),
    ({"payload": 1, "delay_ms": -1}, "invalid delay_ms -1"),
    ({"payload": 1, "priority": float("nan")}, "invalid priority nan"),
    ({"payload": 1, "priority": True}, "invalid priority True"),
    ({"payload": 1, "max_receive": 0}, "invalid max_receive 0"),
    ({"payload": 1, "lease_ms": "60"}, "invalid lease_ms '60'"),
    ({"payload": 1, "kind": ""}, "invalid kind ''"),
    ({"payload": 1, "key": 7}, "invalid key 7"),
    ({"payload": 1, "parallel": False}, "invalid parallel=False without a lane"),
    ({"payload": 1, "colour": "red"}, "unknown option 'colour'"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_a_wrong_value_is_named_and_nothing_is_stored(arguments, message, open_queue):
    """SQ-3, GQ-1."""
    queue = open_queue(max_bytes=100)
    options = {name: value for name, value in arguments.items() if name != "payload"}
    with pytest.raises(InvalidInput, match=message):
        queue.send(arguments["payload"], **options)
    assert queue.stats().accepted == 0


@pytest.mark.parametrize("name", ["", "  ", None, 7])
def test_a_queue_needs_a_name(name, open_queue):
    """GQ-1."""
    with pytest.raises(InvalidInput, match="invalid queue name"):
        open_queue(name)


def test_a_batch_with_one_wrong_item_stores_nothing(mail):
    """SQ-6."""
    with pytest.raises(InvalidInput):
        mail.send_many([1, 2, object()])
    assert mail.stats().ready == 0
    assert [sent.id for sent in mail.send_many([1, 2])] == [1, 2]


def test_each_job_of_a_batch_can_have_its_own_options(mail):
    sent = mail.send_many(["a", "b"], priority=1, each=[{"key": "k", "kind": "x"}, {"priority": 2}])
    jobs = {job.id: (job.kind, job.priority) for job in mail.jobs()}
    assert jobs == {sent[0].id: ("x", 1), sent[1].id: ("default", 2)}
    again = mail.send_many(["a"], each=[{"key": "k"}])
    assert (again[0].id, again[0].duplicate) == (sent[0].id, True)
    for each, message in (([{}], "one per payload"), ([{}, {"colour": 1}], "unknown option 'colour'")):
        with pytest.raises(InvalidInput, match=message):
            mail.send_many(["a", "b"], each=each)
    assert mail.stats().accepted == 2


@pytest.mark.needs_server
def test_a_batch_is_sent_as_its_jobs_one_by_one_would_be(mail, clock):
    """Long texts and bytes lie beside the job; some wait, some have a key that was used, before or in the batch."""
    mail.send("first", key="a")
    payloads = ["x" * 2_000, b"\x00\xff", "王 '\"\\u0000", None, "again", "late", "b", "b again", "of another"]
    each = [{}, {}, {}, {"kind": "x"}, {"key": "a"}, {"delay_ms": 500, "priority": 9, "lease_ms": 7, "max_receive": 1}]
    each += [{"key": "b"}, {"key": "b"}, {"key": "b", "tenant": "other"}]
    sent = mail.send_many(payloads, each=each)
    assert [one.id for one in sent] == [2, 3, 4, 5, 1, 6, 7, 7, 8]
    assert [one.duplicate for one in sent] == [False, False, False, False, True, False, False, True, False]
    assert [mail.send("b", key="b").id, mail.send("b", key="b", tenant="other").id] == [7, 8]
    assert (mail.stats().ready, mail.stats().waiting, mail.stats().accepted) == (7, 1, 8)
    clock.tick(500)
    jobs = mail.receive_many(10)
    assert [(job.id, mail.decode(job)) for job in jobs] == [
        *((6, "late"), (1, "first")),
        *zip((2, 3, 4, 5), payloads, strict=False),
        *((7, "b"), (8, "of another")),
    ]
    late, *others = jobs
    assert (late.priority, late.max_receive, late.wake_at - clock()) == (9, 1, 7)
    assert [(job.kind, job.tenant) for job in others] == [
        *[("default", "default")] * 4,
        *(("x", "default"), ("default", "default"), ("default", "other")),
    ]


@pytest.mark.needs_server
def test_a_batch_into_a_lane_or_a_fair_queue_is_in_order(mail, open_queue):
    """There the state or the place of a job depends on those before it."""
    mail.send_many(range(3), each=[{"parallel": False}, {"parallel": False}, {}], lane="x")
    assert [mail.decode(job) for job in mail.receive_many(5)] == [0]
    fair = open_queue("fair", fair=True)
    fair.send_many(range(4), each=[{"tenant": name} for name in ("a", "a", "a", "b")])
    assert [fair.decode(job) for job in fair.receive_many(5)] == [0, 3, 1, 2]


def test_a_large_batch_keeps_its_order(mail):
    payloads = [*range(2_500)]
    ids = [sent.id for sent in mail.send_many(payloads)]
    assert ids == sorted(ids)
    assert [mail.decode(job) for job in mail.receive_many(2_500)] == payloads
    assert mail.send_many([]) == []


@pytest.mark.needs_server
def test_many_jobs_are_acknowledged_at_once_and_lost_leases_are_told(mail, open_queue, clock):
    mail.send_many(range(4), lease_ms=1_000)
    first, *others = mail.receive_many(4)
    assert mail.delete(first)
    assert mail.delete_many([first, *others[:2], others[0]]) == [False, True, True, True]
    assert (mail.stats().done, mail.stats().leased) == (3, 1)
    assert [one.outcome for one in mail.attempts(others[0].id)] == ["done"]
    clock.tick(1_000)
    (taken,) = mail.receive_many(4)
    assert open_queue("other").delete_many([taken]) == [False]
    with (
        pytest.raises(LeaseLost, match=f"job {others[2].id} was delivered to another worker"),
        mail.transaction() as tx,
    ):
        mail.delete_many([taken, others[2]], tx=tx)
    assert (mail.stats().done, mail.stats().leased) == (3, 1)
    assert mail.delete_many([others[2], taken]) == [False, True]
    assert mail.delete_many([]) == []


@pytest.mark.needs_server
def test_a_received_payload_can_be_decoded(mail):
    for payload in ({"to": ["ana"]}, b"\xff"):
        mail.send(payload)
        assert mail.decode(mail.receive()) == payload


def test_a_dead_letter_can_be_redriven_with_a_delay(mail, clock):
    ids = [sent.id for sent in mail.send_many([1, 2], max_receive=1)]
    while job := mail.receive():
        mail.bury(job, error="no")
    assert mail.redrive(ids[0], delay_ms=500) == 1
    assert mail.redrive(error="no", delay_ms=500) == 1
    assert (mail.stats().waiting, mail.receive()) == (2, None)
    clock.tick(500)
    assert [job.id for job in mail.receive_many(3)] == ids


@pytest.mark.needs_server
def test_ending_a_lease_counts_as_a_failure_and_releasing_need_not(mail):
    mail.send(1)
    assert mail.extend(mail.receive(), lease_ms=0)
    again = mail.receive()
    assert (again.received, again.failures) == (2, 1)
    assert mail.release(again, spend=False)
    assert mail.receive().failures == 1


@pytest.mark.parametrize("limit", [0, -1, 1.5, None])
def test_a_wrong_limit_is_refused(limit, mail):
    """SQ-13."""
    with pytest.raises(InvalidInput, match="limit"):
        mail.receive_many(limit)


def test_the_callers_rows_and_the_job_stand_or_fall_together(mail):
    """GQ-4, BR-14: enqueue in the caller's own transaction."""
    with mail.transaction() as tx:
        tx.execute("create table orders (id integer)")
    with pytest.raises(ZeroDivisionError), mail.transaction() as tx:
        tx.execute("insert into orders (id) values (1)")
        mail.send({"order": 1}, tx=tx)
        raise ZeroDivisionError
    with mail.transaction() as tx:
        assert tx.execute("select id from orders") == []
    assert mail.stats().accepted == 0


def test_an_acknowledgement_refused_takes_the_callers_writes_with_it(mail, clock):
    """The zombie's rows vanish."""
    with mail.transaction() as tx:
        tx.execute("create table orders (id integer)")
    mail.send(1, lease_ms=1_000)
    stale = mail.receive()
    clock.tick(1_000)
    current = mail.receive()
    for job, stands in ((stale, False), (current, True)):
        try:
            with mail.transaction() as tx:
                tx.execute("insert into orders (id) values (:received)", {"received": job.received})
                mail.delete(job, tx=tx)
        except LeaseLost:
            assert not stands
    with mail.transaction() as tx:
        assert tx.execute("select id from orders") == [{"id": 2}]


def test_a_job_of_another_queue_cannot_be_settled_here(open_queue):
    """SQ-16."""
    mail, other = open_queue("mail"), open_queue("other")
    mail.send(1)
    job = mail.receive()
    assert other.delete(job) is False
    assert mail.delete(job) is True


def test_stats_tell_every_state(mail, clock):
    """SQ-18: one ready, one delayed, one in flight, one dead."""
    mail.send(1, priority=9), mail.send(2, priority=8), mail.send(3), mail.send(4, delay_ms=1_000)
    mail.bury(mail.receive(), error="x")
    mail.receive()
    clock.tick(5)
    stats = mail.stats()
    assert (stats.ready, stats.leased, stats.waiting, stats.dead) == (1, 1, 1, 1)
    assert (stats.accepted, stats.oldest_ms) == (4, 5)


@pytest.mark.needs_server
def test_dead_letters_are_listed_redriven_by_error_and_purged(mail):
    """SQ-19, GK-4, BR-8."""
    for number in range(3):
        mail.send(number, kind=f"k{number}")
        mail.bury(mail.receive(), error=f"error {number}")
    live = mail.send(9).id
    assert [job.error for job in mail.dead()] == ["error 0", "error 1", "error 2"]
    assert mail.redrive(error="error 1") == 1
    assert mail.redrive(kind="k0") == 1
    assert mail.redrive(4_711) == 0
    assert mail.purge(state="dead") == 1
    assert [job.id for job in mail.jobs()] == [1, 2, live]


def test_a_payload_comes_back_wherever_it_is_kept(mail):
    """Short JSON in the row of its job; long JSON, bytes and what an earlier version sent beside it."""
    payloads = ["short", "x" * 998, "x" * 999, {"long": "é" * 2_000}, b"", b"bytes", None]
    sent = [mail.send(payload).id for payload in payloads]
    earlier = mail.send("earlier").id
    with mail.transaction() as tx:
        tx.execute(
            "insert into queue_payload (job_id, json) select id, payload from queue_job where id = :id", {"id": earlier}
        )
        tx.execute("update queue_job set payload = null where id = :id", {"id": earlier})
        beside = {row["job_id"] for row in tx.execute("select job_id from queue_payload")}
    assert beside == {sent[2], sent[3], sent[4], sent[5], earlier}
    assert [mail.decode(mail.get(id)) for id in (*sent, earlier)] == [*payloads, "earlier"]
    assert mail.decode(mail.receive()) == "short"
    assert [mail.decode(job) for job in mail.receive_many(10)] == [*payloads[1:], "earlier"]


def test_a_damaged_payload_fails_alone(mail):
    """SQ-12: it is named, and the others go on."""
    bad, good = mail.send("x").id, mail.send("y").id
    with mail.transaction() as tx:
        tx.execute("update queue_job set payload = '{' where id = :id", {"id": bad})
    got = []
    Processor(mail, {"default": lambda task: got.append(task.payload)}).run()
    assert got == ["y"]
    assert mail.get(good) is None
    assert f"invalid payload of job {bad}: not JSON" in (mail.attempts(bad)[0].error or "")


def test_waiting_for_a_job_ends_at_once_when_there_is_one(mail, open_queue):
    """GQ-6."""
    assert mail.receive(wait_ms=1) is None
    mail.send(1)
    assert mail.receive(wait_ms=1_000_000).id == 1
    sender = threading.Timer(0.02, lambda: open_queue().send(2))
    sender.start()
    assert mail.receive(wait_ms=1_000_000).id == 2
    sender.join()


@pytest.mark.needs_server
def test_what_a_handler_returns_can_be_read_until_it_expires(mail, clock):
    done = mail.send([1, 2]).id
    Processor(mail, {"default": lambda task: {"sum": sum(task.payload)}}).run()
    assert mail.result(done) == {"sum": 3}
    clock.tick(24 * 3_600_000)
    assert mail.result(done) is None


def test_a_result_that_is_no_json_fails_its_job(mail):
    mail.send(1)
    Processor(mail, {"default": lambda task: {1, 2, object()}}).run()
    assert "must be a JSON value" in (mail.attempts(1)[0].error or "")


def test_what_a_handler_writes_is_committed_with_its_acknowledgement(mail):
    with mail.transaction() as tx:
        tx.execute("create table seen (id integer)")
    mail.send_many([1, 2])

    def handler(task):
        def save(tx):
            tx.execute("insert into seen (id) values (:id)", {"id": task.job.id})
            if task.payload == 2:
                raise BuryJob("after writing")

        return save

    Processor(mail, {"default": handler}).run()
    with mail.transaction() as tx:
        assert tx.execute("select id from seen") == [{"id": 1}]
    assert [job.id for job in mail.dead()] == [2]


@pytest.mark.needs_server
def test_progress_can_be_read_while_a_job_runs(mail):
    seen = []

    def handler(task):
        task.report(0.5, "half of it")
        seen.append(mail.progress(task.job.id))
        with pytest.raises(InvalidInput, match=r"invalid share 1\.5"):
            task.report(1.5)

    mail.send(1)
    Processor(mail, {"default": handler}).run()
    assert seen == [(0.5, "half of it")]
    with pytest.raises(NotFound):
        mail.progress(1)


def test_a_waiting_job_that_is_cancelled_never_runs(mail):
    assert mail.cancel(mail.send(1).id) is True
    assert mail.cancel(1) is False
    assert mail.receive() is None


def test_a_running_job_that_is_cancelled_stops_where_its_handler_looks(mail):
    started, never = threading.Event(), threading.Event()

    def handler(task):
        started.set()
        for _ in range(PATIENCE * 100):
            task.check()
            never.wait(0.01)

    job_id = mail.send(1).id
    processor = Processor(mail, {"default": handler}, heartbeat_ms=5)
    processor.start()
    assert started.wait(PATIENCE)
    assert mail.cancel(job_id) is True
    until(lambda: mail.get(job_id) is None)
    processor.stop()
    assert [attempt.outcome for attempt in mail.attempts(job_id)] == ["cancelled"]
    assert mail.stats().discarded == 1


def test_a_job_that_runs_too_long_has_failed_and_its_result_is_not_written(mail):
    def handler(task):
        until(lambda: task.cancelled)
        return "too late"

    job_id = mail.send(1).id
    Processor(mail, {"default": handler}, heartbeat_ms=5, time_limit_ms=10).run()
    assert "longer than 10 ms" in (mail.attempts(job_id)[0].error or "")
    assert mail.result(job_id) is None
    assert mail.stats().waiting == 1


@pytest.mark.parametrize("is_coroutine", [False, True])
def test_a_job_that_exceeds_the_time_limit_between_two_heartbeats_has_failed(is_coroutine, mail, database):
    """With the default heartbeat of 15 s. What it returns is not written."""
    never, errors = threading.Event(), []

    def write(tx):
        raise AssertionError("it must not be called")

    def handler(task):
        never.wait(0.03)
        return write

    async def coroutine(task):
        return handler(task)

    one = coroutine if is_coroutine else handler
    job_id = mail.send(1).id
    processor = Processor(mail, {"default": one}, time_limit_ms=20, on_error=lambda job, error: errors.append(error))
    assert processor.run() == 0
    (attempt,) = mail.attempts(job_id)
    assert (attempt.outcome, mail.get(job_id).failures) == ("retry", 1)
    assert "it ran longer than 20 ms" in attempt.error


def test_leases_shorter_than_the_heartbeat_are_extended_in_time(mail, clock):
    """One thread: nothing else can receive the job in the meantime."""

    def handler(task):
        for _ in range(2):
            clock.tick(100)
            due = clock.now + 200
            until(lambda: mail.get(task.job.id).wake_at > due)  # noqa: B023 - it is called at once

    job_id = mail.send(1, lease_ms=300).id
    assert Processor(mail, {"default": handler}, concurrency=1).run() == 1
    assert [attempt.outcome for attempt in mail.attempts(job_id)] == ["done"]


@pytest.mark.needs_server
def test_a_processor_deletes_old_history_about_once_a_day(mail, clock):
    def send_and_run() -> int:
        job_id = mail.send(1, key=str(clock.now)).id
        assert Processor(mail, {"default": lambda task: 7}).run() == 1
        return job_id

    def rows(table: str) -> int:
        with mail.transaction() as tx:
            return int(tx.execute(f"select count(*) as rows from {table}")[0]["rows"])

    first = send_and_run()
    clock.tick(31 * DAY_MS)
    send_and_run()
    assert (mail.attempts(first), rows("queue_attempt"), rows("queue_result"), rows("queue_key")) == ([], 1, 1, 1)
    clock.tick(DAY_MS // 2)
    with mail.transaction() as tx:
        tx.execute("update queue_attempt set ended_at = 0")
    send_and_run()
    assert rows("queue_attempt") == 2, "the last time was half a day ago"
    mail.prune(older_than_ms=DAY_MS)
    assert rows("queue_attempt") == 1


def test_the_wait_after_a_failure_can_be_set_by_kind(mail, clock):
    def handler(task):
        raise ValueError

    mail.send(1, kind="quick"), mail.send(1, kind="slow")
    Processor(mail, {"quick": handler, "slow": handler}, backoff_ms={"quick": 100}).run()
    waits = {job.kind: job.wake_at - clock.now for job in mail.jobs()}
    assert 90 <= waits["quick"] <= 110
    assert 9_000 <= waits["slow"] <= 11_000


def test_whoever_is_told_of_an_error_cannot_break_the_processor(mail):
    """SQ-20, SQ-24."""
    told = []

    def handler(task):
        raise ValueError(task.payload)

    def on_error(job, error):
        told.append((job.id, str(error)))
        raise RuntimeError

    mail.send_many(["a", "b"])
    Processor(mail, {"default": handler}, on_error=on_error).run()
    assert sorted(told) == [(1, "a"), (2, "b")]


def test_a_processor_can_be_stopped_and_started_again(mail):
    """SQ-23."""
    done = []
    processor = Processor(mail, {"default": lambda task: done.append(task.payload)})
    processor.stop()
    for number in range(2):
        processor.start()
        processor.start()
        mail.send(number)
        until(lambda number=number: number in done)
        processor.stop()
    assert done == [0, 1]


def test_a_processor_needs_a_handler(mail):
    with pytest.raises(InvalidInput, match="invalid handlers: must not be empty"):
        Processor(mail, {})
    with pytest.raises(InvalidInput, match="invalid concurrency 0"):
        Processor(mail, {"k": print}, concurrency=0)


@pytest.mark.needs_server
def test_a_paused_queue_waits_and_says_why(mail):
    mail.send(1)
    mail.pause("the night shift")
    assert Processor(mail, {"default": lambda task: None}).run() == 0
    assert mail.stats().paused == "the night shift"
    mail.resume()
    assert Processor(mail, {"default": lambda task: None}).run() == 1


class Provider:
    """Something outside that is there or not."""

    def __init__(self) -> None:
        self.is_there, self.calls = False, 0

    def __call__(self, task) -> None:
        self.calls += 1
        if not self.is_there:
            raise ProviderUnavailable("401: the key is wrong")


def test_a_missing_provider_pauses_the_queue_once_and_spends_nothing(mail):
    """498 documents failed for good in 90 seconds elsewhere; here one job finds out and the others wait."""
    provider = Provider()
    mail.send_many(range(100), max_receive=1)
    Processor(mail, {"default": provider}, concurrency=1).run()
    stats = mail.stats()
    assert (provider.calls, stats.ready, stats.dead) == (1, 100, 0)
    assert stats.paused == "ProviderUnavailable: 401: the key is wrong"


@pytest.mark.needs_server
def test_a_tripped_queue_probes_at_growing_intervals_and_goes_on_by_itself(mail, clock):
    provider, intervals = Provider(), []
    mail.send_many(range(3), max_receive=1)
    processor = Processor(mail, {"default": provider}, concurrency=1)
    for _ in range(3):
        calls, start = provider.calls, clock.now
        while provider.calls == calls:
            processor.run()
            clock.tick(1_000)
        intervals.append(clock.now - start)
    assert intervals == [1_000, 10_000, 20_000]
    provider.is_there = True
    while not processor.run():
        clock.tick(1_000)
    assert mail.stats().paused is None
    assert mail.stats().done == 3


def test_what_was_paused_by_hand_is_not_resumed_by_a_breaker(mail, clock):
    mail.send_many(range(2))
    job = mail.receive()
    mail.pause("by hand")
    assert mail.delete(job) is True
    clock.tick(10**9)
    assert mail.receive() is None


def test_ten_late_jobs_of_one_tenant_are_not_behind_two_thousand_of_another(open_queue):
    """Start-time fair: the late ones are served in turn with the early ones."""
    mail = open_queue(fair=True)
    mail.send_many(range(2_000), tenant="early")
    for _ in range(5):
        mail.delete(mail.receive())
    mail.send_many(range(10), tenant="late")
    served = [job.tenant for job in mail.receive_many(25)]
    assert served.count("late") == 10


def test_a_fair_queue_keeps_each_tenants_own_order_and_priorities(open_queue):
    mail = open_queue(fair=True)
    sent = {tenant: [mail.send(n, tenant=tenant).id for n in range(3)] for tenant in ("a", "b")}
    urgent = mail.send("now", tenant="b", priority=1).id
    jobs = mail.receive_many(10)
    assert jobs[0].id == urgent
    for tenant in ("a", "b"):
        assert [job.id for job in jobs if job.tenant == tenant and job.id != urgent] == sent[tenant]


def test_a_retry_can_be_told_when(mail, clock):
    def handler(task):
        if task.job.received == 1:
            raise RetryJob("later", after_ms=5_000)

    mail.send(1)
    processor = Processor(mail, {"default": handler})
    assert processor.run() == 0
    clock.tick(4_999)
    assert processor.run() == 0
    clock.tick(1)
    assert processor.run() == 1


def test_a_handler_may_say_itself_that_it_was_cancelled(mail):
    def handler(task):
        raise JobCancelled("nobody wants it any more")

    mail.send(1)
    Processor(mail, {"default": handler}).run()
    assert mail.stats().discarded == 1
