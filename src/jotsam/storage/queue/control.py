"""Operating the queue: pause and resume, redrive and discard, and the circuit breaker."""

from __future__ import annotations

from jotsam.storage.queue.clock_shift import check_clock
from jotsam.storage.queue.history import count, keep_counts
from jotsam.storage.queue.lanes import advance, entry_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

FIRST_PROBE_MS = 10_000
LONGEST_PROBE_MS = 900_000


def pause(tx: Transaction, queue: str, *, reason: str) -> None:
    """Stop deliveries from this queue until `resume`. Jobs can still be sent."""
    tx.run("queue.pause", queue=queue, reason=reason, probe_at=None, trips=0)


def resume(tx: Transaction, queue: str) -> None:
    tx.run("queue.resume", queue=queue)
    tx.notify()


def open_breaker(tx: Transaction, queue: str, *, reason: str) -> int:
    """Pause a queue whose jobs cannot succeed now, and deliver one job at growing intervals as a probe.

    The first job that is done closes the breaker. Returns the time of the next probe.
    """
    row = control(tx, queue)
    if row and row["paused"] and row["probe_at"] is None:
        return tx.now  # Paused by an operator, which has precedence.
    trips = min(row["trips"] if row else 0, 20)
    probe_at = tx.now + min(FIRST_PROBE_MS << trips, LONGEST_PROBE_MS)
    tx.run("queue.pause", queue=queue, reason=reason, probe_at=probe_at, trips=trips + 1)
    return probe_at


def allowance(tx: Transaction, queue: str, limit: int) -> int:
    """How many jobs may be received now: `limit`, 0 from a paused queue, 1 if the breaker allows a probe."""
    row = control(tx, queue)
    if row is None or not row["paused"]:
        return limit
    if row["probe_at"] is None or row["probe_at"] > tx.now:
        return 0
    probe = tx.one("queue.probe", queue=queue, probe_at=tx.now + LONGEST_PROBE_MS)
    return min(limit, 1) if probe else 0


def cancel(tx: Transaction, job_id: int) -> bool:
    """Discard a job, or if it is leased, ask its handler to stop. False if it does not exist."""
    return discard(tx, job_id) or tx.one("queue.cancel", id=job_id) is not None


def purge(tx: Transaction, queue: str, *, state: str | None = None, limit: int = 1_000) -> int:
    """Discard at most `limit` jobs that are not leased, of one state or of all. Returns how many."""
    rows = tx.all("queue.purgeable", queue=queue, state=state, limit=limit)
    return sum(discard(tx, row["id"]) for row in rows)


def forget_jobs(tx: Transaction, ids: Iterable[int]) -> int:
    """Remove jobs that are not running, their results, and the attempts of all.

    A running job is left to its worker. Returns how many jobs were not done.
    """
    wanted = [*ids]
    import json  # Slow to import, and rarely needed.

    unfinished = tx.all("queue.unfinished", ids=json.dumps(wanted))
    running = {row["id"] for row in unfinished if not discard(tx, row["id"])}
    idle = json.dumps([id for id in wanted if id not in running])
    tx.run("queue.forget_attempts", ids=json.dumps(wanted))
    tx.run("queue.forget_results", ids=idle)
    return len(unfinished) - len(running)


def kept_texts(tx: Transaction, queue: str, *, tenant: str) -> tuple[list[Row], list[Row]]:
    """The payloads of a tenant's jobs that are not running, and the kept results: `id` of the job, and `json`."""
    where = {"queue": queue, "tenant": tenant}
    return tx.all("queue.payloads", **where), tx.all("queue.kept_results", **where)


def forget_results(tx: Transaction, ids: Iterable[int]) -> None:
    """Remove the kept results of jobs."""
    import json  # As in `forget_jobs`.

    tx.run("queue.forget_results", ids=json.dumps([*ids]))


def forget_tenant(tx: Transaction, queue: str, *, tenant: str) -> None:
    """Remove all jobs of a tenant, leased ones included, and the history of completed ones."""
    where = {"queue": queue, "tenant": tenant}
    tx.run("queue.forget_tenant_payloads", **where)
    forget_results(tx, [row["id"] for row in tx.all("queue.kept_results", **where)])
    keep_counts(tx, **where)
    for table in ("jobs", "attempts", "counts", "keys", "places"):
        tx.run(f"queue.forget_tenant_{table}", **where)


def control(tx: Transaction, queue: str) -> Row | None:
    """The state of a queue: `paused`, `reason`, `probe_at`, `fair`. None for a queue that was never controlled."""
    return tx.one("queue.control", queue=queue)


def paused(tx: Transaction) -> list[Row]:
    """The paused queues: `queue`, `reason`, and `probe_at` if the breaker paused it."""
    return tx.all("queue.paused")


def set_fair(tx: Transaction, queue: str, *, on: bool) -> None:
    """Serve the tenants of a queue in turn. Applies to jobs sent from now on."""
    tx.run("queue.set_fair", queue=queue, fair=int(on))


def redrive(tx: Transaction, job_id: int, *, delay_ms: int = 0) -> bool:
    """Revive a dead job with all its attempts, after `delay_ms`; its fencing token keeps rising.

    False if it is not dead.
    """
    row = tx.one("queue.get", id=job_id)
    if row is None or row["state"] != "dead":
        return False
    if delay_ms > 0:
        check_clock(tx)
        state, wake_at = "waiting", tx.now + delay_ms
    else:
        state, wake_at = entry_state(tx, row["queue"], row["tenant"], row["lane"], bool(row["parallel"])), None
    if tx.one("queue.redrive", id=job_id, state=state, wake_at=wake_at) is None:
        return False  # Another process has just revived it.
    tx.notify()
    count(tx, row, "redriven")
    return True


def run_now(tx: Transaction, job_id: int) -> bool:
    """End the delay of a waiting job. Its attempts stay the same. False if it is not waiting."""
    if tx.one("queue.run_now", id=job_id) is None:
        return False
    tx.notify()
    return True


def run_all_now(tx: Transaction, queue: str, *, error: str, but: str) -> int:
    """The same for all waiting jobs of a queue whose error starts with `error` and is not `but`. Returns how many."""
    rows = tx.all("queue.run_all_now", queue=queue, error=f"{error}%", but=but)
    if rows:
        tx.notify()
    return len(rows)


def discard(tx: Transaction, job_id: int) -> bool:
    """Remove a job permanently. False if it does not exist or is leased."""
    row = tx.one("queue.discard", id=job_id)
    if row is None:
        return False
    tx.run("queue.delete_payload", id=job_id)
    count(tx, row, "discarded")
    advance(tx, row)
    return True
