"""The lifecycle of memories: steps that run by schedule or when asked for, each with a dry run and an undo."""

from __future__ import annotations

import json
from collections import Counter

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.lifecycle_records import (
    LifecycleChange,
    LifecyclePlan,
    LifecycleRun,
    LifecycleRunDetails,
    LifecycleStep,
)
from jotsam.core.names import STEPS
from jotsam.core.validate import MAX_ID
from jotsam.ingest import start_worker
from jotsam.memory.lifecycle.lifecycle_actions import ACTIONS
from jotsam.storage.lifecycle import lifecycle
from jotsam.storage.lifecycle import relevance as inputs_of_forgetting
from jotsam.worker.lifecycle import forgetting
from jotsam.worker.lifecycle import run as runs_of
from jotsam.worker.lifecycle.step import StepContext
from jotsam.worker.lifecycle.steps import lifecycle_steps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.worker.lifecycle.step import Part, Step

DAY_MS = 86_400_000
DIGITS = frozenset("0123456789abcdef-")  # of an id
MAX_SHOWN = 1_000  # changes of a plan or a run
PROTECTED_PAGE = 500  # memories read at a time

# The settings that each run keeps, because they decide what it does.
OPTIONS = ("archive_below", "remove_below")


def options_of(settings: Settings) -> dict[str, Any]:
    """The settings that a run keeps."""
    return {name: getattr(settings, name) for name in OPTIONS}


def every_days(settings: Settings, step: str) -> int:
    """How often a step runs by itself; 0: never."""
    return int(getattr(settings, f"{step}_every_days")) if settings.lifecycle == "on" else 0


def check_step(step: str) -> str:
    """Raises `InvalidInput` for an unknown step."""
    if step not in STEPS:
        raise InvalidInput(f"there is no step {str(step)[:40]!r}; there are {', '.join(STEPS)}")
    return step


def planned_parts(
    database: Database, settings: Settings, step: str, steps: Mapping[str, Step] | None = None
) -> Iterator[Part]:
    """The parts of what a step would do now, without changes that were taken back before. Changes nothing."""
    steps = lifecycle_steps(settings) if steps is None else steps
    if check_step(step) not in steps:
        return
    pairs: dict[tuple[int, int], float] = {}
    context = StepContext(
        database=database,
        tenant=settings.tenant,
        options=options_of(settings),
        pairs=lambda: [(*pair, pairs[pair]) for pair in sorted(pairs)],
        run=new_id(),
    )
    place: str | None = None
    while True:
        part = steps[step].plan(context, place)
        with database.snapshot(tenant=settings.tenant) as tx:
            changes = tuple(runs_of.wanted(tx, part.changes, ACTIONS))
        yield part.replace(changes=changes)
        pairs.update(part.pairs)
        place = part.place
        if place is None:
            return


def plan(
    database: Database, settings: Settings, step: str, steps: Mapping[str, Step] | None = None, *, limit: int
) -> LifecyclePlan:
    """What a step would do now. Changes nothing."""
    examined, counts, shown = 0, Counter[str](), list[LifecycleChange]()
    for part in planned_parts(database, settings, step, steps):
        examined += part.examined
        for one in part.changes:
            counts[one.kind] += one.number
            if len(shown) < limit:
                shown.append(LifecycleChange(kind=one.kind, ids=one.ids, why=one.why, number=one.number))
    total = sum(counts.values())
    return LifecyclePlan(step=step, examined=examined, changed=total, counts=dict(counts), changes=tuple(shown))


def request(database: Database, settings: Settings, step: str) -> LifecycleRun:
    """Add a run of a step, which a worker does. Returns it, or the run of the step that waits already."""
    check_step(step)

    def write(tx: Transaction) -> Row:
        tx.set_tenant(settings.tenant)
        return runs_of.add(tx, step, origin=lifecycle.REQUEST, options=options_of(settings))

    return _run(start_worker.commit(database, write, worker=settings.worker))


def add_due(database: Database, settings: Settings) -> None:
    """Add a run of each step that is due. A step that has missed several times runs once."""
    with database.snapshot(tenant=settings.tenant) as tx:
        due, now = lifecycle.schedule(tx), tx.now
    for step in STEPS:
        interval = every_days(settings, step) * DAY_MS
        # The clock may have been set back, and the setting may be shorter than when this was written.
        is_waiting = step in due and now < due[step] <= now + interval
        if not interval or is_waiting:
            continue
        with database.transaction(tenant=settings.tenant, durable=False) as tx:
            if step not in due or due[step] > tx.now + interval:
                lifecycle.set_due(tx, step, at=tx.now + interval)
            elif lifecycle.take_due(tx, step, next_at=tx.now + interval):
                runs_of.add(tx, step, origin=lifecycle.SCHEDULE, options=options_of(settings))


def steps(database: Database, settings: Settings) -> tuple[LifecycleStep, ...]:
    """When each step runs, and its latest run."""
    with database.snapshot(tenant=settings.tenant) as tx:
        due = lifecycle.schedule(tx)
        found = []
        for step in STEPS:
            days, last = every_days(settings, step), lifecycle.runs(tx, before=MAX_ID, step=step, limit=1)
            next_at = due.get(step, tx.now + days * DAY_MS) if days else None
            found.append(
                LifecycleStep(step=step, every_days=days, next_at=next_at, last=_run(last[0]) if last else None)
            )
        return tuple(found)


def runs(database: Database, *, tenant: str, step: str | None = None, limit: int = 20) -> tuple[LifecycleRun, ...]:
    """The latest runs, the latest first."""
    with database.snapshot(tenant=tenant) as tx:
        return tuple(map(_run, lifecycle.runs(tx, before=MAX_ID, step=step and check_step(step), limit=limit)))


