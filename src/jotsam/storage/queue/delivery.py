"""The life of a job: send, receive, extend, delete, release, bury.

Functions that change a received job check its id and its fencing token. If the lease is lost they change nothing and
return False, None or an empty result.
"""

from __future__ import annotations

from jotsam.core.job_records import Sent
from jotsam.storage.queue.clock_shift import CLOCK_TOLERANCE_MS, check_clock
from jotsam.storage.queue.control import allowance, control
from jotsam.storage.queue.history import HOUR_MS, count, record_attempt
from jotsam.storage.queue.inspect_jobs import job as job_of
from jotsam.storage.queue.interruptions import interrupt
from jotsam.storage.queue.lanes import advance, entry_state, raise_place, take_place
from jotsam.storage.queue.watermark import BEGINNING, Watermark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from jotsam.core.job_records import Job, JobSpec
    from jotsam.storage.database import Row, Transaction, Value

AT_ONCE = 1_000  # jobs that one statement sends or acknowledges
KEY_LIFE_MS = 30 * 24 * 3_600_000
MAX_SHORT = 1_000  # characters of JSON that are in the row of the job, which every claim writes again


def send(tx: Transaction, spec: JobSpec, *, key_life_ms: int = KEY_LIFE_MS) -> Sent:
    """Enqueue a job. If its idempotency key was used within `key_life_ms`, return the id of that job instead."""
    if spec.key is not None:
        tx.lock(f"key {spec.queue} {spec.tenant} {spec.key}")  # Another process may be sending with the same key.
        known = tx.one("queue.find_key", queue=spec.queue, tenant=spec.tenant, key=spec.key)
        if known:
            return Sent(id=known["job_id"], duplicate=True)
    delayed = spec.delay_ms > 0
    if delayed:
        check_clock(tx)
    short, json, blob = _stored(spec.payload)
    row = tx.one(
        "queue.send",
        queue=spec.queue,
        tenant=spec.tenant,
        kind=spec.kind,
        state="waiting" if delayed else entry_state(tx, spec.queue, spec.tenant, spec.lane, spec.parallel),
        priority=spec.priority,
        lane=spec.lane,
        parallel=int(spec.parallel),
        wake_at=tx.now + spec.delay_ms if delayed else None,
        lease_ms=spec.lease_ms,
        max_receive=spec.max_receive,
        short=short,
        json=json,
        bytes=blob,
        hour=tx.now // HOUR_MS,
    )
    assert row is not None
    job_id: int = row["id"]
    take_place(tx, spec.queue, spec.tenant, row["place"])
    if spec.key is not None:
        tx.run(
            "queue.save_key",
            queue=spec.queue,
            tenant=spec.tenant,
            key=spec.key,
            job_id=job_id,
            expires_at=tx.now + key_life_ms,
        )
    tx.notify()
    return Sent(id=job_id)


def send_many(
    tx: Transaction, specs: Sequence[JobSpec], payloads: Sequence[str | bytes], *, key_life_ms: int = KEY_LIFE_MS
) -> list[Sent]:
    """Enqueue jobs of one queue in order, each as `send` does, with these payloads instead of those of `specs`."""
    found = control(tx, specs[0].queue) if specs else None
    if (found and found["fair"]) or any(spec.lane is not None for spec in specs):
        given = zip(specs, payloads, strict=True)  # The state or the place of each depends on those before it.
        return [send(tx, spec.replace(payload=payload), key_life_ms=key_life_ms) for spec, payload in given]
    known = _known_keys(tx, specs)
    names = [at if spec.key is None else (spec.tenant, spec.key) for at, spec in enumerate(specs)]
    new: dict[Any, int] = {}  # the place in `specs` of each job to insert, by its name
    for at, name in enumerate(names):
        if name not in known:
            new.setdefault(name, at)
    ids = _insert(tx, [(specs[at], payloads[at]) for at in new.values()])
    made = dict(zip(new, ids, strict=True))
    keyed = [(*name, id) for name, id in made.items() if isinstance(name, tuple)]
    expires_at = tx.now + key_life_ms
    tx.run_many(
        "queue.save_key",
        [
            {"queue": specs[0].queue, "tenant": tenant, "key": key, "job_id": id, "expires_at": expires_at}
            for tenant, key, id in keyed
        ],
    )
    return [
        Sent(id=made[name]) if new.get(name) == at else Sent(id=known.get(name) or made[name], duplicate=True)
        for at, name in enumerate(names)
    ]


