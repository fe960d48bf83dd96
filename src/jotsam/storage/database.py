"""The contract that both databases implement: transactions with named queries.

Storage modules (`queue`, `documents`, ...) consist of functions whose first argument is an open transaction. They name
their queries as `<file>.<query>`; see `storage.statements`.
"""

from __future__ import annotations

from jotsam.core.errors import DatabaseFull, ReplicaUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from contextlib import AbstractContextManager
    from typing import Any, Protocol, TypeVar

    from jotsam.core.records import ReplicaState
    from jotsam.storage.migrations import Migration

    T = TypeVar("T")
    Value = str | int | float | bytes | None
    Row = dict[str, Any]

    class Transaction(Protocol):
        """Named queries inside one transaction. Each binds `:now` and, if it has a tenant, `:tenant`."""

        now: int  # milliseconds, read once at the start of the transaction
        tenant: str  # of the transaction, or empty: then a query with `:tenant` raises unless the caller passes one
        tenants: set[str]  # all that it had; '' is none
        url: str  # of its database; empty after it has ended
        replica: ReplicaState | None  # the replica that answers, or why none does; None: nothing to say
        indexes_later: bool  # whether the words of an accepted document may be indexed later
        waiting: Transaction | None  # the index of `waiting_texts`, which queries of the text index read too
        batch_size: int  # how many items a statement should handle: more on a server, where each one is a round trip

        def one(self, query: str, **params: Value) -> Row | None: ...
        def all(self, query: str, **params: Value) -> list[Row]: ...
        def run(self, query: str, **params: Value) -> None: ...
        def run_many(self, query: str, rows: Iterable[Mapping[str, Value]]) -> None: ...
        def execute(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
            """Run SQL of the caller in this transaction."""
            ...

        def set_tenant(self, tenant: str) -> None:
            """Bind another tenant from here on. For code that serves several tenants in one transaction.

            Raises `TenantMoved` if it is on another server, or on its way.
            """
            ...

        def lock(self, name: str) -> None:
            """Block other transactions that lock the same name until this one ends."""
            ...

        def in_memory(self) -> Transaction:
            """A transaction on an empty database in memory. Only where `indexes_later`."""
            ...

        def compares_vectors(self) -> bool:
            """Whether the database can compare vectors."""
            ...

        def recover(self, error: BaseException) -> str | None:
            """If the error of a statement reports damage, return its description, else None.

            A snapshot can then go on to read other tables.
            """
            ...

        def notify(self) -> None:
            """Wake processes that wait for jobs when this transaction is committed."""
            ...

        def notify_readers(self) -> None:
            """Wake processes that `watch` when this transaction is committed. Those of a file look by themselves."""
            ...

        def on_commit(self, call: Callable[[], object]) -> None:
            """Call this after the commit, in the same thread. It is not called after a rollback."""
            ...

    class Database(Protocol):
        """Opens transactions. One object serves all threads of a process."""

        url: str  # for messages and commands, without a password
        is_file: bool  # True: a file with one worker process at a time; False: a server with any number of them
        is_pooled: bool  # True: a connection pooler is in front of the server, so processes poll instead of listening
        applied: tuple[Migration, ...]  # the migrations that opening it applied
        # Called at the end of each transaction that writes, before the commit.
        before_commit: Callable[[Transaction], None] | None

        def transaction(self, *, tenant: str = "", durable: bool = True) -> AbstractContextManager[Transaction]:
            """A transaction that writes. With a tenant, `:tenant` is bound and row-level security hides other tenants.

            With `durable` the commit survives a power failure; otherwise only the death of this process.
            """
            ...

        def snapshot(self, *, tenant: str = "") -> AbstractContextManager[Transaction]:
            """A read-only transaction, in which all reads see the same state."""
            ...

        def replica(self, *, tenant: str, max_lag_ms: int) -> AbstractContextManager[Transaction] | None:
            """A snapshot of a replica at most so far behind, which has what this process committed for the tenant.

            None: the database has no replica. Opening and closing it raise `ReplicaUnavailable`, whatever failed.
            """
            ...

        def replica_states(self) -> tuple[ReplicaState, ...]:
            """How far each replica is behind now."""
            ...

        def notify(self) -> None:
            """Wake processes that wait."""
            ...

        def wait(self, timeout_ms: int) -> bool:
            """Wait at most `timeout_ms` for a notification of any process. Returns whether there was one."""
            ...

        def watch(self, seen: int, timeout_ms: int) -> int:
            """Wait at most `timeout_ms` until something may have been written since `seen`, which it then returned.

            Begin with -1, which does not wait. Unlike `wait` it takes no wake-up away from a worker.
            """
            ...

        def maintain(self) -> bool:
            """Write the log of a file to the file. Returns whether it could be truncated; False for a server."""
            ...

        def erase(self) -> bool:
            """Remove the bytes of what was deleted. Returns whether none are left; False for a server."""
            ...

        def close(self) -> None:
            """Close the connections. Later calls raise `DatabaseClosed`."""
            ...


def transact(database: Database, write: Callable[[Transaction], T], *, durable: bool = True) -> T:
    """Run `write` in one transaction, and once more if the disk is full.

    The first attempt then has checkpointed the write-ahead log of a file, which can make room.
    """
    try:
        with database.transaction(durable=durable) as tx:
            return write(tx)
    except DatabaseFull:
        with database.transaction(durable=durable) as tx:
            return write(tx)


def read_snapshot(database: Database, call: Callable[[Transaction], T], *, tenant: str, max_lag_ms: int) -> T:
    """Return `call` of one snapshot: of a replica that is at most so far behind, else of the primary.

    `call` is repeated if a replica fails in the meantime, so it must change nothing.
    """
    problem: ReplicaState | None = None
    replica = database.replica(tenant=tenant, max_lag_ms=max_lag_ms)
    if replica is not None:
        try:
            with replica as tx:
                return call(tx)
        except ReplicaUnavailable as error:
            from jotsam.core.records import ReplicaState

            problem = ReplicaState(name=error.name, lag_ms=None, problem=str(error)) if error.name else None
    with database.snapshot(tenant=tenant) as tx:
        if problem is not None:
            tx.replica = problem
        return call(tx)
