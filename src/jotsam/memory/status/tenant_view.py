"""What a tenant sees: its memory, and nothing of the server that keeps it.

Errors of models, engines and databases quote addresses and machines. An operator needs them, a tenant does not, so they
are taken out of the rows of the queue here, once, in place of in each surface.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

from jotsam.core import dsn
from jotsam.memory.status import health

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from typing import Any, Protocol, Self, TypeVar

    from jotsam.core.records import ReplicaState
    from jotsam.memory.status.health import Finding
    from jotsam.memory.status.overview import Overview
    from jotsam.memory.status.status import Status
    from jotsam.storage.database import Database, Row, Transaction, Value

    class Client(Protocol):
        """What is used of `Jotsam`."""

        database: Database
        shows_server: bool

        def scoped(self) -> Self: ...

    C = TypeVar("C", bound=Client)

REPLICA = "replica"  # its name is an address
# Queries whose rows are about jobs. Those of other files are written back, by a trash or a copy.
OF_JOBS = ("queue.", "queue_counts.", "job_lists.", "documents.", "memories.", "lifecycle.", "lifecycle_status.")
ERRORS = ("error", "job_error", "reason")
WORKER = ("owner", "host", "pid")


def tenant_client(jot: C) -> C:
    """A client of the same tenant that shows nothing of the server. Closing it does nothing."""
    view = jot.scoped()
    hidden: Any = _TenantDatabase(jot.database)
    view.database = hidden
    view.shows_server = False
    return view


def status_of_tenant(found: Status) -> Status:
    """The status without the processes, places and other tenants of the server."""
    own = found.spent.replace(tokens_of_all=found.spent.tokens, cost_of_all=found.spent.cost)
    told = _told(found.findings)
    return found.replace(
        worker_pid=None, capture_off=(), replicas=(), spent=own, findings=told, level=health.level_of(told)
    )


def overview_of_tenant(found: Overview) -> Overview:
    """The same for the first page, which so says nothing of the use by others."""
    told = _told(found.findings)
    level = health.level_of(told)
    return found.replace(capture_off=(), replicas=(), tokens_today=0, cost_today=0.0, findings=told, level=level)


def _told(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(one for one in findings if not one.of_server)


class _TenantDatabase:
    """See `storage.database.Database`. The rows of its transactions have no addresses in their errors."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    def transaction(self, *, tenant: str = "", durable: bool = True) -> AbstractContextManager[Transaction]:
        return _hidden(self._database.transaction(tenant=tenant, durable=durable))

    def snapshot(self, *, tenant: str = "") -> AbstractContextManager[Transaction]:
        return _hidden(self._database.snapshot(tenant=tenant))

    def replica(self, *, tenant: str, max_lag_ms: int) -> AbstractContextManager[Transaction] | None:
        found = self._database.replica(tenant=tenant, max_lag_ms=max_lag_ms)
        return None if found is None else _hidden(found)

    def replica_states(self) -> tuple[ReplicaState, ...]:
        return ()


@contextmanager
def _hidden(opened: AbstractContextManager[Transaction]) -> Iterator[Any]:
    with opened as tx:
        yield _TenantTransaction(tx)


class _TenantTransaction:
    """See `storage.database.Transaction`."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tx, name)

    def one(self, query: str, **params: Value) -> Row | None:
        row = self._tx.one(query, **params)
        return None if row is None else _shown(query, row)

    def all(self, query: str, **params: Value) -> list[Row]:
        return list(map(partial(_shown, query), self._tx.all(query, **params)))

    @property
    def replica(self) -> ReplicaState | None:
        found = self._tx.replica
        return found and found.replace(name=REPLICA, problem=dsn.without_addresses(found.problem))

    @replica.setter
    def replica(self, found: ReplicaState | None) -> None:
        self._tx.replica = found


def _shown(query: str, row: Row) -> Row:
    """A row as a tenant sees it: without addresses in errors and in reasons of pauses, and without the worker."""
    if query.startswith(OF_JOBS):
        for name in ERRORS:
            if isinstance(row.get(name), str):
                row[name] = dsn.without_addresses(row[name])
        row.update((name, None) for name in WORKER if name in row)
    return row