def is_live(database: Database, id: str, *, tenant: str) -> bool:
    """Whether a run waits or works. Raises `NotFound`, `InvalidInput`."""
    with database.snapshot(tenant=tenant) as tx:
        return _run(_find(tx, id)).state in (lifecycle.WAITING, lifecycle.RUNNING)


def show(database: Database, id: str, *, tenant: str, after: int = 0, limit: int = MAX_SHOWN) -> LifecycleRunDetails:
    """A run with its changes, without the first `after` of them. `id` may be the beginning of its id.

    Raises `NotFound`, `InvalidInput`.
    """
    with database.snapshot(tenant=tenant) as tx:
        row = _find(tx, id)
        counts, shown = Counter[str](), list[LifecycleChange]()
        for number, one in enumerate(lifecycle.changes(tx, row["id"])):
            counts[one["kind"]] += one["number"]
            if number >= after and len(shown) < limit:
                shown.append(
                    LifecycleChange(
                        kind=one["kind"],
                        ids=tuple(one["ids"]),
                        why=one["why"],
                        number=one["number"],
                        reverted=bool(one.get("reverted")),
                    )
                )
        return LifecycleRunDetails(run=_run(row), counts=dict(counts), changes=tuple(shown))


def undo(database: Database, id: str, *, tenant: str) -> LifecycleRun:
    """Take back what a run changed, the last part first, each in one commit. Call it again after an interruption.

    What something else has changed since is left, and counted as `kept`. What was taken back is not done again by a
    later run. Raises `NotFound`, and `InvalidInput` while a run is at work.
    """
    before = MAX_ID
    while True:
        with database.transaction(tenant=tenant) as tx:
            lifecycle.lock(tx)
            run = _find(tx, id)
            _check_undoable(tx, run)
            lifecycle.begin_undo(tx, run["id"])
            found = lifecycle.last_changes(tx, run["id"], before=before)
            reverted = kept = 0
            if found is not None:
                before, changes = found
                reverted, kept = runs_of.revert_part(tx, changes, ACTIONS)
                lifecycle.set_changes(tx, run["id"], part=before, changes=changes)
            state = lifecycle.UNDOING if found else lifecycle.UNDONE
            lifecycle.save_undone(tx, run["id"], state=state, reverted=reverted, kept=kept)
            if found is None:
                runs_of.send_next(tx)
                return _run(_find(tx, run["uuid"]))


def allow_again(database: Database, *, tenant: str) -> int:
    """Forget which changes were taken back, so that later runs may make them. Returns how many."""
    with database.transaction(tenant=tenant) as tx:
        return lifecycle.forget_refusals(tx)


def _check_undoable(tx: Transaction, run: Row) -> None:
    if run["state"] == lifecycle.UNDONE:
        raise InvalidInput(f"run {run['uuid'][:8]} of {run['step']} was undone already")
    runs_of.send_next(tx)  # A run whose job is dead has failed.
    for row in lifecycle.live_runs(tx):
        if row["state"] in (lifecycle.RUNNING, lifecycle.UNDOING) and row["uuid"] != run["uuid"]:
            raise InvalidInput(f"run {row['uuid'][:8]} of {row['step']} is at work: wait until it has ended")
        if row["uuid"] == run["uuid"] and row["state"] != lifecycle.UNDOING:
            raise InvalidInput(f"run {row['uuid'][:8]} of {row['step']} has not ended: wait, or discard its job first")


def _find(tx: Transaction, id: str) -> Row:
    uuids = lifecycle.uuids_like(tx, id) if id and DIGITS.issuperset(id) else []
    if len(uuids) > 1:
        raise InvalidInput(f"several runs begin with {id[:40]!r}: give more of the id")
    row = lifecycle.get(tx, uuids[0]) if uuids else None
    if row is None:
        raise NotFound(f"there is no run {id[:40]!r}: `jotsam db lifecycle list` lists them")
    return row


def _run(row: Row) -> LifecycleRun:
    """The record of a run. One whose job is dead or was discarded has failed, before the next one notes it."""
    if row["state"] in (lifecycle.WAITING, lifecycle.RUNNING) and row["job_id"] and row["job_state"] in (None, "dead"):
        problem = "was discarded" if row["job_state"] is None else f"is dead: {row['job_error']}"
        row = {**row, "state": lifecycle.FAILED, "error": f"its job {row['job_id']} {problem}"}
    names = ("step", "origin", "state", "examined", "changed", "reverted", "kept", "error")
    times = ("created_at", "started_at", "ended_at", "undone_at")
    return LifecycleRun(
        id=row["uuid"],
        job_id=row["job_id"] or None,
        options=json.loads(row["options"]),
        **{name: row[name] for name in (*names, *times)},
    )


def protected(tx: Transaction, settings: Settings, *, limit: int) -> list[tuple[Row, str, str]]:
    """What `forget` keeps although its relevance is below a threshold: `archive` or `remove`, and the reason."""
    archive, remove = settings.archive_below, settings.remove_below
    found: list[tuple[Row, str, str]] = []
    last, count = 0, PROTECTED_PAGE
    while count == PROTECTED_PAGE and len(found) < limit and (archive or remove):
        rows, last, count = inputs_of_forgetting.forget_inputs(
            tx, tags=forgetting.TAGS, after=last, limit=PROTECTED_PAGE
        )
        found += forgetting.protected(rows, archive=archive, remove=remove, now=tx.now)
    return found[:limit]
