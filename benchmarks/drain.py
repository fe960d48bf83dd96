"""How fast a worker turns documents into memories with rules only, and how much memory it needs.

All documents are accepted first, without a worker. Then `jotsam jobs work` runs as a process of its own until the queue
is empty, and is timed from start to end. Memory is the peak of that process, or of the second one that extracts for it,
if that needs more. There is nothing to compare with, so these figures depend on the machine more than the others.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import jotsam
from benchmarks.child import environment
from benchmarks.corpus import accepted, shape
from benchmarks.plan import Plan, main
from benchmarks.processes import JOTSAM
from benchmarks.report import Bound, Report, Table, number
from benchmarks.timing import middle, take_turns

LIMIT_MIB = 60
KIB = 1 if sys.platform == "darwin" else 1024  # The unit in which the system tells the peak, in bytes.


def measure(plan: Plan) -> Report:
    names = (plan.folder / f"drain-{number}.db" for number in range(1_000))
    results = take_turns({"drain": names}, plan.of(full=5, quick=1), lambda left: _drain(plan.documents, left))["drain"]
    seconds = [took / 1e9 for took, *_ in results]
    documents = middle(count / took for took, (_, count, _, _) in zip(seconds, results, strict=True))
    memories = middle(made / took for took, (_, _, made, _) in zip(seconds, results, strict=True))
    peak = max(peak for *_, peak in results) / (1 << 20)
    rows = [
        ("documents", f"{number(documents)} per second"),
        ("memories", f"{number(memories)} per second"),
        ("peak of the worker's memory", f"{number(peak)} MiB"),
    ]
    bounds = [Bound(promise="peak of the worker's memory", measured=peak, limit=LIMIT_MIB, unit="MiB")]
    table = Table(caption="`jotsam jobs work`, rules only.", columns=("what", "median of rounds"), rows=rows)
    return Report(tables=[table], bounds=bounds, conditions=(shape(plan.documents), f"{results[0][2]} memories"))


# The system counts what a process had before it became another program. So a small process starts the worker: the peak
# of this one would be taken for that of the worker.
STARTED = """
import os, sys
from time import perf_counter_ns
quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
began = perf_counter_ns()
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
_, status, usage = os.wait4(pid, 0)
print(perf_counter_ns() - began, usage.ru_maxrss, status)
"""


def _drain(documents: Path, names: Iterator[Path]) -> tuple[int, int, int, int]:
    """Nanoseconds, documents, memories, and the peak of the memory in bytes."""
    database = next(names)
    count = accepted(documents, database)
    command = [sys.executable, "-S", "-c", STARTED, JOTSAM, "work", "--db", str(database)]
    done = subprocess.run(
        command, env=environment(JOTSAM_WORKER_IDLE_MS="0"), capture_output=True, text=True, check=True
    )
    took, peak, status = map(int, done.stdout.split())
    if status:
        raise RuntimeError(f"jotsam work ended with {os.waitstatus_to_exitcode(status)}")
    with jotsam.Jotsam(str(database), worker="off") as jot:
        memories = jot.status().memories
    return took, count, memories, peak * KIB


if __name__ == "__main__":
    main(measure, __doc__)
