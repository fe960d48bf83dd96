"""The job `lifecycle`: works on one part of a run, and sends the job of the next part.

What a part changes, what was changed, the place of the next part and the acknowledgement are committed together. So a
worker that is killed repeats a part that left no trace, and other jobs run between two parts.

A tenant has one such job at a time. Runs wait for each other in the order in which they were requested.
"""

from __future__ import annotations

import json

from jotsam.core.errors import BuryJob
from jotsam.core.job_records import JobSpec
from jotsam.core.names import LIFECYCLE
from jotsam.storage import events, queue
from jotsam.storage.forgetting import erasure
from jotsam.storage.lifecycle import lifecycle
from jotsam.worker.lifecycle.step import StepContext

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from jotsam.core.job_records import Job
    from jotsam.models.request_limit import RequestLimit
    from jotsam.queueing.loop import Handler
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.worker.lifecycle.actions import Action
    from jotsam.worker.lifecycle.step import Change, Part, Step

    Actions = Mapping[str, Action]

LEASE_MS = 300_000  # a part may ask a model
ATTEMPTS = 5


def job_spec(tenant: str, run: str) -> JobSpec:
    """The job that works on the next part of a run, by its id."""
    return JobSpec(
        queue=LIFECYCLE,
        kind=LIFECYCLE,
        payload=json.dumps(run),
        tenant=tenant,
        lease_ms=LEASE_MS,
        max_receive=ATTEMPTS,
        lane=LIFECYCLE,
        parallel=False,
    )


def add(tx: Transaction, step: str, *, origin: str, options: Mapping[str, Any]) -> Row:
    """Add a run, which begins when those before it have ended. One that waits already is returned instead."""
    lifecycle.lock(tx)
    send_next(tx)  # One whose job was discarded has failed, and does not wait.
    waiting = [row for row in lifecycle.live_runs(tx) if row["step"] == step and row["state"] == lifecycle.WAITING]
    if waiting:
        return lifecycle.get(tx, waiting[0]["uuid"]) or waiting[0]
    run = lifecycle.add_run(tx, step=step, origin=origin, job_id=0, options=options)
    send_next(tx)
    return lifecycle.get(tx, run["uuid"]) or run


def send_next(tx: Transaction) -> None:
    """Send the job of the first run, unless one is at work. A run whose job is dead or was discarded has failed."""
    for row in lifecycle.live_runs(tx):
        if row["state"] == lifecycle.UNDOING:
            return
        if row["job_id"] == 0:
            sent = queue.send(tx, job_spec(tx.tenant, row["uuid"]))
            lifecycle.set_job(tx, row["id"], job_id=sent.id)
            return
        if row["job_state"] not in (None, "dead"):
            return
        problem = "is dead" if row["job_state"] else "was discarded"
        lifecycle.fail(tx, row["id"], error=f"its job {row['job_id']} {problem}")


def handler(
    database: Database, steps: Mapping[str, Step], actions: Actions, *, limit: RequestLimit | None = None
) -> Handler:
    """A handler of `lifecycle` jobs. `actions` are all kinds of changes, `limit` that of requests to the model."""

    def work(job: Job) -> Callable[[Transaction], None] | None:
        uuid = str(job.payload).strip('"')
        with database.snapshot(tenant=job.tenant) as tx:
            run = lifecycle.get(tx, uuid)
        if run is None or run["state"] not in (lifecycle.WAITING, lifecycle.RUNNING):
            return None
        if run["step"] not in steps:
            raise BuryJob(f"unknown step {run['step']!r} of run {uuid}")

        def pairs() -> Iterable[tuple[int, int, float]]:
            with database.snapshot(tenant=job.tenant) as tx:
                yield from lifecycle.pairs(tx, run["id"])

        options = json.loads(run["options"])
        context = StepContext(
            database=database,
            tenant=job.tenant,
            options=options,
            pairs=pairs,
            run=uuid,
            job_id=job.id,
            limit=limit,
        )
        part = steps[run["step"]].plan(context, run["place"])
        return lambda tx: _save(tx, run, part, actions)

    return work


def _save(tx: Transaction, planned: Row, part: Part, actions: Actions) -> None:
    """Make the changes of a part, and send the job of the next one."""
    lifecycle.lock(tx)
    run = lifecycle.get(tx, planned["uuid"])
    if run is None or run["parts"] != planned["parts"] or run["state"] not in (lifecycle.WAITING, lifecycle.RUNNING):
        return
    done = [*_applied(tx, wanted(tx, part.changes, actions), actions)]
    if done:
        lifecycle.add_changes(tx, run["id"], part=run["parts"], changes=done)
    if part.pairs:
        lifecycle.add_pairs(tx, run["id"], part.pairs)
    state = lifecycle.DONE if part.place is None else lifecycle.RUNNING
    changed = sum(one["number"] for one in done)
    lifecycle.save_progress(tx, run["id"], state=state, place=part.place, examined=part.examined, changed=changed)
    if part.place is None:
        lifecycle.set_job(tx, run["id"], job_id=0)
        began = tx.now if run["started_at"] is None else run["started_at"]
        data = {
            "step": run["step"],
            "examined": run["examined"] + part.examined,
            "changed": run["changed"] + changed,
            "elapsed_ms": tx.now - began,
            "next_at": lifecycle.schedule(tx).get(run["step"]),
        }
        events.record(tx, events.CONSOLIDATION, subject=run["uuid"], data=data)
        send_next(tx)
    else:
        lifecycle.set_job(tx, run["id"], job_id=queue.send(tx, job_spec(tx.tenant, run["uuid"])).id)


def wanted(tx: Transaction, changes: Iterable[Change], actions: Actions) -> list[Change]:
    """The changes that were not taken back before."""
    found = [*changes]
    once = [one.hash() for one in found if not actions[one.kind].is_repeated]
    refused = lifecycle.refused(tx, once) if once else set()
    return [one for one in found if actions[one.kind].is_repeated or one.hash() not in refused]


def _applied(tx: Transaction, changes: Iterable[Change], actions: Actions) -> Iterable[dict[str, Any]]:
    for one in changes:
        undo = actions[one.kind].apply(tx, one.data)
        if undo is not None:
            about = {"kind": one.kind, "ids": one.ids, "why": one.why, "number": one.number}
            yield {**about, "hash": one.hash(), "undo": undo}


def revert_part(tx: Transaction, changes: list[dict[str, Any]], actions: Actions) -> tuple[int, int]:
    """Take back the changes of a part, the last one first, and mark them. Returns how many were, and were not."""
    reverted = kept = 0
    for one in reversed(changes):
        if one.get("reverted"):
            continue
        action = actions[one["kind"]]
        done, left = action.revert(tx, one["undo"])
        reverted, kept = reverted + done, kept + left
        one["reverted"] = done > 0
        if done and not action.is_repeated:
            lifecycle.refuse(tx, [one["hash"]])
    if reverted:
        erasure.merge_index(tx)  # A memory that a run made is deleted again.
    return reverted, kept
