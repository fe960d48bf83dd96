"""How close the worker comes to the ideal with a model of one second's latency, at 1, 8 and 32 requests at once.

The model is the fake endpoint in its own process: every answer takes its latency, however many requests there are.
Each concurrency gets forty memories per slot, so the ideal is forty latencies. The time is that of the whole
`Jotsam.work`: lease, claims, reservations, cached answers, results and acknowledgements. The worker begins with one
request at a time and doubles the number, which takes up to five latencies more, of forty at 32.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter_ns

import jotsam
from benchmarks.child import environment
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, number
from jotsam.core.settings import Settings

ROUNDS = 40
JOBS = 2  # of a memory: by the rules, and by the model
FEWEST_PERCENT = 80


def measure(plan: Plan) -> Report:
    latency_ms = plan.of(full=1_000, quick=50)
    rows = []
    slowest = 100.0
    with _model(latency_ms) as url:
        for concurrency in (1, 4) if plan.quick else (1, 8, 32):
            seconds, done = _drain(plan.folder / f"drain-{concurrency}.db", url, concurrency)
            ideal = done / concurrency * latency_ms / 1_000
            share = 100 * ideal / seconds
            slowest = min(slowest, share)
            rows.append((str(concurrency), number(done / seconds), number(done / ideal), f"{share:.1f} %"))
    columns = ("concurrency", "memories per second", "ideal", "share of the ideal")
    table = Table(caption=f"A model that takes {latency_ms} ms for each answer.", columns=columns, rows=rows)
    bound = Bound(
        promise="enriching with a model, of the ideal", measured=slowest, limit=FEWEST_PERCENT, unit="%", at_least=True
    )
    return Report(tables=[table], bounds=[bound], conditions=(f"{ROUNDS} memories per place, one request each",))


def _drain(database: Path, url: str, concurrency: int) -> tuple[float, int]:
    """Seconds, and how many memories were read."""
    settings = Settings(
        db=str(database),
        worker="off",
        worker_idle_ms=0,
        concurrency=concurrency,
        llm_url=url,
        llm_model="m",
        llm_daily_tokens=0,
    )
    with jotsam.Jotsam(settings=settings) as jot:
        memories = ROUNDS * concurrency
        for count in range(memories):
            jot.remember(f"Service{count} uses Redis{count}, and Ana prefers Kafka{count}.")
        began = perf_counter_ns()
        done = jot.work()
        seconds = (perf_counter_ns() - began) / 1e9
        if done != JOBS * memories or jot.status().degraded:
            raise RuntimeError(f"{done} jobs of {memories} memories were done, {jot.status().degraded} degraded")
    return seconds, memories


@contextmanager
def _model(latency_ms: int) -> Iterator[str]:
    command = [sys.executable, "-m", "jotsam.models.fake_endpoint", "--latency-ms", str(latency_ms)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment())
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


if __name__ == "__main__":
    main(measure, __doc__)
