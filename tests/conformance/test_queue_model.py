"""The queue beside a model of it: hypothesis thinks up histories, and after every step the two must agree on each job.

The model is written from the rules in docs/queue.md and not from the code: a list of jobs, and no index, no SQL.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import hypothesis.strategies as st
import pytest
from hypothesis import seed, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from jotsam.core.job_records import Job, JobSpec
from jotsam.storage import connect, queue

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.needs_server

PARTS = 4
QUEUES, TENANTS = ("a", "b"), ("t", "u")
MOSTLY_FIRST = st.sampled_from([0, 0, 0, 0, 0, 1])  # Histories in which nobody meets nobody prove little.
LEASE, SECOND = 10_000, 1_000
ACTIVE = ("ready", "leased")


class Model:
    """The rules."""

    def __init__(self) -> None:
        self.jobs: dict[int, SimpleNamespace] = {}
        self.paused: set[str] = set()
        self.seen = 0
        self.keys: dict[tuple[str, str, str], int] = {}
        self.finished = SimpleNamespace(accepted=0, done=0, discarded=0)

    def lane_of(self, job: SimpleNamespace, states: tuple[str, ...]) -> list[SimpleNamespace]:
        """Those of the same lane in these states, oldest first; a job without a lane is alone."""
        same = [other for other in self.jobs.values() if other.lane is not None and other.where == job.where]
        return sorted((other for other in same if other.state in states), key=lambda other: other.id)

    def enter(self, job: SimpleNamespace) -> None:
        job.state, job.wake_at = "ready", None
        others = [other for other in self.lane_of(job, (*ACTIVE, "blocked")) if other is not job]
        held = any(other.state == "blocked" for other in others)
        if job.lane is not None and (held or any(not (other.parallel and job.parallel) for other in others)):
            job.state = "blocked"

    def left(self, job: SimpleNamespace) -> None:
        if job.lane is None or self.lane_of(job, ACTIVE):
            return
        for position, other in enumerate(self.lane_of(job, ("blocked",))):
            if position and not other.parallel:
                break
            other.state = "ready"
            if not other.parallel:
                break

    def end(self, job: SimpleNamespace, state: str, wake_at: int | None = None) -> None:
        job.state, job.wake_at = state, wake_at
        if state in ("waiting", "dead"):
            self.left(job)

    def wake(self, now: int) -> None:
        due = [job for job in self.jobs.values() if job.wake_at is not None and job.wake_at <= now]
        for job in sorted(due, key=lambda job: (job.wake_at, job.id)):
            if job.state == "waiting":
                self.enter(job)
                continue
            job.failures += 1
            self.end(job, "dead" if job.failures >= job.max_receive else "ready")

    def see(self, now: int) -> None:
        if now < self.seen - SECOND:
            for job in self.jobs.values():
                job.wake_at = None if job.wake_at is None else job.wake_at - (self.seen - now)
        if not self.seen <= now <= self.seen + SECOND:
            self.seen = now

    def receive(self, name: str, limit: int, now: int) -> list[int]:
        self.see(now)
        self.wake(now)
        ready = [job for job in self.jobs.values() if job.queue == name and job.state == "ready"]
        chosen = sorted(ready, key=lambda job: (-job.priority, job.id))[: 0 if name in self.paused else limit]
        for job in chosen:
            job.state, job.wake_at, job.received = "leased", now + job.lease_ms, job.received + 1
        return [job.id for job in chosen]

    def held(self, job_id: int, received: int) -> SimpleNamespace | None:
        job = self.jobs.get(job_id)
        return job if job and job.state == "leased" and job.received == received else None


class QueueBesideModel(RuleBasedStateMachine):
    def __init__(self, url: str) -> None:
        super().__init__()
        self.now = 1_000_000_000
        self.database = connect(url, schemas=("queue",), clock=lambda: self.now)
        self.model = Model()
        self.handles: list[Job] = []
        self.latest = 0
        self.watermarks = {name: queue.Watermark() for name in QUEUES}

    def teardown(self) -> None:
        self.database.close()

    @rule(
        name=MOSTLY_FIRST.map(QUEUES.__getitem__),
        tenant=MOSTLY_FIRST.map(TENANTS.__getitem__),
        lane=st.sampled_from([None, "x", "x", "x", "y"]),
        parallel=st.booleans(),
        priority=st.integers(-1, 1),
        delay_ms=st.sampled_from([0, 0, 0, 5 * SECOND]),
        max_receive=st.integers(1, 3),
        key=st.sampled_from([None, None, None, "k"]),
    )
    def send(self, **fields):
        self._send(**fields)

    @rule(lane=st.sampled_from("xy"), row=st.lists(st.booleans(), min_size=2, max_size=6))
    def send_a_row_into_a_lane(self, lane, row):
        """Barriers and batches one behind the other, which single sends build up too rarely."""
        for parallel in row:
            self._send(QUEUES[0], TENANTS[0], lane, parallel, 0, 0, 2, None)

    @rule(
        name=MOSTLY_FIRST.map(QUEUES.__getitem__),
        lane=st.sampled_from([None, None, None, "x"]),
        rows=st.lists(
            st.tuples(
                MOSTLY_FIRST.map(TENANTS.__getitem__),
                st.integers(-1, 1),
                st.sampled_from([0, 0, 5 * SECOND]),
                st.sampled_from([None, None, "k", "l"]),
            ),
            max_size=5,
        ),
    )
    def send_many(self, name, lane, rows):
        """In one call, as a set if none has a lane; some have the key of another."""
        specs, payloads, keys, number = [], [], {*self.model.keys}, self.latest
        for tenant, priority, delay_ms, key in rows:
            specs.append(self._spec(name, tenant, lane, True, priority, delay_ms, 2, key))
            is_new = key is None or (name, tenant, key) not in keys
            keys.add((name, tenant, key))
            number += is_new
            payloads.append(f'"{number}"')
        with self.database.transaction(durable=False) as tx:
            sent = queue.send_many(tx, specs, payloads)
        for spec, one in zip(specs, sent, strict=True):
            self._sent(spec, one)

    def _send(self, *places, **fields):
        spec = self._spec(*places, **fields).replace(payload=f'"{self.latest + 1}"')
        with self.database.transaction(durable=False) as tx:
            sent = queue.send(tx, spec)
        self._sent(spec, sent)

    def _spec(self, name, tenant, lane, parallel, priority, delay_ms, max_receive, key):
        return JobSpec(
            queue=name,
            kind="k",
            tenant=tenant,
            lane=lane,
            parallel=parallel,
            priority=priority,
            delay_ms=delay_ms,
            max_receive=max_receive,
            lease_ms=LEASE,
            key=key,
        )

    def _sent(self, spec, sent):
        name, tenant, lane, key = spec.queue, spec.tenant, spec.lane, spec.key
        first = self.model.keys.get((name, tenant, key)) if key else None
        assert sent.duplicate == (first is not None)
        if first is not None:
            assert sent.id == first
            return
        assert sent.id > self.latest, "an id was used again"
        self.latest = sent.id
        fields = {f: getattr(spec, f) for f in ("queue", "lane", "parallel", "priority", "max_receive", "lease_ms")}
        job = SimpleNamespace(id=sent.id, received=0, failures=0, where=(name, tenant, lane), state="new", **fields)
        self.model.jobs[sent.id] = job
        self.model.finished.accepted += 1
        job.wake_at = None
        if spec.delay_ms:
            self.model.see(self.now)
            job.state, job.wake_at = "waiting", self.now + spec.delay_ms
        else:
            self.model.enter(job)
        if key:
            self.model.keys[name, tenant, key] = sent.id

    @rule(name=MOSTLY_FIRST.map(QUEUES.__getitem__), limit=st.integers(1, 4), remembers=st.booleans())
    def receive(self, name, limit, remembers):
        """By one of two receivers, of whom one remembers how far it has come."""
        watermark = self.watermarks[name] if remembers else None
        with self.database.transaction(durable=False) as tx:
            jobs = queue.receive(tx, queue=name, owner="me", limit=limit, watermark=watermark)
        assert [job.id for job in jobs] == self.model.receive(name, limit, self.now)
        assert [job.payload for job in jobs] == [f'"{job.id}"' for job in jobs]
        self.handles += jobs

    @precondition(lambda self: self.handles)
    @rule(data=st.data(), verb=st.sampled_from(["delete", "retry", "give back", "bury", "extend"]))
    def settle(self, data, verb):
        """With one of the latest handles given out, of which many are stale."""
        self._settle_one(verb, data.draw(st.sampled_from(self.handles[-6:])))

    @precondition(lambda self: self.outpaced())
    @rule(data=st.data(), verb=st.sampled_from(["delete", "retry", "give back", "bury", "extend"]))
    def settle_what_somebody_else_holds_now(self, data, verb):
        """The zombie: its job is leased, but not to it."""
        self._settle_one(verb, data.draw(st.sampled_from(self.outpaced())))

    @precondition(lambda self: self.handles)
    @rule(data=st.data(), number=st.integers(2, 5))
    def acknowledge_many(self, data, number):
        """With some of the latest handles given out, one of them perhaps twice."""
        chosen = data.draw(st.lists(st.sampled_from(self.handles[-6:]), min_size=2, max_size=number))
        held = {job.id: held for job in chosen if (held := self.model.held(job.id, job.received))}
        with self.database.transaction(durable=False) as tx:
            assert queue.delete_many(tx, chosen) == {(job.id, job.received) for job in held.values()}
        for id in held:
            del self.model.jobs[id]
        for job in held.values():
            self.model.finished.done += 1
            self.model.left(job)

    def outpaced(self) -> list[Job]:
        holders = {job.id: job.received for job in self.model.jobs.values() if job.state == "leased"}
        return [handle for handle in self.handles if holders.get(handle.id, handle.received) != handle.received]

    def _settle_one(self, verb, job):
        held = self.model.held(job.id, job.received)
        if verb == "extend" or (verb == "retry" and held and held.failures + 1 < held.max_receive):
            self.model.see(self.now)
        with self.database.transaction(durable=False) as tx:
            happened = self._settle(tx, verb, job)
        assert happened == (held is not None)
        if held:
            self._settle_model(verb, held)

    def _settle(self, tx, verb, job):
        if verb == "delete":
            return queue.delete(tx, job)
        if verb == "bury":
            return queue.bury(tx, job, error="x")
        if verb == "extend":
            return queue.extend(tx, job, lease_ms=2 * LEASE)
        spend = verb == "retry"
        return queue.release(tx, job, error="x", delay_ms=3 * SECOND if spend else 0, spend=spend) is not None

    def _settle_model(self, verb, job):
        if verb == "delete":
            del self.model.jobs[job.id]
            self.model.finished.done += 1
            self.model.left(job)
        elif verb == "extend":
            job.wake_at = self.now + 2 * LEASE
        elif verb == "give back":
            job.state, job.wake_at = "ready", None
        else:
            job.failures += 1
            is_dead = verb == "bury" or job.failures >= job.max_receive
            self.model.end(job, "dead" if is_dead else "waiting", None if is_dead else self.now + 3 * SECOND)

    @precondition(lambda self: self.model.jobs)
    @rule(data=st.data(), verb=st.sampled_from([queue.redrive, queue.discard]))
    def by_hand(self, data, verb):
        job = self.model.jobs[data.draw(st.sampled_from(sorted(self.model.jobs)))]
        allowed = job.state == "dead" if verb is queue.redrive else job.state != "leased"
        with self.database.transaction(durable=False) as tx:
            assert verb(tx, job.id) == allowed
        if allowed and verb is queue.redrive:
            job.failures = 0
            self.model.enter(job)
        elif allowed:
            del self.model.jobs[job.id]
            self.model.finished.discarded += 1
            self.model.left(job)

    @rule(name=st.sampled_from(QUEUES), paused=st.sampled_from([True, False, False]))
    def pause(self, name, paused):
        with self.database.transaction(durable=False) as tx:
            queue.pause(tx, name, reason="x") if paused else queue.resume(tx, name)
        (self.model.paused.add if paused else self.model.paused.discard)(name)

    @rule(by=st.sampled_from([1, 3 * SECOND, LEASE, LEASE, 10 * LEASE]))
    def tick(self, by):
        self.now += by

    @rule(by=st.sampled_from([1, 500, 3_600_000]))
    def the_clock_goes_back(self, by):
        self.now -= by

    @invariant()
    def they_agree_on_every_job(self):
        with self.database.snapshot() as tx:
            found = {job.id: job for job in queue.jobs(tx, limit=10_000)}
        assert found.keys() == self.model.jobs.keys()
        for job in self.model.jobs.values():
            same = ("state", "wake_at", "received", "failures")
            assert [getattr(found[job.id], f) for f in same] == [getattr(job, f) for f in same]

    @invariant()
    def every_ended_delivery_left_a_row(self):
        with self.database.snapshot() as tx:
            attempts = {job_id: len(queue.attempts(tx, job_id)) for job_id in self.model.jobs}
        ended = {job.id: job.received - (job.state == "leased") for job in self.model.jobs.values()}
        assert attempts == ended

    @invariant()
    def nothing_is_left_of_what_is_gone(self):
        with self.database.snapshot() as tx:
            kept = tx.execute("select job_id from queue_payload")
        assert {row["job_id"] for row in kept} <= self.model.jobs.keys()

    @invariant()
    def a_barrier_is_alone_in_its_lane(self):
        for job in self.model.jobs.values():
            if job.lane is not None and not job.parallel and job.state in ACTIVE:
                assert self.model.lane_of(job, ACTIVE) == [job]

    @invariant()
    def every_accepted_job_is_accounted_for(self):
        counted = self.model.finished
        with self.database.snapshot() as tx:
            totals = queue.totals(tx)
            depths = [queue.depth(tx, queues=QUEUES, tenant=tenant) for tenant in TENANTS]
        assert (totals["accepted"], totals["done"]) == (counted.accepted, counted.done)
        left = sum(depth.live + depth.dead for depth in depths)
        assert totals["accepted"] == totals["done"] + totals["discarded"] + left


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))])
def test_the_queue_does_what_its_model_does(part: int, new_url: Callable[[], str], histories: int) -> None:
    """In parts, each with histories of its own: all in one test take longer than a busy machine gives to a test."""

    def beside() -> QueueBesideModel:
        return QueueBesideModel(new_url())

    thorough = settings(max_examples=histories // PARTS, stateful_step_count=80, deadline=None)
    chosen = seed(part)(beside) if thorough.derandomize else beside
    run_state_machine_as_test(chosen, settings=thorough)
