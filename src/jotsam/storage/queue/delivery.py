"""The verbs of the queue: accept, claim under a lease, prolong it, acknowledge, give back, bury.

Every verb on a received job names its id and its fencing token; who lost the lease changes nothing and is told so.
"""

from __future__ import annotations

from jotsam.core.job_records import Sent
from jotsam.storage.queue.control import allowance
from jotsam.storage.queue.fairness import next_place, reach
from jotsam.storage.queue.history import HOUR_MS, attempted, count, fold
from jotsam.storage.queue.inspect_jobs import job as job_of
from jotsam.storage.queue.lanes import advance, entry
from jotsam.storage.queue.watermark import NONE, Floor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.core.job_records import Job, JobSpec
    from jotsam.storage.database import Row, Transaction, Value

KEY_LIFE_MS = 30 * 24 * 3_600_000
CLOCK_TOLERANCE_MS = 1_000
FOLD_MS = 60_000


def send(tx: Transaction, spec: JobSpec, *, key_life_ms: int = KEY_LIFE_MS) -> Sent:
    """Accept a job. With a key that was used within `key_life_ms`, return the first job's id instead."""
    if spec.key is not None:
        tx.lock(f"key {spec.queue} {spec.tenant} {spec.key}")  # Two may be sending under it at this moment.
        known = tx.one("queue.find_key", queue=spec.queue, tenant=spec.tenant, key=spec.key)
        if known:
            return Sent(id=known["job_id"], duplicate=True)
    delayed = spec.delay_ms > 0
    if delayed:
        _notice_the_clock(tx)
    is_text = isinstance(spec.payload, str)
    row = tx.one(
        "queue.send",
        queue=spec.queue,
        tenant=spec.tenant,
        kind=spec.kind,
        state="waiting" if delayed else entry(tx, spec.queue, spec.tenant, spec.lane, spec.parallel),
        priority=spec.priority,
        place=next_place(tx, spec.queue, spec.tenant),
        lane=spec.lane,
        parallel=int(spec.parallel),
        wake_at=tx.now + spec.delay_ms if delayed else None,
        lease_ms=spec.lease_ms,
        max_receive=spec.max_receive,
        json=spec.payload if is_text else None,
        bytes=None if is_text else spec.payload,
        hour=tx.now // HOUR_MS,
    )
    assert row is not None
    job_id: int = row["id"]
    if spec.key is not None:
        tx.run(
            "queue.save_key",
            queue=spec.queue,
            tenant=spec.tenant,
            key=spec.key,
            job_id=job_id,
            expires_at=tx.now + key_life_ms,
        )
    tx.ring()
    return Sent(id=job_id)


def ensure(tx: Transaction, spec: JobSpec) -> None:
    """Send a job, unless one of its queue and tenant is alive.

    For a job that does whatever there is to do: it must look, in the transaction that acknowledges it, whether there
    is more by now, and then ensure the next. So what is written beside this call is never left lying.
    """
    if tx.one("queue.alive", queue=spec.queue, tenant=spec.tenant) is None:
        send(tx, spec)


def receive(
    tx: Transaction,
    *,
    queue: str,
    owner: str,
    limit: int = 1,
    lease_ms: int | None = None,
    floor: Floor | None = None,
) -> list[Job]:
    """Claim up to `limit` ready jobs, best first, for `lease_ms` or for as long as each job says itself.

    `floor` is what a receiver remembers from claim to claim; without one it looks at everything, each time.
    """
    how: dict[str, str | int | None] = {"queue": queue, "owner": owner, "lease_ms": lease_ms}
    if floor:
        floor.begin(tx.now)
        rows = _above(tx, floor, limit=limit, looked=0, **how)
        if rows:
            floor.woken()
            return _claimed(tx, rows, queue=queue)
    since = floor.since if floor else -1
    outlook = tx.one("queue.outlook", queue=queue, since=since)
    assert outlook is not None
    is_back = _notice_the_clock(tx, outlook["seen_at"])
    if outlook["due"] or is_back:
        wake(tx)
    elif floor:
        floor.woken()
    if outlook["paused"]:
        limit = allowance(tx, queue, limit)
    if limit == 0:
        return []
    if limit == 1 and not floor:
        return _claimed(tx, tx.all("queue.receive_one", **how), queue=queue)
    floor = floor or Floor()
    rows = _above(tx, floor, limit=limit, looked=1, **how)
    if not rows and floor.above != NONE:
        floor.lower()
        rows = _above(tx, floor, limit=limit, looked=1, **how)
    return _claimed(tx, rows, queue=queue)


