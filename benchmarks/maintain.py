"""The time of each step of `jotsam db maintain --vacuum` by the number of memories, and the size of the file after it.

The memories are those of `recall.latency`: texts of about twenty words with entities, tags and facts, written in
batches without jobs. A tenth of them is forgotten before, so that pages are unused and the text index is in pieces.
"""

from __future__ import annotations

import jotsam
from benchmarks.plan import Plan, main
from benchmarks.recall.latency import fill
from benchmarks.report import Report, Table, duration
from jotsam.admin.maintain import MaintenanceStep, maintain

SIZES, MILLION = (10_000, 100_000), 1_000_000
FORGET = "delete from memory where id % 10 = 0"
UNINDEX = "delete from text_index where rowid % 10 = 0 and rowid > 0"


def measure(plan: Plan) -> Report:
    sizes = (500,) if plan.quick else (*SIZES, *((MILLION,) if plan.million else ()))
    steps = {size: steps_of(plan, size) for size in sizes}
    rows = [
        (name, *(cell for found in steps.values() for cell in (_time(found[name]), _mb(found[name]))))
        for name in steps[sizes[0]]
    ]
    columns = ("step", *(name for size in sizes for name in (f"{size:,}", "file")))
    return Report(tables=[Table(caption="`jotsam db maintain --vacuum`.", columns=columns, rows=rows)])


def steps_of(plan: Plan, size: int) -> dict[str, MaintenanceStep]:
    with jotsam.Jotsam(str(plan.folder / f"{size}.db"), worker="off") as jot:
        fill(jot, size)
        with jot.database.transaction(durable=False) as tx:
            for sql in (UNINDEX, FORGET):
                tx.execute(sql)
        settings = jot.settings
    return {step.name: step for step in maintain(settings, vacuum=True)}


def _time(step: MaintenanceStep) -> str:
    return duration(step.took_ms * 1e6) if step.took_ms else "less than 1 ms"


def _mb(step: MaintenanceStep) -> str:
    return f"{step.bytes / 1e6:,.1f} MB"


if __name__ == "__main__":
    main(measure, __doc__)
