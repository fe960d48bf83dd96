"""The wake-up latency between two processes through a server.

One process sends a job every few hundredths of a second; another waits in `receive(wait_ms=...)`. The latency is from
the call of `send`, including its commit, until the other process has committed the claim of the job.
"""

from __future__ import annotations

from benchmarks.child import Child
from benchmarks.plan import Plan, main
from benchmarks.postgres.server import Server
from benchmarks.queue.processor import WORKER
from benchmarks.queue.wake import PAUSE
from benchmarks.report import Bound, Report, Table, duration
from benchmarks.timing import percentile


def measure(plan: Plan) -> Report:
    jobs = plan.of(full=200, quick=10)
    latencies: list[float] = []
    with Server(plan.folder) as server, Child(WORKER) as sender, Child(WORKER) as waiter:
        url = server.url(server.new_database())
        for child in (sender, waiter):
            child.ask("start", file=url, durable=False)
        for _ in range(plan.of(full=3, quick=1)):
            waiter.begin("receive_slowly", number=jobs)
            sender.ask("send_slowly", number=jobs, pause=PAUSE)
            latencies += waiter.answer()["latencies"]
        version = server.version
    rows = [(f"latency, p{share}", duration(percentile(latencies, share / 100))) for share in (50, 99)]
    p50 = percentile(latencies, 0.5) / 1e6
    bound = Bound(promise="wake-up of another process through a server, p50", measured=p50, limit=5, unit="ms")
    table = Table(caption="Two processes on one server.", columns=("what", "measured"), rows=rows)
    return Report(tables=[table], bounds=[bound], conditions=(f"{len(latencies)} jobs", "not synced", version))


if __name__ == "__main__":
    main(measure, __doc__)