def _known_keys(tx: Transaction, specs: Sequence[JobSpec]) -> dict[Any, int]:
    """The jobs whose keys are used already, by tenant and key."""
    keys = sorted({(spec.tenant, spec.key) for spec in specs if spec.key is not None})
    if not keys:
        return {}
    for tenant, key in keys:  # In the same order everywhere: two processes cannot wait for each other.
        tx.lock(f"key {specs[0].queue} {tenant} {key}")
    rows = tx.all("queue.find_keys", queue=specs[0].queue, keys=_json(keys))
    return {(row["tenant"], row["key"]): row["job_id"] for row in rows}


def _insert(tx: Transaction, jobs: Sequence[tuple[JobSpec, str | bytes]]) -> list[int]:
    """Insert jobs without lanes. Returns their ids in the same order."""
    ids: list[int] = []
    accepted: dict[tuple[str, str], int] = {}
    if any(spec.delay_ms > 0 for spec, _ in jobs):
        check_clock(tx)
    for start in range(0, len(jobs), AT_ONCE):
        rows: list[tuple[Value, ...]] = []
        aside: list[tuple[int, str | None, bytes | None]] = []
        for spec, payload in jobs[start : start + AT_ONCE]:
            short, json, blob = _stored(payload)
            if short is None:
                aside.append((len(rows), json, blob))
            wake_at = tx.now + spec.delay_ms if spec.delay_ms > 0 else None
            rows.append((spec.tenant, spec.kind, spec.priority, wake_at, spec.lease_ms, spec.max_receive, short))
            accepted[spec.tenant, spec.kind] = accepted.get((spec.tenant, spec.kind), 0) + 1
        made = sorted(row["id"] for row in tx.all("queue.send_many", queue=jobs[0][0].queue, jobs=_json(rows)))
        beside = [{"job_id": made[at], "json": json, "bytes": blob} for at, json, blob in aside]
        tx.run_many("queue.save_payload", beside)
        ids += made
    for (tenant, kind), times in accepted.items():
        count(tx, {"queue": jobs[0][0].queue, "tenant": tenant, "kind": kind}, "accepted", times=times)
    if ids:
        tx.notify()
    return ids


def _stored(payload: str | bytes) -> tuple[str | None, str | None, bytes | None]:
    """A payload as text in the row of its job, as a longer text beside it, or as bytes beside it."""
    if isinstance(payload, bytes):
        return None, None, payload
    return (payload, None, None) if len(payload) <= MAX_SHORT else (None, payload, None)


def _json(value: object) -> str:
    import json  # Slow to import: accepting uses this module, and sends one job.

    return json.dumps(value)


def ensure(tx: Transaction, spec: JobSpec) -> None:
    """Send a job, unless its queue has a live one of its tenant.

    For jobs that process everything pending. Their handler must check for new work in the transaction that acknowledges
    them, and then call this again. Work that is written in the same transaction as this call is never missed.
    """
    if tx.one("queue.lock_live", queue=spec.queue, tenant=spec.tenant) is None:
        send(tx, spec)