def _above(tx: Transaction, floor: Floor, *, looked: int, **how: str | int | None) -> list[Row]:
    """Claim what is above the floor, best first; on a server only if somebody has `looked`, or had nothing to see."""
    where = dict(zip(("floor_priority", "floor_place", "floor_id"), floor.above, strict=True))
    rows = tx.all("queue.receive", **how, **where, looked=looked, since=floor.since, tolerance=CLOCK_TOLERANCE_MS)
    if rows:
        rows.sort(key=lambda row: (-row["priority"], row["place"], row["id"]))
        floor.rise(rows)
    return rows


def _claimed(tx: Transaction, rows: list[Row], *, queue: str) -> list[Job]:
    reach(tx, queue, max((row.pop("place") for row in rows), default=0))
    return [job_of(row) for row in rows]


def extend(tx: Transaction, job: Job, *, lease_ms: int) -> bool:
    """Prolong the lease to `lease_ms` from now. False: the lease is lost."""
    _notice_the_clock(tx)
    return bool(_told(tx, "queue.extend", [f"[{job.id}, {job.received}, {lease_ms}]"]))


def extend_many(tx: Transaction, jobs: Iterable[Job]) -> dict[tuple[int, int], bool]:
    """Prolong each lease by its own length from now on. Of those that are not lost: whether the job was cancelled."""
    given = [f"[{job.id}, {job.received}, {job.lease_ms}]" for job in jobs]
    if given:
        _notice_the_clock(tx)
    return {(row["id"], row["received"]): bool(row["cancelled"]) for row in _told(tx, "queue.extend", given)}


def delete(tx: Transaction, job: Job, *, outcome: str = "done", error: str | None = None) -> bool:
    """Acknowledge: the job is `done`, or its receiver has seen that it was `cancelled`.

    False: the lease is lost, and whatever else this transaction does must not stand.
    """
    return bool(delete_many(tx, [job], outcome=outcome, error=error))


