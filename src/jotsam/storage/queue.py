"""A durable queue: visibility timeout, fencing token, priorities, lanes, dead letters. It knows nothing of memory.

A job is `ready`, `leased` to a receiver until `wake_at`, `waiting` until `wake_at`, `dead`, or `blocked` by its lane.
Only ready jobs stand in the index that a claim walks, so a claim costs the same whatever else waits.
`received` counts deliveries and never goes down: whoever names an old one has lost the job, and changes nothing.
`failures` counts the deliveries that were spent; a delivery whose lease ends without a word is one of them, so a job
that kills its receivers is buried like any other.
"""

from __future__ import annotations

from jotsam.records import Depth, Draft, Job, Sent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

HOUR_MS = 3_600_000
KEY_LIFE_MS = 30 * 24 * HOUR_MS
CLOCK_TOLERANCE_MS = 1_000
EVENTS = ("accepted", "done", "retried", "buried", "redriven", "discarded")


def send(tx: Transaction, draft: Draft, *, key_life_ms: int = KEY_LIFE_MS) -> Sent:
    """Accept a job. With a key that was used within `key_life_ms`, return the first job's id instead."""
    if draft.key is not None:
        known = tx.one("queue.find_key", queue=draft.queue, tenant=draft.tenant, key=draft.key)
        if known:
            return Sent(id=known["job_id"], duplicate=True)
    delayed = draft.delay_ms > 0
    row = tx.one(
        "queue.send",
        queue=draft.queue,
        tenant=draft.tenant,
        kind=draft.kind,
        state="waiting" if delayed else _entry(tx, draft.queue, draft.tenant, draft.lane, draft.parallel),
        priority=draft.priority,
        place=0,
        lane=draft.lane,
        parallel=int(draft.parallel),
        wake_at=tx.now + draft.delay_ms if delayed else None,
        lease_ms=draft.lease_ms,
        max_receive=draft.max_receive,
    )
    assert row is not None
    job_id: int = row["id"]
    is_text = isinstance(draft.payload, str)
    tx.run(
        "queue.save_payload",
        job_id=job_id,
        json=draft.payload if is_text else None,
        bytes=None if is_text else draft.payload,
    )
    if draft.key is not None:
        tx.run(
            "queue.save_key",
            queue=draft.queue,
            tenant=draft.tenant,
            key=draft.key,
            job_id=job_id,
            expires_at=tx.now + key_life_ms,
        )
    _count(tx, draft.queue, draft.tenant, draft.kind, "accepted")
    tx.ring()
    return Sent(id=job_id)


def receive(tx: Transaction, *, queue: str, owner: str, limit: int = 1, lease_ms: int | None = None) -> list[Job]:
    """Claim up to `limit` ready jobs, best first, for `lease_ms` or for as long as each job says itself."""
    _notice_the_clock(tx)
    wake(tx)
    rows = tx.all("queue.receive", queue=queue, owner=owner, limit=limit, lease_ms=lease_ms)
    rows.sort(key=lambda row: (-row["priority"], row.pop("place"), row["id"]))
    return [_job(row) for row in rows]


def extend(tx: Transaction, job: Job, *, lease_ms: int) -> bool:
    """Prolong the lease to `lease_ms` from now. False: the lease is lost."""
    return tx.one("queue.extend", id=job.id, received=job.received, wake_at=tx.now + lease_ms) is not None


def delete(tx: Transaction, job: Job) -> bool:
    """Acknowledge: the job is done. False: the lease is lost, and whatever else this transaction does must not stand."""
    row = tx.one("queue.delete", id=job.id, received=job.received)
    if row is None:
        return False
    tx.run("queue.delete_payload", id=job.id)
    _attempted(tx, row, job.received, "done", None)
    _count(tx, row["queue"], row["tenant"], row["kind"], "done")
    _advance(tx, row)
    return True


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
    state = "waiting" if delay_ms > 0 else "ready"
    _put_back(tx, row, job.received, state, failures, error, tx.now + delay_ms if delay_ms > 0 else None)
    _attempted(tx, row, job.received, "retry" if spend else "released", error, trace)
    if spend:
        _count(tx, row["queue"], row["tenant"], row["kind"], "retried")
    if state == "waiting":
        _advance(tx, row)
    return state


