"""Pays for the requests that answer a question, within the daily budget.

A question must not fail or wait because its cost cannot be recorded. So the cost is written on a separate connection
with the lock timeout of a hook; on timeout the answer comes without the model and reports it.
"""

from __future__ import annotations

import threading

from jotsam.storage import connect
from jotsam.storage.costs import ledger
from jotsam.storage.costs.budget import Budget, ModelCall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.clock import Clock
    from jotsam.core.settings import Settings
    from jotsam.models.remote_embedder import Meter
    from jotsam.storage.database import Database

PURPOSE = "question"


class QuestionCosts:
    """The costs of the questions of all tenants. Thread-safe; after a fork, the child needs another one."""

    def __init__(self, settings: Settings, *, clock: Clock | None, timeout_ms: int) -> None:
        """`timeout_ms` limits one request."""
        self._settings = settings
        self._clock = clock
        self._timeout_ms = timeout_ms
        self._ledger: Database | None = None
        self._lock = threading.Lock()

    def meter(self, tenant: str, model: str, *, price: float) -> Meter:
        """What records the cost of a request to a model. The connection is opened with the first request."""
        call = ModelCall(tenant=tenant, model=model, purpose=PURPOSE)
        return lambda tokens: self._budget().by_tokens(call, price=price)(tokens)

    def close(self) -> None:
        """Close the connection."""
        if self._ledger:
            self._ledger.close()

    def _budget(self) -> Budget:
        settings = self._settings
        with self._lock:
            if self._ledger is None:
                wait_ms = min(settings.hook_lock_timeout_ms, settings.lock_timeout_ms)
                self._ledger = connect(settings.db, clock=self._clock, wait_ms=wait_ms, migrate=False)
            cap = ledger.cap_of(settings)
            return Budget(self._ledger, cap=cap, timeout_ms=self._timeout_ms, durable=False)
