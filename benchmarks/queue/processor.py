"""The throughput of one `jotsam.Processor`.

With an empty handler, to measure the queue itself: one process, four threads, every job claimed under a lease and
acknowledged in a commit of its own with history and counters. And with handlers that only wait, as those do that call
a model: eight at once, against the ideal of no other cost. The time is that of the whole `run`, including starting and
stopping the threads.
"""

from __future__ import annotations

from benchmarks.child import Child
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, take_turns

WORKER = "benchmarks.queue.worker"
WAIT = 0.1
CONCURRENCY = 8


def measure(plan: Plan) -> Report:
    jobs, waiting = plan.of(full=5_000, quick=200), plan.of(full=400, quick=16)
    with Child(WORKER) as child:
        child.ask("start", file=str(plan.folder / "processor"), durable=False)

        def drain(durable: bool) -> float:
            return jobs / child.ask("process", jobs=jobs, concurrency=4, wait=0, durable=durable) * 1e9

        rates = take_turns({"no sync": False, "synced": True}, plan.of(full=7, quick=1), drain)

        def wait(concurrency: int) -> float:
            ideal = waiting / concurrency * WAIT * 1e9
            return 100 * ideal / child.ask("process", jobs=waiting, concurrency=concurrency, wait=WAIT, durable=True)

        shares = take_turns({"eight": CONCURRENCY}, plan.of(full=3, quick=1), wait)["eight"]
    unsynced, synced, share = middle(rates["no sync"]), middle(rates["synced"]), middle(shares)
    rows = [
        ("empty handler, `durable=False`", f"{number(unsynced)} jobs/s"),
        ("empty handler, every job synced", f"{number(synced)} jobs/s"),
        (f"{CONCURRENCY} handlers that wait {duration(WAIT * 1e9)}", f"{number(share)} % of the ideal"),
    ]
    rate = {"limit": 3_000, "unit": "jobs/s", "at_least": True}
    bounds = [
        Bound(promise="empty handler, `durable=False`", measured=unsynced, **rate),
        Bound(promise="empty handler, every job synced", measured=synced, **rate),
        Bound(promise="share of the ideal with waiting handlers", measured=share, limit=95, unit="%", at_least=True),
    ]
    table = Table(caption="One process.", columns=("what", "median of rounds"), rows=rows)
    return Report(tables=[table], bounds=bounds, conditions=("payload 200 bytes", f"{jobs:,} jobs in a round"))


if __name__ == "__main__":
    main(measure, __doc__)