def delete_many(
    tx: Transaction, jobs: Iterable[Job], *, outcome: str = "done", error: str | None = None
) -> set[tuple[int, int]]:
    """Acknowledge many at once. Returns the id and token of each that is gone; of the others the lease is lost."""
    given = [f"[{job.id}, {job.received}]" for job in jobs]
    rows = _told(tx, "queue.delete", given, outcome=outcome, error=error, hour=tx.now // HOUR_MS)
    for row in rows:
        advance(tx, row)
    return {(row["id"], row["received"]) for row in rows}


def _told(tx: Transaction, query: str, jobs: list[str], **params: Value) -> list[Row]:
    """Tell a query of jobs, each given as a JSON list, as many at once as is best for this database."""
    rows: list[Row] = []
    for start in range(0, len(jobs), tx.at_once):
        rows += tx.all(query, jobs=f"[{', '.join(jobs[start : start + tx.at_once])}]", **params)
    return rows


def release(
    tx: Transaction, job: Job, *, error: str | None, trace: str | None = None, delay_ms: int = 0, spend: bool = True
) -> str | None:
    """Give the job back, to be received again after `delay_ms`. `error` says why, `trace` where.

    With `spend` it counts as a failure, and the last one buries the job. Returns the new state; None: lease lost.
    """
    row = tx.one("queue.leased", id=job.id, received=job.received)
    if row is None:
        return None
    failures = row["failures"] + int(spend)
    if spend and failures >= row["max_receive"]:
        return _bury(tx, row, job.received, failures, error, trace)
    if delay_ms > 0:
        _notice_the_clock(tx)
    state = "waiting" if delay_ms > 0 else "ready"
    _put_back(tx, row, job.received, state, failures, error, tx.now + delay_ms if delay_ms > 0 else None)
    attempted(tx, row, job.received, "retry" if spend else "released", error, trace)
    if spend:
        count(tx, row["queue"], row["tenant"], row["kind"], "retried")
    if state == "waiting":
        advance(tx, row)
    return state


def report(tx: Transaction, job: Job, *, share: float, note: str | None = None) -> bool:
    """Say how far the job has come, from 0 to 1. False: the lease is lost."""
    return tx.one("queue.progress", id=job.id, received=job.received, share=share, note=note) is not None


def leave_result(tx: Transaction, job: Job, *, json: str, life_ms: int) -> None:
    """Keep a small result of a job, in the transaction that acknowledges it, for `life_ms`."""
    tx.run("queue.save_result", job_id=job.id, json=json, expires_at=tx.now + life_ms)


def bury(tx: Transaction, job: Job, *, error: str, trace: str | None = None) -> bool:
    """Move the job to the dead letters at once. False: the lease is lost."""
    row = tx.one("queue.leased", id=job.id, received=job.received)
    if row is None:
        return False
    _bury(tx, row, job.received, row["failures"] + 1, error, trace)
    return True


def wake(tx: Transaction) -> int:
    """Make ready what is due: delays that are over, and leases that ended without a word. At most 256 at once."""
    rows = tx.all("queue.due")
    for row in rows:
        if row["state"] == "leased":
            _expire(tx, row)
        else:
            state = entry(tx, row["queue"], row["tenant"], row["lane"], bool(row["parallel"]))
            tx.run("queue.wake", id=row["id"], state=state, failures=row["failures"], error=None)
    return len(rows)


def _expire(tx: Transaction, row: Row) -> None:
    """A lease ended without a word: the delivery is spent, and the last one buries the job."""
    failures = row["failures"] + 1
    error = f"the lease ended without a word from {row['owner']}"
    is_last = failures >= row["max_receive"]
    tx.run("queue.wake", id=row["id"], state="dead" if is_last else "ready", failures=failures, error=error)
    attempted(tx, row, row["received"], "expired", error)
    count(tx, row["queue"], row["tenant"], row["kind"], "buried" if is_last else "retried")
    if is_last:
        advance(tx, row)


def _bury(tx: Transaction, row: Row, received: int, failures: int, error: str | None, trace: str | None) -> str:
    _put_back(tx, row, received, "dead", failures, error, None)
    attempted(tx, row, received, "dead", error, trace)
    count(tx, row["queue"], row["tenant"], row["kind"], "buried")
    advance(tx, row)
    return "dead"


def _put_back(
    tx: Transaction, row: Row, received: int, state: str, failures: int, error: str | None, wake_at: int | None
) -> None:
    tx.run(
        "queue.put_back",
        id=row["id"],
        received=received,
        state=state,
        failures=failures,
        error=error,
        wake_at=wake_at,
    )


def _notice_the_clock(tx: Transaction, seen: int | None = None) -> bool:
    """When the clock went back, pull every wake-up back with it: else a lease of a minute would last for an hour.

    Whoever writes a wake-up by the new clock looks first, or it would be pulled back with the old ones.
    """
    seen = _seen(tx) if seen is None else seen
    is_back = tx.now < seen - CLOCK_TOLERANCE_MS
    if is_back:
        tx.lock("clock")  # Two may have noticed, and it must be turned back once.
        seen = _seen(tx)
        tx.run("queue.turn_back", by=max(0, seen - tx.now))
    is_first = not seen <= tx.now <= seen + CLOCK_TOLERANCE_MS and tx.one("queue.see") is not None
    if is_first and tx.now // FOLD_MS != seen // FOLD_MS:
        fold(tx)
    return is_back


def _seen(tx: Transaction) -> int:
    row = tx.one("queue.seen")
    return row["seen_at"] if row else 0
