"""Sends the jobs that bring to engines what a transaction changed, before its commit."""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jotsam.memory.tenant_visits import TenantVisits
    from jotsam.storage.database import Database, Transaction

# How long it may take until a process knows of a new engine. What it wrote since is in the log, and is found later.
KNOWN_MS = 1_000
VISIT_MS = 10_000  # interval at which an idle worker looks for such changes


class MirrorJobs:
    """Called with each transaction that writes, as `Database.before_commit`."""

    def __init__(self, start_worker: Callable[[], None] | None = None) -> None:
        """`start_worker` starts a worker if there is work and none is running."""
        self._start_worker = start_worker
        self._names: Sequence[str] = ()
        self._known_until = 0

    def __call__(self, tx: Transaction) -> None:
        of = sorted(tx.tenants - {""})
        if of and monotonic_ms() >= self._known_until:
            self._names = [row["name"] for row in tx.all("engines.every")]
            self._known_until = monotonic_ms() + KNOWN_MS
        if self._names and send(tx, of, self._names) and self._start_worker:
            tx.on_commit(self._start_worker)


def send(tx: Transaction, tenants: Sequence[str], names: Sequence[str]) -> bool:
    """Ensure the jobs of some tenants for some engines. Returns whether there is anything to do."""
    from jotsam.worker.mirror import send_jobs  # Not imported without an engine.

    is_any = False
    for tenant in tenants:
        tx.set_tenant(tenant)
        is_any = send_jobs(tx, names) or is_any
    return is_any


def send_when_idle(database: Database, visits: TenantVisits) -> None:
    """Ensure the jobs of the tenants that are visited, in case a process wrote before it knew of an engine."""
    with database.snapshot() as tx:
        names = [row["name"] for row in tx.all("engines.every")]
    if names and (some := visits.some()):
        with database.transaction(durable=False) as tx:
            send(tx, some, names)