def bury(tx: Transaction, job: Job, *, error: str, trace: str | None = None) -> bool:
    """Move the job to the dead letters at once. False: the lease is lost."""
    row = tx.one("queue.leased", id=job.id, received=job.received)
    if row is None:
        return False
    _bury(tx, row, job.received, row["failures"] + 1, error, trace)
    return True


def redrive(tx: Transaction, job_id: int) -> bool:
    """Revive a dead job with all its tries; its fencing token goes on rising. False: it is not dead."""
    row = tx.one("queue.get", id=job_id)
    if row is None or row["state"] != "dead":
        return False
    state = _entry(tx, row["queue"], row["tenant"], row["lane"], bool(row["parallel"]))
    tx.run("queue.redrive", id=job_id, state=state)
    tx.ring()
    _count(tx, row["queue"], row["tenant"], row["kind"], "redriven")
    return True


def discard(tx: Transaction, job_id: int) -> bool:
    """Remove a job that nobody holds, for good. False: there is none, or it is being worked on."""
    row = tx.one("queue.discard", id=job_id)
    if row is None:
        return False
    tx.run("queue.delete_payload", id=job_id)
    _count(tx, row["queue"], row["tenant"], row["kind"], "discarded")
    _advance(tx, row)
    return True


def pause(tx: Transaction, queue: str, *, reason: str) -> None:
    """From now on nobody receives from this queue; sending goes on."""
    tx.run("queue.pause", queue=queue, reason=reason)


def resume(tx: Transaction, queue: str) -> None:
    tx.run("queue.resume", queue=queue)
    tx.ring()


def wake(tx: Transaction) -> int:
    """Make ready what is due: delays that are over, and leases that ended without a word. At most 256 at once."""
    rows = tx.all("queue.due")
    for row in rows:
        if row["state"] == "leased":
            _expire(tx, row)
        else:
            state = _entry(tx, row["queue"], row["tenant"], row["lane"], bool(row["parallel"]))
            tx.run("queue.wake", id=row["id"], state=state, failures=row["failures"], error=None)
    return len(rows)


def get(tx: Transaction, job_id: int) -> Job | None:
    row = tx.one("queue.get", id=job_id)
    return None if row is None else _job(row)


def jobs(
    tx: Transaction,
    *,
    queue: str | None = None,
    tenant: str | None = None,
    state: str | None = None,
    kind: str | None = None,
    after: int = 0,
    limit: int = 100,
) -> list[Job]:
    """Jobs in the order they were sent, without their payloads, those with an id above `after`."""
    rows = tx.all("queue.list", queue=queue, tenant=tenant, state=state, kind=kind, after=after, limit=limit)
    return [_job({**row, "json": "", "bytes": None}) for row in rows]


def attempts(tx: Transaction, job_id: int) -> list[Row]:
    """The ended deliveries of a job: received, owner, started_at, ended_at, outcome, error."""
    return tx.all("queue.attempts", id=job_id)


def depth(tx: Transaction, *, queues: Iterable[str], tenant: str) -> Depth:
    """How many jobs a tenant has in some queues together."""
    live = [tx.one("queue.live", queue=queue, tenant=tenant) or {} for queue in queues]
    dead = [tx.one("queue.dead", queue=queue, tenant=tenant) or {} for queue in queues]
    return Depth(
        pending=sum(row["pending"] for row in live),
        in_progress=sum(row["in_progress"] for row in live),
        failed=sum(row["failed"] for row in live),
        dead=sum(row["dead"] for row in dead),
        oldest=min((row["oldest"] for row in live if row["oldest"] is not None), default=None),
    )


def crowd(tx: Transaction, *, queues: Iterable[str], tenant: str, limit: int) -> int:
    """How many jobs of a tenant are not done and not dead, counted up to `limit` in each queue."""
    rows = [tx.one("queue.crowd", queue=queue, tenant=tenant, limit=limit) for queue in queues]
    return sum(row["jobs"] for row in rows if row)


def totals(tx: Transaction, *, queue: str | None = None, tenant: str | None = None) -> dict[str, int]:
    """How many jobs were ever accepted, done, retried, buried, redriven, discarded."""
    row = tx.one("queue.totals", queue=queue, tenant=tenant)
    assert row is not None
    return row


