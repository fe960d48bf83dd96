"""Counts how often memories are in answers, without delaying an answer.

Counts are kept in the process and written in the background: after `ANSWERS` answers, after `MAX_AGE_MS` with the next
one, and when the client is closed. They are statistics: a process that is killed loses its latest ones, and a database
that takes no writes gets none. The commit is not synced.
"""

from __future__ import annotations

import threading

from jotsam.core import fork
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JotsamError, TenantMoved
from jotsam.storage.recall import recall_counts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Database

    Counts = dict[str, dict[str, int]]  # answers by UUID by tenant

ANSWERS = 20
MAX_AGE_MS = 30_000


class RecallCounter(fork.Forked):
    """The counts of a process that are not written yet. Safe to use from many threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._begin()
        fork.register(self)

    def after_fork_in_child(self) -> None:
        """The parent writes what it counted."""
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counts = {}
        self._answers = 0
        self._since = 0
        self._writer: threading.Thread | None = None

    def add(self, tenant: str, ids: Iterable[str]) -> None:
        """Count the memories of one answer, by UUID."""
        found = tuple(ids)
        if not found:
            return  # Otherwise closing the client would open a transaction that writes nothing.
        with self._lock:
            counts = self._counts.setdefault(tenant, {})
            for id in found:
                counts[id] = counts.get(id, 0) + 1
            self._since = self._since or monotonic_ms()
            self._answers += 1
            is_due = self._answers >= ANSWERS or monotonic_ms() - self._since >= MAX_AGE_MS
            if not is_due or (self._writer is not None and self._writer.is_alive()):
                return
            self._writer = threading.Thread(target=self._write, args=(self._taken(),), daemon=True)
            self._writer.start()

    def close(self) -> None:
        """Write what is left."""
        with self._lock:
            writer, counts = self._writer, self._taken()
        if writer is not None:
            writer.join()
        self._write(counts)

    def _taken(self) -> Counts:
        counts, self._counts, self._answers, self._since = self._counts, {}, 0, 0
        return counts

    def _write(self, counts: Counts) -> None:
        for tenant, recalls in counts.items():
            try:
                with self._database.transaction(tenant=tenant, durable=False) as tx:
                    recall_counts.add(tx, recalls, at=tx.now)
            except TenantMoved:
                pass  # Its counts are on another server; those of other tenants are written.
            except JotsamError:
                return  # Read-only, locked or full: losing a count must not fail an answer.
