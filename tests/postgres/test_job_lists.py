"""A page of jobs reads a window of the queue, not the queue."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jotsam.storage import connect
from jotsam.storage.statements import statement

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.storage.database import Transaction

JOBS = 4_000
WINDOW = 200
PARAMS: dict[str, Any] = {"queue": "q", "queues": '["q"]', "error": None, "project": None}
PARAMS |= {"state": None, "text": "tea", "before": 2**62, "window": WINDOW, "limit": 10}
WINDOWS = {
    "unfinished": "queue_live",
    "unfinished_end": "queue_live",
    "dead": "queue_dead",
    "dead_end": "queue_dead",
    "leased": "queue_wake",
    "leased_end": "queue_wake",
    "ended": "queue_attempt_pkey",
    "ended_end": "queue_attempt_pkey",
    "failures": "queue_live",
    "count_dead": "queue_dead",
}
FILL = (
    f"""
    insert into queue_job (
      queue, tenant, kind, state, priority, place, parallel, wake_at, lease_ms, max_receive, failures, error, created_at
    )
    select case when n % 3 = 0 then 'p' else 'q' end, case when n % 2 = 0 then 'u' else 't' end, 'q',
      (array['ready', 'dead', 'waiting', 'leased'])[n % 5 % 4 + 1], 0, 0, 1,
      case when n % 5 % 4 > 1 then n end, 1, 5, 1, 'TypeError', n
    from generate_series(1, {JOBS}) n
    """,
    f"""
    insert into queue_attempt (job_id, received, queue, tenant, kind, started_at, ended_at, outcome)
    select n + {JOBS}, 1, 'q', 't', 'q', n, n, 'done'
    from generate_series(1, {JOBS}) n
    """,
    "analyze queue_job",
    "analyze queue_attempt",
)


def steps_of(tx: Transaction, name: str) -> list[dict[str, Any]]:
    """The steps of a query as it ran."""
    params = {**PARAMS, "state": "done"} if name == "ended" else PARAMS
    found = tx.execute(f"explain (analyze, format json) {statement('postgres', f'job_lists.{name}')}", params)
    plan = found[0]["QUERY PLAN"]
    steps = [(json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]]
    for step in steps:
        steps += step.get("Plans", ())
    return steps


def test_each_list_reads_its_window_in_the_order_of_an_index(new_url: Callable[[], str]) -> None:
    database = connect(new_url())
    with database.transaction(tenant="t") as tx:
        for sql in FILL:
            tx.execute(sql)
    wrong = []
    with database.snapshot(tenant="t") as tx:
        for name, index in WINDOWS.items():
            steps = steps_of(tx, name)
            walked = [step for step in steps if step.get("Index Name") == index]
            read = [step["Actual Rows"] + step.get("Rows Removed by Filter", 0) for step in walked]
            if not read or max(read) > WINDOW:
                wrong.append((name, read, [step["Node Type"] for step in steps]))
    database.close()
    assert wrong == []