def is_ready(tx: Transaction, queues: Iterable[str]) -> bool:
    """Whether one of the queues has a job that could be received now."""
    return any(tx.one("queue.any_ready", queue=queue) for queue in queues)


def next_wake(tx: Transaction) -> int | None:
    """When the earliest delay or lease ends."""
    row = tx.one("queue.next_wake")
    return row["wake_at"] if row else None


def forget_keys(tx: Transaction) -> None:
    """Drop the keys that have outlived their time."""
    tx.run("queue.forget_keys")


def _entry(tx: Transaction, queue: str, tenant: str, lane: str | None, parallel: bool) -> str:
    """The state in which a job enters its lane: it waits behind a barrier, and a barrier waits behind everything."""
    if lane is None:
        return "ready"
    where = {"queue": queue, "tenant": tenant, "lane": lane}
    if tx.one("queue.lane_first", **where, state="blocked"):
        return "blocked"
    active = tx.one("queue.lane_first", **where, state="leased") or tx.one("queue.lane_first", **where, state="ready")
    return "blocked" if active and not (parallel and active["parallel"]) else "ready"


def _advance(tx: Transaction, row: Row) -> None:
    """A job has left its lane: if it was the last of its group, open the next group, a barrier or a parallel batch."""
    if row["lane"] is None:
        return
    where = {"queue": row["queue"], "tenant": row["tenant"], "lane": row["lane"]}
    if any(tx.one("queue.lane_first", **where, state=state) for state in ("leased", "ready")):
        return
    first = tx.one("queue.lane_first", **where, state="blocked")
    if first and not first["parallel"]:
        tx.run("queue.lane_open_one", id=first["id"])
        tx.ring()
    elif first:
        barrier = tx.one("queue.lane_barrier", **where)
        tx.run("queue.lane_open_batch", **where, barrier=barrier["id"] if barrier else None)
        tx.ring()


def _expire(tx: Transaction, row: Row) -> None:
    """A lease ended without a word: the delivery is spent, and the last one buries the job."""
    failures = row["failures"] + 1
    error = f"the lease ended without a word from {row['owner']}"
    is_last = failures >= row["max_receive"]
    tx.run("queue.wake", id=row["id"], state="dead" if is_last else "ready", failures=failures, error=error)
    _attempted(tx, row, row["received"], "expired", error)
    _count(tx, row["queue"], row["tenant"], row["kind"], "buried" if is_last else "retried")
    if is_last:
        _advance(tx, row)


def _bury(tx: Transaction, row: Row, received: int, failures: int, error: str | None, trace: str | None) -> str:
    _put_back(tx, row, received, "dead", failures, error, None)
    _attempted(tx, row, received, "dead", error, trace)
    _count(tx, row["queue"], row["tenant"], row["kind"], "buried")
    _advance(tx, row)
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


def _attempted(
    tx: Transaction, row: Row, received: int, outcome: str, error: str | None, trace: str | None = None
) -> None:
    tx.run(
        "queue.attempt",
        id=row["id"],
        received=received,
        queue=row["queue"],
        tenant=row["tenant"],
        kind=row["kind"],
        owner=row["owner"],
        started_at=row["leased_at"],
        outcome=outcome,
        error=error,
        trace=trace,
    )


def _count(tx: Transaction, queue: str, tenant: str, kind: str, event: str) -> None:
    counts = {name: int(name == event) for name in EVENTS}
    tx.run("queue.count", queue=queue, tenant=tenant, kind=kind, hour=tx.now // HOUR_MS, **counts)


def _notice_the_clock(tx: Transaction) -> None:
    """When the clock went back, pull every wake-up back with it: else a lease of a minute would last for an hour."""
    row = tx.one("queue.seen")
    seen = row["seen_at"] if row else 0
    if tx.now < seen - CLOCK_TOLERANCE_MS:
        tx.run("queue.turn_back", by=seen - tx.now)
    if not seen <= tx.now <= seen + CLOCK_TOLERANCE_MS:
        tx.run("queue.see")


def _job(row: Row) -> Job:
    json, data = row.pop("json"), row.pop("bytes")
    row["parallel"] = bool(row["parallel"])
    return Job(**row, payload=data if json is None else json)