def receive(
    tx: Transaction,
    *,
    queue: str,
    owner: str,
    limit: int = 1,
    lease_ms: int | None = None,
    watermark: Watermark | None = None,
) -> list[Job]:
    """Claim up to `limit` ready jobs in order, with a lease of `lease_ms` or of the length that each job specifies.

    A receiver that claims repeatedly passes its `watermark`; see there.
    """
    options: dict[str, str | int | None] = {"queue": queue, "owner": owner, "lease_ms": lease_ms}
    if watermark:
        watermark.begin(tx.now)
        rows = _claim_above(tx, watermark, limit=limit, looked=0, **options)
        if rows:
            watermark.woken()
            return _claimed(tx, rows, queue=queue)
    since = watermark.since if watermark else -1
    state = tx.one("queue.claim_state", queue=queue, since=since)
    assert state is not None
    is_back = check_clock(tx, state["seen_at"])
    if state["due"] or is_back:
        wake(tx)
    elif watermark:
        watermark.woken()
    if state["paused"]:
        limit = allowance(tx, queue, limit)
    if limit == 0:
        return []
    if limit == 1 and not watermark:
        return _claimed(tx, tx.all("queue.receive_one", **options), queue=queue)
    watermark = watermark or Watermark()
    rows = _claim_above(tx, watermark, limit=limit, looked=1, **options)
    if not rows and watermark.position != BEGINNING:
        watermark.reset()
        rows = _claim_above(tx, watermark, limit=limit, looked=1, **options)
    return _claimed(tx, rows, queue=queue)


def _claim_above(tx: Transaction, watermark: Watermark, *, looked: int, **options: str | int | None) -> list[Row]:
    """Claim the first jobs above the watermark. With `looked` = 0 the query checks itself that nothing else is due."""
    where = dict(zip(("after_priority", "after_place", "after_id"), watermark.position, strict=True))
    checks = {"looked": looked, "since": watermark.since, "tolerance": CLOCK_TOLERANCE_MS}
    rows = tx.all("queue.receive", **options, **where, **checks)
    if rows:
        rows.sort(key=lambda row: (-row["priority"], row["place"], row["id"]))
        watermark.advance(rows)
    return rows


def _claimed(tx: Transaction, rows: list[Row], *, queue: str) -> list[Job]:
    raise_place(tx, queue, max((row.pop("place") for row in rows), default=0))
    return [job_of(row) for row in rows]


def extend(tx: Transaction, job: Job, *, lease_ms: int) -> bool:
    """Extend the lease to `lease_ms` from now. False if it is lost."""
    check_clock(tx)
    if tx.one("queue.lock_leased", id=job.id, received=job.received) is None:
        return False
    return bool(_run_batches(tx, "queue.extend", [(job.id, job.received, lease_ms)]))


def extend_many(tx: Transaction, jobs: Iterable[Job]) -> dict[tuple[int, int], bool]:
    """Extend each lease by its own length from now. Returns the jobs whose lease is not lost, and whether cancelled.

    A job that another transaction has locked is not waited for: it is returned, and not extended.
    """
    given = [(job.id, job.received, job.lease_ms) for job in jobs]
    if given:
        check_clock(tx)
    return {(row["id"], row["received"]): bool(row["cancelled"]) for row in _run_batches(tx, "queue.extend", given)}


def delete(tx: Transaction, job: Job, *, outcome: str = "done", error: str | None = None) -> bool:
    """Acknowledge a job as `done` or `cancelled`. False if the lease is lost: then roll the transaction back."""
    return bool(delete_many(tx, [job], outcome=outcome, error=error))


