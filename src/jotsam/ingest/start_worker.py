"""Start a background worker if none is running and a job is due soon."""

from __future__ import annotations

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.core.names import EMBED, EVERY_QUEUE
from jotsam.core.platform import process_identity
from jotsam.ingest import spawn, spool
from jotsam.storage import queue
from jotsam.storage.database import transact
from jotsam.storage.sqlite import worker_lease

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from jotsam.storage.database import Database, Transaction

    T = TypeVar("T")

LEASE_MS = 60_000
RESERVATION_MS = 5_000
NO_PID = 0  # pid in a reservation: the worker is not started yet


def commit(database: Database, write: Callable[[Transaction], T], *, worker: str) -> T:
    """Run `write` in one durable transaction. With `worker="auto"`, then start a worker if none is running."""

    return transact(database, lambda tx: _write(database, tx, write, worker=worker))


def commit_with(
    database: Database, tx: Transaction, write: Callable[[Transaction], T], *, tenant: str, worker: str
) -> T:
    """Run `write` for a tenant in a transaction of the caller, who commits it. A worker is started after that.

    Raises `InvalidInput` if the transaction has ended, or is of another database or tenant.
    """
    url = getattr(tx, "url", None)
    if url != database.url:
        wrong = f"of type {type(tx).__name__}" if url is None else f"of {url}" if url else "that has ended"
        raise InvalidInput(f"invalid tx {wrong}: must be an open transaction of {database.url}")
    before = tx.tenant
    if before not in ("", tenant):
        raise InvalidInput(f"invalid tx of tenant {before!r}: must be of tenant {tenant!r}, or of none")
    try:
        result = _write(database, tx, write, worker=worker)
    except JotsamError:
        tx.set_tenant(before)  # It was raised before anything was written, and the caller may go on.
        raise
    tx.set_tenant(before)
    return result


def _write(database: Database, tx: Transaction, write: Callable[[Transaction], T], *, worker: str) -> T:
    result = write(tx)
    if worker == "auto" and database.is_file and (token := reserve_worker(tx)):
        tx.on_commit(lambda: spawn.launch(database.url, token=token))
    return result


def start_if_needed(database: Database, *, worker_idle_ms: int, embeds: bool = True) -> None:
    """Start a worker if none is running and one would find a job, or a spooled turn, within `worker_idle_ms`.

    `embeds`: it would have an embedder, without which it leaves jobs of `embed`. It also replaces a worker that was
    killed. On a server the operator starts workers, and this does nothing.
    """
    if not database.is_file:
        return
    with database.snapshot() as tx:
        due = queue.next_wake(tx)
        is_due_soon = due is not None and due <= tx.now + worker_idle_ms
        has_work = is_due_soon or queue.is_ready(tx, [name for name in EVERY_QUEUE if embeds or name != EMBED])
        has_work = has_work or queue.has_interrupted(tx, machine=process_identity.machine(is_local=True))
    if not has_work and not spool.waiting(database.url):
        return
    with database.transaction(durable=False) as tx:
        token = reserve_worker(tx)
    if token:
        spawn.launch(database.url, token=token)


def reserve_worker(tx: Transaction) -> str | None:
    """None if a worker is running; else a token with which the caller must launch one after the commit.

    The reservation prevents many senders at once from launching a worker each.
    """
    if live_holder(tx):
        return None
    token = new_id()
    reservation = worker_lease.Holder(owner=token, pid=NO_PID, host=process_identity.host())
    worker_lease.take(tx, reservation, lease_ms=RESERVATION_MS)
    return token


def live_holder(tx: Transaction) -> worker_lease.Holder | None:
    """The holder of the worker lease of a file, unless it is a process of this host that has ended.

    The pid is `NO_PID` while the worker is starting.
    """
    holder = worker_lease.holder(tx, longest_ms=LEASE_MS)
    if holder is None or holder.pid == NO_PID or holder.host != process_identity.host():
        return holder
    return holder if process_identity.is_alive(holder.pid) else None
