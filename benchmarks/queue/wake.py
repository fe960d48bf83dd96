"""The wake-up latency between two processes, and the cost of waiting.

One process sends a job every few hundredths of a second; another waits in `receive(wait_ms=...)`. The latency is from
the call of `send`, including its commit, until the other process has claimed the job. The share of a core is the
processor time of the waiting process divided by the elapsed time, with waking, claiming and acknowledging. Idle means
that no job arrives.
"""

from __future__ import annotations

from benchmarks.child import Child
from benchmarks.plan import Plan, main
from benchmarks.queue.processor import WORKER
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, percentile

PAUSE = 0.035


def measure(plan: Plan) -> Report:
    jobs, seconds = plan.of(full=200, quick=10), plan.of(full=10, quick=1)
    latencies: list[float] = []
    shares = []
    with Child(WORKER) as sender, Child(WORKER) as waiter:
        for child in (sender, waiter):
            child.ask("start", file=str(plan.folder / "wake"), durable=False)
        for _ in range(plan.of(full=3, quick=1)):
            waiter.begin("receive_slowly", number=jobs)
            sender.ask("send_slowly", number=jobs, pause=PAUSE)
            answer = waiter.answer()
            latencies += answer["latencies"]
            shares.append(100 * answer["share"])
        idle = 100 * waiter.ask("idle", seconds=seconds)
        processor = 100 * waiter.ask("idle_processor", seconds=seconds)
    p50, p99, share = percentile(latencies, 0.5), percentile(latencies, 0.99), middle(shares)
    rows = [
        ("latency, p50", duration(p50)),
        ("latency, p99", duration(p99)),
        (f"receiving {number(1 / PAUSE)} jobs/s", f"{number(share)} % of a core"),
        ("`receive` with nothing to do", f"{number(idle)} % of a core"),
        ("`Processor` with nothing to do", f"{number(processor)} % of a core"),
    ]
    bounds = [
        Bound(promise="wake-up of another process, p50", measured=p50 / 1e6, limit=5, unit="ms"),
        Bound(promise="waiting with occasional jobs", measured=share, limit=1, unit="% of a core"),
        Bound(promise="waiting idle", measured=max(idle, processor), limit=1, unit="% of a core"),
    ]
    conditions = (f"{len(latencies)} jobs", "no sync of the disk")
    table = Table(caption="Two processes on one file.", columns=("what", "measured"), rows=rows)
    return Report(tables=[table], bounds=bounds, conditions=conditions)


if __name__ == "__main__":
    main(measure, __doc__)
