"""The audit: which request changed something, in the same transaction as the change.

So there is neither a change without its row, nor the row of a change that was rolled back.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache

from jotsam.core import validate
from jotsam.core.clock import new_id
from jotsam.core.token_records import AuditEntry
from jotsam.core.validate import MAX_ID, MAX_NAME_BYTES, cut_name, replace_unstorable
from jotsam.pipeline.redaction.redact import redact
from jotsam.storage.access import audits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from typing import Protocol, Self, TypeVar

    from jotsam.core.records import ReplicaState
    from jotsam.storage.database import Database, Transaction

    class Client(Protocol):
        """What is used of `Jotsam`."""

        database: Database

        def scoped(self, *, tenant: str) -> Self: ...

    C = TypeVar("C", bound=Client)

MAX_ENTRIES = 1_000  # of a page
CHOSEN = ("request", "name", "action", "subject", "address")  # fields of an entry that a client may have chosen


def audited_client(jot: C, entry: AuditEntry) -> C:
    """A client for one request, whose changes are audited. Give it to requests that may change something.

    It is in the tenant of the entry. Closing it does nothing.
    """
    view = jot.scoped(tenant=entry.tenant)
    view.database = audited(jot.database, entry)
    return view


def audited(database: Database, entry: AuditEntry) -> Database:
    """The database for one request: its first transaction that commits adds the entry.

    A transaction without a tenant is in the tenant of the entry, because the row belongs to it.
    """
    return _AuditedDatabase(database, _checked(entry))


def audited_here(database: Database, *, tenant: str, by: str, action: str, subject: str) -> Database:
    """The same for a call that is not a request. A database that audits a request already is returned as it is."""
    if isinstance(database, _AuditedDatabase):
        return database
    return audited(database, AuditEntry(tenant=tenant, request=new_id(), name=by, action=action, subject=subject))


def note(database: Database, *, tenant: str, by: str, action: str, subject: str) -> None:
    """Add the entry of a change that was made already: of one whose ids are known only then."""
    with database.transaction(tenant=tenant) as tx:
        audits.add(tx, _checked(AuditEntry(tenant=tenant, request=new_id(), name=by, action=action, subject=subject)))


def latest(database: Database, *, tenant: str, after: int, limit: int) -> tuple[AuditEntry, ...]:
    """The entries of a tenant, the newest first. `after` is the id of the last one of the page before, or 0."""
    validate.check_int("limit", limit, 1, MAX_ENTRIES)
    before = validate.check_int("after", after, 0, MAX_ID) or None
    with database.snapshot(tenant=tenant) as tx:
        return audits.latest(tx, before=before, limit=limit)


class _AuditedDatabase:
    """See `storage.database.Database`. Only `transaction` differs."""

    def __init__(self, database: Database, entry: AuditEntry) -> None:
        self._database = database
        self._entry = entry
        # Not a unique request id in the table: a client may choose the id, and would hide a change by repeating one.
        self._is_written = False
        self.url = database.url
        self.is_file = database.is_file
        self.is_pooled = database.is_pooled
        self.applied = database.applied
        self.before_commit = database.before_commit

    @contextmanager
    def transaction(self, *, tenant: str = "", durable: bool = True) -> Iterator[Transaction]:
        with self._database.transaction(tenant=tenant or self._entry.tenant, durable=durable) as tx:
            if not self._is_written:
                audits.add(tx, self._entry)
                tx.on_commit(self._note_written)
            yield tx

    def snapshot(self, *, tenant: str = "") -> AbstractContextManager[Transaction]:
        return self._database.snapshot(tenant=tenant)

    def replica(self, *, tenant: str, max_lag_ms: int) -> AbstractContextManager[Transaction] | None:
        return self._database.replica(tenant=tenant, max_lag_ms=max_lag_ms)

    def replica_states(self) -> tuple[ReplicaState, ...]:
        return self._database.replica_states()

    def notify(self) -> None:
        self._database.notify()

    def wait(self, timeout_ms: int) -> bool:
        return self._database.wait(timeout_ms)

    def watch(self, seen: int, timeout_ms: int) -> int:
        return self._database.watch(seen, timeout_ms)

    def maintain(self) -> bool:
        return self._database.maintain()

    def erase(self) -> bool:
        return self._database.erase()

    def close(self) -> None:
        self._database.close()

    def _note_written(self) -> None:
        self._is_written = True


def _checked(entry: AuditEntry) -> AuditEntry:
    return entry.replace(**{name: _storable(getattr(entry, name)) for name in CHOSEN})


@lru_cache(maxsize=1_000)  # Most are the same with each request, and looking for secrets is slow beside the rest.
def _storable(value: str) -> str:
    """Without secrets, and as a database can store it."""
    return cut_name(redact(replace_unstorable(value))[0], limit=MAX_NAME_BYTES)
