"""Visits of all tenants by a worker or a server that cleans up, some at a time."""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms, random_float
from jotsam.core.names import ENRICH
from jotsam.storage import queue
from jotsam.storage.access import tokens
from jotsam.storage.transfer import tenant_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Database, Transaction

TENANTS = 50  # that are visited at a time


def tenants_here(tx: Transaction) -> list[str]:
    """The tenants of the database, without those on their way to or on another server, whose tokens may still be here.

    A tenant that has only tokens has an audit too.
    """
    return sorted({*queue.tenants(tx, queue=ENRICH), *tokens.tenants(tx)} - tenant_moves.held(tx))


class TenantVisits:
    """Visits all tenants, some per call, once per interval.

    Each begins at a random tenant, because a worker that exits early might never reach the last one.
    """

    def __init__(self, database: Database, *, interval_ms: int) -> None:
        self._database = database
        self._interval_ms = interval_ms
        self._next_at = 0
        self._left: list[str] = []

    def is_due(self) -> bool:
        """Whether there are tenants to visit now."""
        return bool(self._left) or monotonic_ms() >= self._next_at

    def some(self) -> list[str]:
        """The next tenants; empty until the next interval begins."""
        if not self.is_due():
            return []
        if not self._left:
            with self._database.snapshot() as tx:
                names = tenants_here(tx)
            first = int(random_float() * len(names))
            self._left = names[first:] + names[:first]
            self._next_at = monotonic_ms() + self._interval_ms
        some, self._left = self._left[:TENANTS], self._left[TENANTS:]
        return some

    def revisit(self, tenant: str) -> None:
        """Visit a tenant once more in this interval."""
        self._left.append(tenant)
