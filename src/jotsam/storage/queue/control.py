"""The operator's hand: pause and resume, revive and discard; and the breaker, which pauses a queue by itself."""

from __future__ import annotations

from jotsam.storage.queue.history import count
from jotsam.storage.queue.lanes import advance, entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

FIRST_PROBE_MS = 10_000
LONGEST_PROBE_MS = 900_000


def pause(tx: Transaction, queue: str, *, reason: str) -> None:
    """From now on nobody receives from this queue, until `resume`; sending goes on."""
    tx.run("queue.pause", queue=queue, reason=reason, probe_at=None, trips=0)


def resume(tx: Transaction, queue: str) -> None:
    tx.run("queue.resume", queue=queue)
    tx.ring()


def trip(tx: Transaction, queue: str, *, reason: str) -> int:
    """What the jobs of this queue need is not there: pause it, and let one job through at growing intervals to see.

    The first job that is done closes the breaker. Returns when the next probe is allowed.
    """
    row = control(tx, queue)
    if row and row["paused"] and row["probe_at"] is None:
        return tx.now  # Paused by hand: that stands.
    trips = min(row["trips"] if row else 0, 20)
    probe_at = tx.now + min(FIRST_PROBE_MS << trips, LONGEST_PROBE_MS)
    tx.run("queue.pause", queue=queue, reason=reason, probe_at=probe_at, trips=trips + 1)
    return probe_at


def allowance(tx: Transaction, queue: str, limit: int) -> int:
    """How many jobs may be received now: `limit`, none from a paused queue, one from a tripped one that may probe."""
    row = control(tx, queue)
    if row is None or not row["paused"]:
        return limit
    if row["probe_at"] is None or row["probe_at"] > tx.now:
        return 0
    mine = tx.one("queue.probe", queue=queue, probe_at=tx.now + LONGEST_PROBE_MS)
    return min(limit, 1) if mine else 0


def cancel(tx: Transaction, job_id: int) -> bool:
    """Remove a job that nobody holds, or tell the handler of one that runs to stop. False: there is none."""
    return discard(tx, job_id) or tx.one("queue.cancel", id=job_id) is not None


def purge(tx: Transaction, queue: str, *, state: str | None = None, limit: int = 1_000) -> int:
    """Discard jobs that nobody holds, all or those of one state, at most `limit`. Returns how many."""
    rows = tx.all("queue.purgeable", queue=queue, state=state, limit=limit)
    return sum(discard(tx, row["id"]) for row in rows)


def forget_tenant(tx: Transaction, queue: str, *, tenant: str) -> None:
    """Remove every job of a tenant, those that run included, and all that is known of those that are gone."""
    where = {"queue": queue, "tenant": tenant}
    tx.run("queue.forget_tenant_payloads", **where)
    for table in ("jobs", "attempts", "counts", "keys", "places"):
        tx.run(f"queue.forget_tenant_{table}", **where)


def control(tx: Transaction, queue: str) -> Row | None:
    """Whether a queue is `paused`, the `reason`, when it probes (`probe_at`), and whether it is `fair`."""
    return tx.one("queue.control", queue=queue)


def paused(tx: Transaction) -> list[Row]:
    """The queues that are paused: queue, reason, and for those that a breaker paused `probe_at`."""
    return tx.all("queue.paused")


def fair(tx: Transaction, queue: str, *, on: bool) -> None:
    """Serve the tenants of a queue in turn, from the jobs sent after this on."""
    tx.run("queue.fair", queue=queue, fair=int(on))


def redrive(tx: Transaction, job_id: int) -> bool:
    """Revive a dead job with all its tries; its fencing token goes on rising. False: it is not dead."""
    row = tx.one("queue.get", id=job_id)
    if row is None or row["state"] != "dead":
        return False
    state = entry(tx, row["queue"], row["tenant"], row["lane"], bool(row["parallel"]))
    if tx.one("queue.redrive", id=job_id, state=state) is None:
        return False  # Somebody else was faster.
    tx.ring()
    count(tx, row["queue"], row["tenant"], row["kind"], "redriven")
    return True


def hurry(tx: Transaction, job_id: int) -> bool:
    """Let a job that waits for its time be due now; its tries stay as they are. False: it does not wait."""
    if tx.one("queue.hurry", id=job_id) is None:
        return False
    tx.ring()
    return True


def hurry_all(tx: Transaction, queue: str, *, error: str, but: str) -> int:
    """The same for all that wait in a queue with an error that begins with a word, and is not a certain one."""
    rows = tx.all("queue.hurry_all", queue=queue, error=f"{error}%", but=but)
    if rows:
        tx.ring()
    return len(rows)


def discard(tx: Transaction, job_id: int) -> bool:
    """Remove a job that nobody holds, for good. False: there is none, or it is being worked on."""
    row = tx.one("queue.discard", id=job_id)
    if row is None:
        return False
    tx.run("queue.delete_payload", id=job_id)
    count(tx, row["queue"], row["tenant"], row["kind"], "discarded")
    advance(tx, row)
    return True