def delete_many(
    tx: Transaction, jobs: Iterable[Job], *, outcome: str = "done", error: str | None = None
) -> set[tuple[int, int]]:
    """Acknowledge many jobs. Returns the id and token of those acknowledged; the leases of the others are lost."""
    given = [*dict.fromkeys((job.id, job.received) for job in jobs)]
    query = "queue.delete_one" if len(given) == 1 else "queue.delete"
    rows = _run_batches(tx, query, given, size=AT_ONCE, outcome=outcome, error=error, hour=tx.now // HOUR_MS)
    for row in rows:
        advance(tx, row)
    return {(row["id"], row["received"]) for row in rows}


def _run_batches(
    tx: Transaction, query: str, jobs: Sequence[tuple[int, ...]], *, size: int | None = None, **params: Value
) -> list[Row]:
    """Run a query for jobs, given by id, token and further numbers, in batches of the size that suits the database."""
    rows: list[Row] = []
    size = size or tx.batch_size
    for start in range(0, len(jobs), size):
        batch = [list(job) for job in jobs[start : start + size]]
        rows += tx.all(query, jobs=str(batch), id=batch[0][0], received=batch[0][1], **params)
    return rows


def release(
    tx: Transaction, job: Job, *, error: str | None, trace: str | None = None, delay_ms: int = 0, spend: bool = True
) -> str | None:
    """Return the job to the queue, to be received again after `delay_ms`. `error` and `trace` are kept in its history.

    With `spend` it counts as a failure, and the last one buries the job. Returns the new state, or None if the lease is
    lost.
    """
    row = tx.one("queue.lock_leased", id=job.id, received=job.received)
    if row is None:
        return None
    failures = row["failures"] + int(spend)
    if spend and failures >= row["max_receive"]:
        return _bury(tx, row, job.received, failures, error, trace)
    if delay_ms > 0:
        check_clock(tx)
    state = "waiting" if delay_ms > 0 else "ready"
    _put_back(tx, row, job.received, state, failures, error, tx.now + delay_ms if delay_ms > 0 else None)
    record_attempt(tx, row, job.received, "retry" if spend else "released", error, trace)
    if spend:
        count(tx, row, "retried")
    if state == "waiting":
        advance(tx, row)
    return state


def report_progress(tx: Transaction, job: Job, *, share: float, note: str | None = None) -> bool:
    """Save the progress of a job, from 0 to 1. False if the lease is lost."""
    return tx.one("queue.progress", id=job.id, received=job.received, share=share, note=note) is not None


def save_result(tx: Transaction, job: Job, *, json: str, life_ms: int) -> None:
    """Keep the result of a job for `life_ms`. To be called in the transaction that acknowledges it."""
    tx.run("queue.save_result", job_id=job.id, json=json, expires_at=tx.now + life_ms)


def bury(tx: Transaction, job: Job, *, error: str, trace: str | None = None) -> bool:
    """Dead-letter the job at once. False if the lease is lost."""
    row = tx.one("queue.lock_leased", id=job.id, received=job.received)
    if row is None:
        return False
    _bury(tx, row, job.received, row["failures"] + 1, error, trace)
    return True


def wake(tx: Transaction) -> None:
    """Make jobs ready whose delay is over or whose lease has expired, at most 256 at once."""
    for row in tx.all("queue.due"):
        if row["state"] == "leased":
            _expire(tx, row)
        else:
            state = entry_state(tx, row["queue"], row["tenant"], row["lane"], bool(row["parallel"]))
            tx.run("queue.wake", id=row["id"], state=state, failures=row["failures"], error=None)


def _expire(tx: Transaction, row: Row) -> None:
    """A lease expired: an interruption if a worker held it, else a failure, of which the last one buries the job."""
    if row["worker"]:
        interrupt(tx, row, error=f"the lease of {row['worker']} expired")
        return
    failures = row["failures"] + 1
    error = f"the lease of {row['owner']} expired"
    is_last = failures >= row["max_receive"]
    tx.run("queue.wake", id=row["id"], state="dead" if is_last else "ready", failures=failures, error=error)
    record_attempt(tx, row, row["received"], "expired", error)
    count(tx, row, "buried" if is_last else "retried")
    if is_last:
        advance(tx, row)


def _bury(tx: Transaction, row: Row, received: int, failures: int, error: str | None, trace: str | None) -> str:
    _put_back(tx, row, received, "dead", failures, error, None)
    record_attempt(tx, row, received, "dead", error, trace)
    count(tx, row, "buried")
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
