"""The cost of a page of `Jotsam.list` among 10,000 memories and among many more, which must be about the same.

Each page has 50 memories. The files are filled with SQL, because only reading is measured. A condition that many
memories match is checked while the list is read in its order, one that few match is looked up first; the cost of both
is bounded, and the bound is reached somewhere between the two sizes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jotsam
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns, timed

SMALL = 10_000
LISTS: dict[str, dict[str, Any]] = {
    "newest": {},
    "most important": {"order": "importance"},
    "a tag of 100 memories": {"tags": ["rare"]},
    "a tag of half of them": {"tags": ["common"]},
    "one day": {"since": 1_700_500_000_000, "until": 1_700_586_400_000},
}
LIMITS = {"newest": 2.0, "most important": 2.0, "a tag of 100 memories": 3.0}

FILL = """
with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < :count)
insert into memory (uuid, tenant, body, importance, job_id, created_at)
select
  printf('%08x-0000-4000-8000-%012x', n, n), 'default', 'memory number ' || n,
  case n % 3 when 0 then (n % 1000) / 1000.0 end, 0, 1700000000000 + (n * 7919) % 1000000007
from numbers
"""
TAG = """
insert into memory_tag (tenant, tag, memory_id)
select 'default', case when id % 2 = 0 then 'common' else 'other' end, id from memory
"""
TAG_RARE = (
    "insert into memory_tag (tenant, tag, memory_id) select 'default', 'rare', id from memory where id % :each = 0"
)


def measure(plan: Plan) -> Report:
    large = 1_000_000 if plan.million else plan.of(full=200_000, quick=20_000)
    sizes = {f"{size:,}": _filled(plan.folder / f"list-{size}", size) for size in (SMALL, large)}
    rows, bounds = [], []
    for name, options in LISTS.items():
        rounds = take_turns(sizes, plan.of(full=31, quick=2), lambda jot, options=options: _page(jot, options))
        small, many = rounds.values()
        rows.append((name, *(duration(middle(one)) for one in (small, many)), number(ratio(many, small))))
        if name in LIMITS:
            promise = f"a page of {large:,}, {name}, against one of {SMALL:,}"
            bounds.append(Bound(promise=promise, measured=ratio(many, small), limit=LIMITS[name]))
    for jot in sizes.values():
        jot.close()
    columns = ("list", *sizes, "ratio")
    return Report(tables=[Table(caption="A page of 50.", columns=columns, rows=rows)], bounds=bounds)


def _filled(file: Path, count: int) -> jotsam.Jotsam:
    jot = jotsam.Jotsam(str(file), worker="off")
    with jot.database.transaction(tenant="default") as tx:
        tx.execute(FILL, {"count": count})
        tx.execute(TAG)
        tx.execute(TAG_RARE, {"each": count // 100})
    return jot


def _page(jot: jotsam.Jotsam, options: dict[str, Any]) -> float:
    """The median of some pages."""
    took = sorted(timed(lambda: jot.list(**options), 5))
    return float(took[len(took) // 2])


if __name__ == "__main__":
    main(measure, __doc__)
