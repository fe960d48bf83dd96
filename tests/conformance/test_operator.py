"""The operator's view of the jobs of memory: lists, what is stuck, what fails alike, and changing many at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jotsam import InvalidInput, Jotsam, NotFound
from jotsam.core.job_records import Job, JobSpec
from jotsam.core.names import EVERY_QUEUE
from jotsam.memory.jobs.jobs import PAGE, SLICE
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.storage import queue
from jotsam.storage.queue.inspect_jobs import OVERDUE_MS, STUCK_MS

Send = Callable[..., int]


@pytest.fixture
def send(jot: Jotsam) -> Send:
    """Sends a job, and on request has it received and buried or failed with an error."""

    def send(*, error: str | None = None, fails: str | None = None, name: str = "enrich", **fields: object) -> int:
        with jot.database.transaction() as tx:
            id = queue.send(tx, JobSpec(queue=name, kind=name, payload='"x"', **fields)).id
            if error is None and fails is None:
                return id
            job = next(job for job in queue.receive(tx, queue=name, owner="me", limit=10_000) if job.id == id)
            if error is not None:
                queue.bury(tx, job, error=error)
            else:
                queue.release(tx, job, error=fails, delay_ms=1_000)
        return id

    return send


@pytest.fixture
def receive(jot: Jotsam) -> Callable[[], Job]:
    def receive() -> Job:
        with jot.database.transaction() as tx:
            (job,) = queue.receive(tx, queue="enrich", owner="me")
        return job

    return receive


def why(jot: Jotsam) -> list[tuple[int, str, int]]:
    return [(one.job.id, one.why, one.since_ms) for one in jot.admin.stuck()]


def test_jobs_are_found_by_a_part_of_their_error(jot, send):
    timeout, refused, _ = send(error="LLM timeout after 30 s"), send(error="100 % refused_"), send()
    assert [job.id for job in jot.admin.jobs(error="timeout")] == [timeout]
    assert [job.id for job in jot.admin.jobs(error="% refused_")] == [refused]
    assert jot.admin.jobs(error="TIMEOUT") == []
    assert len(jot.admin.jobs(error="")) == 3


def test_jobs_are_found_by_their_age(jot, send, clock):
    old = send()
    clock.tick(1_000)
    young = send()
    assert [job.id for job in jot.admin.jobs(older_ms=1_000)] == [old]
    assert [job.id for job in jot.admin.jobs(older_ms=0)] == [old, young]
    assert jot.admin.jobs(older_ms=1_001) == []


def test_a_page_follows_the_other_across_queues_and_leaves_out_other_queues(jot, send):
    ids = [send(name=EVERY_QUEUE[number % 3]) for number in range(7)]
    send(name="mail")
    first = jot.admin.jobs(limit=3)
    second = jot.admin.jobs(limit=10, after=first[-1].id)
    assert [job.id for job in (*first, *second)] == ids


def test_a_tenant_sees_its_own_jobs_unless_all_are_asked_for(jot, send):
    mine, theirs = send(error="x 1"), send(error="x 2", tenant="other")
    assert [job.id for job in jot.admin.jobs()] == [mine]
    assert [job.tenant for job in jot.admin.jobs(all_tenants=True)] == ["default", "other"]
    assert [group.jobs for group in jot.admin.failure_groups()] == [1]
    assert [group.jobs for group in jot.admin.failure_groups(all_tenants=True)] == [2]
    assert [job.id for job in jot.admin.dead()] == [mine]
    with pytest.raises(NotFound):
        jot.admin.retry(theirs)


def test_a_lease_that_ended_with_nobody_to_notice_is_stuck(jot, send, receive, clock):
    job_id = send(lease_ms=1_000)
    receive()
    clock.tick(999)
    assert why(jot) == []
    clock.tick(3)
    assert why(jot) == [(job_id, "expired", 2)]


def test_a_job_whose_lease_is_prolonged_again_and_again_is_stuck(jot, send, receive, clock):
    """A handler that hangs while the heart of its worker beats is found by no lease."""
    job_id = send(lease_ms=1_000)
    job = receive()
    for waited in (STUCK_MS, 999, 1):
        assert why(jot) == []
        clock.tick(waited)
        with jot.database.transaction() as tx:
            assert queue.extend(tx, job, lease_ms=1_000)
    assert why(jot) == [(job_id, "held", STUCK_MS + 1_000)]


def test_a_delay_that_is_long_over_is_stuck(jot, send, clock):
    job_id = send(delay_ms=5_000)
    clock.tick(5_000 + OVERDUE_MS - 1)
    assert why(jot) == []
    clock.tick(1)
    assert why(jot) == [(job_id, "overdue", OVERDUE_MS)]


def test_what_nobody_takes_is_stuck_unless_its_queue_is_paused(jot, send, clock):
    first, second = send(), send(name="ingest")
    clock.tick(STUCK_MS - 1)
    assert why(jot) == []
    clock.tick(1)
    assert why(jot) == [(first, "unclaimed", STUCK_MS), (second, "unclaimed", STUCK_MS)]
    jot.admin.pause("enrich", reason="lunch")
    assert why(jot) == [(second, "unclaimed", STUCK_MS)]


def test_what_came_back_from_a_failure_is_ready_since_then(jot, send, receive, clock):
    job_id = send()
    clock.tick(STUCK_MS)
    with jot.database.transaction() as tx:
        (job,) = queue.receive(tx, queue="enrich", owner="me")
        queue.release(tx, job, error="not yet")
    assert why(jot) == []
    clock.tick(STUCK_MS)
    assert why(jot) == [(job_id, "unclaimed", STUCK_MS)]


def test_the_dead_are_not_stuck_and_the_stuck_come_in_pages_oldest_first(jot, send, clock):
    send(error="x")
    ids = [send(name=EVERY_QUEUE[number % 3]) for number in range(4)]
    clock.tick(STUCK_MS)
    assert [one.job.id for one in jot.admin.stuck(limit=2)] == ids[:2]
    assert [one.job.id for one in jot.admin.stuck(after=ids[1])] == ids[2:]
    assert [one.job.id for one in jot.admin.stuck(kind="ingest")] == [id for n, id in enumerate(ids) if n % 3 == 1]


def test_failures_of_the_same_cause_are_one_group(jot, send, clock):
    send(error="timeout after 30 s")
    clock.tick(10)
    latest = send(fails="timeout after 7 s", name="ingest")
    lone = send(error="no such model 'gpt'")
    send()
    first, second = jot.admin.failure_groups()
    assert (first.error, first.jobs, first.dead, first.example) == ("timeout after <n> s", 2, 1, latest)
    assert (second.error, second.jobs, second.dead, second.example) == ("no such model <text>", 1, 1, lone)
    assert first.newest == second.newest == clock.now
    assert [group.error for group in jot.admin.failure_groups(kind="ingest")] == ["timeout after <n> s"]


def test_dead_jobs_are_chosen_by_error_by_group_and_by_kind_over_many_pages(jot, send):
    with jot.database.transaction() as tx:
        ids = [queue.send(tx, JobSpec(queue="enrich", kind="enrich")).id for _ in range(PAGE + 2)]
        for job in queue.receive(tx, queue="enrich", owner="me", limit=10_000):
            queue.bury(tx, job, error=f"timeout after {job.id} s")
    other = send(error="refused", name="ingest")
    (key, *_) = [group.key for group in jot.admin.failure_groups()]
    everything = jot.admin.dead(limit=1_000)
    assert [job.id for job in everything] == [*ids, other]
    assert [job.id for job in jot.admin.dead(group=key, limit=1_000)] == ids
    assert [job.id for job in jot.admin.dead(group=key, limit=2)] == ids[:2]
    assert [job.id for job in jot.admin.dead(group=key, after=ids[-3])] == ids[-2:]
    assert jot.admin.dead(error="refused") == jot.admin.dead(kind="ingest") == everything[-1:]
    assert jot.admin.dead(group="nothing") == []


@pytest.mark.parametrize("verb", ["retry", "discard"])
def test_a_dry_run_says_what_would_happen_and_changes_nothing(jot, send, verb):
    dead = [send(error="x") for _ in range(SLICE + 1)]
    before = jot.admin.jobs(limit=1_000)
    change_many = {"retry": jot.admin.retry_many, "discard": jot.admin.discard_many}[verb]
    would = change_many([*dead, 999_999], dry_run=True)
    assert [one.id for one in would if one.error is None] == dead
    assert "no job 999999" in str(would[-1].error)
    assert jot.admin.jobs(limit=1_000) == before
    done = change_many([*dead, 999_999])
    assert [(one.id, str(one.error)) for one in done] == [(one.id, str(one.error)) for one in would]
    assert jot.admin.jobs(state="dead") == []


def test_retrying_spends_no_memory_of_the_past(jot, send):
    """GK-4: the failures begin at 0 again, the place in the queue is the old one, every try is kept."""
    first, second = send(error="x"), send(error="y")
    third = send()
    assert [one.error for one in jot.admin.retry_many([first, second])] == [None, None]
    with jot.database.transaction() as tx:
        jobs = queue.receive(tx, queue="enrich", owner="me", limit=10)
        assert [(job.id, job.failures) for job in jobs] == [(first, 0), (second, 0), (third, 0)]
        assert [row["error"] for row in queue.attempts(tx, first)] == ["x"]


def test_what_cannot_be_changed_says_why(jot, send, receive):
    held = send()
    receive()
    with pytest.raises(InvalidInput, match="is leased: only dead and waiting jobs"):
        jot.admin.retry(held)
    with pytest.raises(InvalidInput, match="is running"):
        jot.admin.discard(held)


def test_a_paused_queue_is_told_with_its_reason_and_its_next_probe(jot, send, clock):
    jot.admin.pause("ingest", reason=" lunch \n")
    with jot.database.transaction() as tx:
        queue.open_breaker(tx, "enrich", reason="no route to host")
        queue.pause(tx, "mail", reason="not ours")
    clock.tick(4_000)
    told = [(one.queue, one.reason, one.probe_ms) for one in jot.status().paused]
    assert told == [("enrich", "no route to host", 6_000), ("ingest", "lunch", None)]
    assert (jot.admin.resume("enrich"), jot.admin.resume("ingest"), jot.admin.resume("ingest")) == (True, True, False)
    assert jot.status().paused == ()
    jot.admin.pause("ingest")
    assert jot.status().paused[0].reason == "paused by hand"
    with pytest.raises(InvalidInput, match="no queue 'mail'"):
        jot.admin.pause("mail")
    with pytest.raises(InvalidInput, match="no queue 'mail'"):
        jot.admin.resume("mail")


def test_the_pace_is_that_of_the_last_hour_and_of_this_tenant(jot, clock):
    def done(name: str, took: int, tenant: str = "default") -> None:
        with jot.database.transaction() as tx:
            queue.send(tx, JobSpec(queue=name, kind=name, tenant=tenant))
            (job,) = queue.receive(tx, queue=name, owner="me")
        clock.tick(took)
        with jot.database.transaction() as tx:
            queue.delete(tx, job)

    assert (jot.status().p50_ms, jot.status().done_last_hour) == (None, 0)
    done("enrich", 9_000)
    clock.tick(3_600_000)
    for took in (10, 20, 30):
        done("ingest", took)
    done("mail", 1)
    done("enrich", 2, tenant="other")
    status = jot.status()
    assert (status.done_last_hour, status.p50_ms, status.p95_ms, status.done) == (3, 30, 9_000, 4)


def test_each_stage_tells_how_long_it_takes_and_how_it_ends(jot, clock):
    """Success, degraded and failed, of ingest, enrich and embed; of this tenant alone, and of no other queue."""

    def tried(name: str, took: int, tenant: str = "default", fails: bool = False) -> None:
        with jot.database.transaction() as tx:
            queue.send(tx, JobSpec(queue=name, kind=name, tenant=tenant, max_receive=1))
            (job,) = queue.receive(tx, queue=name, owner="me")
        clock.tick(took)
        with jot.database.transaction() as tx:
            queue.release(tx, job, error="no") if fails else queue.delete(tx, job)

    unknown = (0, 0, 0, None, None)
    assert of_stages(jot) == dict.fromkeys(("ingest", "enrich", "model", "embed"), unknown)
    for took in range(100, 2_100, 100):
        tried("enrich", took)
    tried("ingest", 7)
    tried("enrich", 60_000, fails=True)
    tried("enrich", 60_000, tenant="other")
    tried("command", 60_000)
    tried("embed", 5, fails=True)
    assert of_stages(jot) == {
        "ingest": (1, 0, 0, 7, 7),
        "enrich": (20, 0, 1, 1_100, 2_000),
        "model": unknown,
        "embed": (0, 0, 1, None, None),
    }


def test_what_a_stage_could_not_do_in_full_is_counted_as_degraded(jot):
    with FakeEndpoint() as model:
        url = {"llm_url": model.url, "embed_url": model.url, "concurrency": 1}
        jot.settings = jot.settings.replace(**url, llm_model="fail-400", embed_model="fail-400")
        jot.remember("We decided to use Redis.")
        jot.work()
    assert of_stages(jot).keys() == {"ingest", "enrich", "model", "embed"}
    assert (of_stages(jot)["enrich"][:3], of_stages(jot)["embed"][:3]) == ((1, 1, 0), (1, 1, 0))


def of_stages(jot):
    return {
        one.name: (one.done, one.degraded, one.failed_attempts, one.p50_ms, one.p95_ms) for one in jot.status().stages
    }


def test_a_worker_that_leaves_at_once_forgets_old_history_however_far_it_is_spread(jot):
    with jot.database.transaction() as tx:
        for job in (1_000, 400_000, 900_000):
            tx.execute(
                "insert into queue_attempt (job_id, received, queue, tenant, kind, started_at, ended_at, outcome)"
                " values (:job, 1, 'enrich', 'default', 'enrich', 0, 1, 'done')",
                {"job": job},
            )
    jot.work()
    with jot.database.snapshot() as tx:
        assert tx.execute("select job_id from queue_attempt") == []
