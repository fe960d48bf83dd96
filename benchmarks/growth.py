"""What grows with the number of memories: steps of the lifecycle, export, doctor, maintenance, and a page of a list.

The memories are those of `recall.latency`. Each figure is the processor time of one call in a process that has done
nothing else with its file; a step of the lifecycle is asked for and done by a worker in this process, with all of its
changes. The exponent is that of the power of the number of memories that the time grows with, between the smallest and
the largest size: 1 is in proportion, 2 is the square. The time of a page of a list must not grow at all.
"""

from __future__ import annotations

import math

import jotsam
from benchmarks.child import Child
from benchmarks.growth_worker import PAGE
from benchmarks.plan import Plan, main
from benchmarks.recall.latency import fill
from benchmarks.report import Bound, Report, Table, duration, number

SIZES = (10_000, 30_000, 100_000)
MOST = 1.2  # the exponent
PAGE_MOST = 0.2
STEPS = ("cluster", "identity", "crystals", "decay")
OTHERS = (PAGE, "export", "doctor", "maintain")
WORKER = "benchmarks.growth_worker"


def measure(plan: Plan) -> Report:
    sizes = (200, 400) if plan.quick else SIZES
    took: dict[str, list[int]] = {name: [] for name in (*OTHERS, *STEPS)}
    for size in sizes:
        path = plan.folder / f"{size}.db"
        with jotsam.Jotsam(str(path), worker="off") as jot:
            fill(jot, size)
            jot.database.maintain()
        for name, times in took.items():
            with Child(WORKER) as child:
                times.append(child.ask("run", name=name, path=str(path)))
    rows, bounds = [], []
    for name, times in took.items():
        exponent = math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])
        rows.append((name, *map(duration, times), number(exponent)))
        limit = PAGE_MOST if name == PAGE else MOST
        bounds.append(Bound(promise=f"growth of {name}", measured=exponent, limit=limit, unit="(exponent)"))
    columns = ("", *(f"{size:,}" for size in sizes), "exponent")
    return Report(tables=[Table(caption="Processor time of one call.", columns=columns, rows=rows)], bounds=bounds)


if __name__ == "__main__":
    main(measure, __doc__)
