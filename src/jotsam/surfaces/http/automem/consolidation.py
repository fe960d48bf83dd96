"""AutoMem's `/consolidate`: a dry run unless it is told otherwise, and its status.

When a step runs next, in AutoMem's words.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from jotsam.core.clock import format_time, system_clock
from jotsam.core.names import CLUSTER, CREATIVE, DECAY, FORGET, IDENTITY
from jotsam.memory.automem import consolidation
from jotsam.memory.jobs.worker_session import LIFECYCLE_MS
from jotsam.memory.lifecycle import lifecycle
from jotsam.surfaces.http.requests.route import Call, Reply, Route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.lifecycle_records import LifecycleRun


HISTORY = 20
SCHEDULED = (DECAY, CREATIVE, CLUSTER, FORGET, IDENTITY)
WAIT_MS = 15_000  # for the worker; AutoMem's own client gives up after 25 s
CHANGES = 100
HOUR_MS, DAY_MS = 3_600_000, 86_400_000


class ConsolidateRequest(Struct):
    """What to consolidate: full, decay, creative, cluster, identity or forget. Unknown fields are ignored."""

    mode: str = "full"
    dry_run: Any = True


def consolidate(call: Call) -> Reply:
    """What the steps of a mode would change; with `dry_run` false, a worker runs them.

    The answer waits for the worker, and says `queued` of a step that has not ended by then.
    """
    mode = call.body.mode
    steps = consolidation.MODES.get(mode, ())
    head = {"mode": mode, "dry_run": bool(call.body.dry_run), "started_at": format_time(system_clock())}
    if call.body.dry_run:
        reports: dict[str, Any] = {step: consolidation.planned(call.jot, step) for step in steps}
        return _reply(head, reports, is_success=True)
    before = consolidation.relevance(call.jot)
    runs = [call.jot.lifecycle.run(step) for step in steps]

    def pending() -> bool:
        return any(lifecycle.is_live(call.jot.database, one.id, tenant=call.principal.tenant) for one in runs)

    def ended(_: bool) -> Reply:
        found = [call.jot.lifecycle.show(one.id, limit=CHANGES) for one in runs]
        reports = {}
        for one in found:
            seen = consolidation.Seen(examined=one.run.examined, counts=one.counts, changes=one.changes)
            if one.run.state != "done":
                reports[one.run.step] = _unfinished(one.run)
            elif one.run.step == DECAY:
                after = consolidation.relevance(call.jot)
                reports[DECAY] = consolidation.decayed(seen.examined, one.run.changed, before=before, after=after)
            else:
                reports[one.run.step] = consolidation.report(call.jot, one.run.step, seen, dry_run=False)
        return _reply(head, reports, is_success=all(one.run.state != "failed" for one in found))

    return Reply(wait_while=pending, wait_ms=WAIT_MS, waited=ended)


def status(call: Call) -> Reply:
    """When each step runs next, and the latest runs."""
    now, steps = system_clock(), {one.step: one for one in call.jot.lifecycle.steps()}
    found = call.jot.status()
    next_runs = {step: next_run(steps[step].next_at, now=now) for step in SCHEDULED}
    body = {
        "status": "success",
        "next_runs": next_runs,
        "history": [_history(one) for one in call.jot.lifecycle.runs(limit=HISTORY)],
        "thread_alive": found.worker != "none" or call.server.options.worker,
        "tick_seconds": LIFECYCLE_MS // 1_000,
    }
    return Reply(body=body)


def _reply(head: dict[str, Any], reports: dict[str, Any], *, is_success: bool) -> Reply:
    steps = {**reports, IDENTITY: consolidation.IDENTITY_SKIPPED} if head["mode"] == "full" else reports
    is_done = not any(one.get("queued") for one in reports.values())
    ended = {"completed_at": format_time(system_clock())} if is_done else {}
    results = {**head, "steps": steps, **ended, "success": is_success}
    return Reply(body={"status": "success", "consolidation": results})


def _unfinished(run: LifecycleRun) -> dict[str, Any]:
    """The report of a step that has failed, or that waits for a worker or works."""
    about: dict[str, Any] = {"run_id": run.id, "state": run.state, "examined": run.examined, "changed": run.changed}
    return {**about, "error": run.error} if run.state == "failed" else {**about, "queued": True}


def _history(run: LifecycleRun) -> dict[str, Any]:
    started, ended = run.started_at or run.created_at, run.ended_at
    result = {"mode": run.step, "examined": run.examined, "changed": run.changed, "state": run.state}
    return {
        "id": run.id,
        "mode": run.step,
        "task": run.step,
        "success": run.state in ("done", "undoing", "undone"),
        "dry_run": False,
        "started_at": format_time(started),
        "completed_at": None if ended is None else format_time(ended),
        "result": json.dumps({**result, "error": run.error}),
    }


ROUTES = (
    Route(
        method="POST",
        path="/consolidate",
        handler=consolidate,
        scope="write",
        body=ConsolidateRequest,
        summary="What the lifecycle would change, or its run",
        errors="automem",
    ),
    Route(
        method="GET",
        path="/consolidate/status",
        handler=status,
        scope="read",
        summary="When each step of the lifecycle runs next, and the latest runs",
        errors="automem",
    ),
)


def next_run(at: int | None, *, now: int) -> str:
    """`Disabled`, `Due now`, `In 3 day(s)` or `In 5 hour(s)`."""
    if at is None:
        return "Disabled"
    left = at - now
    if left <= 0:
        return "Due now"
    return f"In {left // DAY_MS} day(s)" if left >= DAY_MS else f"In {left // HOUR_MS} hour(s)"
