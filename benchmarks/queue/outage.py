"""A day without the model, with a thousand workers: simulated, with the queue's own functions and a clock of its own.

Jobs arrive by chance for thirty hours. Each needs the model for some seconds. For a day in between every request fails
after five seconds. Workers also die at work and come back, freeze for longer than their lease and go on, and one
request in a hundred fails by chance. What is simulated is the time, the workers and the model; every send, claim,
acknowledgement and failure is a call of the queue on a file, as a worker makes it. An idle worker is woken when a job
is sent or due.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable
from math import exp

from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table
from benchmarks.timing import percentile
from jotsam.core.errors import ProviderUnavailable, RetryJob
from jotsam.core.job_records import Job, JobSpec
from jotsam.queueing.outcomes import outcome_of
from jotsam.storage import QUEUE, connect, queue

NAME = "enrich"
SECOND, HOUR = 1_000, 3_600_000
BEGINS = 1_700_000_000_000
FAILS_AFTER, POLL, LEASE, FROZEN, RESTART = 5 * SECOND, 2 * SECOND, 120 * SECOND, 600 * SECOND, 60 * SECOND
TYPICAL, SPREAD = 8 * SECOND, 0.6
"""How long a request takes: a logarithmic normal distribution."""

DIES, FREEZES, FAILS = 0.002, 0.0005, 0.01


class Simulation:
    """Events in the order of time: a worker that is done, a job that arrives, a look at what is due."""

    def __init__(self, path: str, *, workers: int, per_second: float, down: tuple[int, int], seed: int = 5) -> None:
        self.now = BEGINS
        self.database = connect(path, schemas=QUEUE, clock=lambda: self.now)
        self.down = (BEGINS + down[0], BEGINS + down[1])
        self.dice = random.Random(seed)
        self.idle = [f"worker {number}" for number in range(workers)]
        self.every_ms = SECOND / per_second
        self.events: list[tuple[int, int, Callable[[], None]]] = []
        self.ordered = 0
        self.sent, self.done = dict[int, int](), Counter[int]()
        self.finished = dict[int, int]()
        self.requests = Counter[str]()
        self.lost = Counter[str]()
        self.peak = 0

    def run(self, hours: float) -> None:
        """Send jobs for so long, and go on until all are done."""
        self.ends = BEGINS + int(hours * HOUR)
        self.at(0, self.arrive)
        self.at(POLL, self.look)
        while self.events:
            self.now, _, event = heapq.heappop(self.events)
            event()

    def at(self, delay: float, event: Callable[[], None]) -> None:
        self.ordered += 1
        heapq.heappush(self.events, (self.now + int(delay), self.ordered, event))

    def arrive(self) -> None:
        spec = JobSpec(queue=NAME, kind=NAME, tenant="t", payload=str(len(self.sent)), lease_ms=LEASE, max_receive=3)
        with self.database.transaction(durable=False) as tx:
            self.sent[queue.send(tx, spec).id] = self.now
        self.peak = max(self.peak, len(self.sent) - len(self.finished))
        self.wake_one()
        if self.now < self.ends:
            self.at(self.dice.expovariate(1 / self.every_ms), self.arrive)

    def look(self) -> None:
        """Leases that ended, jobs whose delay is over, the next try during an outage: a look each two seconds."""
        while self.wake_one():
            pass
        if self.now < self.ends or len(self.finished) < len(self.sent):
            self.at(POLL, self.look)

    def wake_one(self) -> bool:
        """Let an idle worker claim. Returns whether it found a job."""
        if not self.idle:
            return False
        with self.database.snapshot() as tx:
            if not (queue.is_ready(tx, (NAME,)) or queue.is_due(tx)):
                return False
        with self.database.transaction(durable=False) as tx:
            jobs = queue.receive(tx, queue=NAME, owner=self.idle[-1])
        if jobs:
            self.work(self.idle.pop(), jobs[0])
        return bool(jobs)

    def work(self, worker: str, job: Job) -> None:
        """What becomes of a delivery, and when."""
        chance = self.dice.random()
        if chance < DIES:
            self.lost["died"] += 1
            self.at(RESTART, lambda: self.idle.append(worker))
            return
        is_down = self.down[0] <= self.now < self.down[1]
        self.requests["while away" if is_down else "else"] += 1
        if is_down:
            self.at(FAILS_AFTER, lambda: self.fail(worker, job, ProviderUnavailable("connection refused")))
        elif chance < DIES + FAILS:
            self.at(SECOND, lambda: self.fail(worker, job, RetryJob("the model sent half an answer")))
        else:
            took = min(TYPICAL * self.dice.lognormvariate(0, SPREAD), LEASE - SECOND)
            if chance < DIES + FAILS + FREEZES:
                self.lost["froze"] += 1
                took = FROZEN
            self.at(took, lambda: self.acknowledge(worker, job))

    def acknowledge(self, worker: str, job: Job) -> None:
        with self.database.transaction(durable=False) as tx:
            if queue.delete(tx, job):
                self.done[job.id] += 1
                self.finished[job.id] = self.now
        self.go_on(worker)

    def fail(self, worker: str, job: Job, error: Exception) -> None:
        with self.database.transaction(durable=False) as tx:
            outcome_of(job, error)(tx)
        self.go_on(worker)

    def go_on(self, worker: str) -> None:
        self.idle.append(worker)
        self.wake_one()

    def totals(self) -> dict[str, int]:
        with self.database.snapshot() as tx:
            return queue.totals(tx, queue=NAME)


def measure(plan: Plan) -> Report:
    workers, per_second = plan.of(full=1_000, quick=20), 0.02 if plan.quick else 1.0
    simulation = Simulation(
        str(plan.folder / "outage.db"), workers=workers, per_second=per_second, down=(3 * HOUR, 27 * HOUR)
    )
    simulation.run(hours=30)
    back, sent = simulation.down[1], simulation.sent
    waited = {job: simulation.finished[job] - at for job, at in sent.items() if job in simulation.finished}
    backlog = [job for job, at in sent.items() if at < back and simulation.finished.get(job, 0) >= back]
    first = min(simulation.finished[job] for job in backlog) - back
    drained = max(simulation.finished[job] for job in backlog) - back
    usual = sorted(waited[job] for job, at in sent.items() if at < simulation.down[0] - HOUR)
    least = len(backlog) * TYPICAL * exp(SPREAD**2 / 2) / workers
    totals = simulation.totals()
    rows = [
        ("jobs sent", f"{len(sent):,}"),
        ("most that waited at once", f"{simulation.peak:,}"),
        ("requests to the model while it was away", f"{simulation.requests['while away']:,}"),
        ("workers that died at work, or froze for ten minutes", f"{simulation.lost.total():,}"),
        ("deliveries that failed by chance and were retried", f"{totals['retried']:,}"),
        ("from acceptance to done before the outage, half of the jobs", f"{percentile(usual, 0.5) / SECOND:,.0f} s"),
        ("the same, 99 %", f"{percentile(usual, 0.99) / SECOND:,.0f} s"),
        ("first job done after the model was back", f"{first / SECOND:,.0f} s"),
        ("everything of the outage done after", f"{drained / SECOND:,.0f} s"),
        ("what so many workers need for it if they never wait", f"{least / SECOND:,.0f} s"),
    ]
    bounds = [
        Bound(promise="jobs lost", measured=len(sent) - len(waited), limit=0, unit="jobs"),
        Bound(promise="jobs done twice", measured=sum(n > 1 for n in simulation.done.values()), limit=0, unit="jobs"),
        Bound(promise="dead letters", measured=totals["buried"], limit=0, unit="jobs"),
        Bound(
            promise="requests to the model in a day without it",
            measured=simulation.requests["while away"],
            limit=workers + 24 * 4 + 10,
            unit="requests",
        ),
        Bound(
            promise="draining after a day, against workers that never wait",
            measured=(drained - first) / max(least, 1),
            limit=1.5,
        ),
    ]
    simulation.database.close()
    table = Table(caption=f"{workers:,} workers, {per_second:g} jobs a second.", columns=("what", "figure"), rows=rows)
    return Report(tables=[table], bounds=bounds, conditions=("simulated time", "SQLite, not synced"))


if __name__ == "__main__":
    main(measure, __doc__)
