"""Embeds questions for recall with the configured embedders, within the daily budget.

A question must not fail or wait because its cost cannot be recorded. So the cost is written on a separate connection
with the lock timeout of a hook; on timeout the answer comes without vectors and reports it.
"""

from __future__ import annotations

import threading
from functools import partial

from jotsam.core import fork
from jotsam.memory.engines.vector_mirror import VectorMirror
from jotsam.models.embedder_registry import EmbedderRegistry
from jotsam.retrieval.search.vectors import embed_question
from jotsam.storage import connect
from jotsam.storage.costs import ledger
from jotsam.storage.costs.budget import Budget, ModelCall
from jotsam.storage.recall.vector_index import Nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.clock import Clock
    from jotsam.core.settings import Settings
    from jotsam.models.remote_embedder import Meter
    from jotsam.retrieval.search.vectors import QuestionVectors
    from jotsam.storage.database import Database

TIMEOUT_MS = 5_000  # of a server that embeds a question
PURPOSE = "question"


class QuestionEmbedder(fork.Forked):
    """Embeds the questions of all tenants. Safe to use from many threads.

    `nearest` caches the vectors that questions are compared with.
    """

    def __init__(self, settings: Settings, *, clock: Clock | None) -> None:
        self._settings = settings
        self._clock = clock
        self._inherited: list[object] = []
        self._begin()
        fork.register(self)

    def _begin(self) -> None:
        self._embedders = EmbedderRegistry(self._settings, timeout_ms=TIMEOUT_MS)
        self._ledger: Database | None = None
        self._lock = threading.Lock()
        self.nearest = Nearest()
        self._mirror = VectorMirror(self._settings)

    def after_fork_in_child(self) -> None:
        """Begin with an empty cache too: another thread may have been changing it."""
        self._inherited += [
            self._embedders,
            self._ledger,
            self._mirror,
        ]  # Closing them would end connections of the parent.
        self._begin()

    def embed(
        self, database: Database, question: str, *, tenant: str, project: str | None = None
    ) -> QuestionVectors | None:
        """The vectors of a question for `recall`; None without an embedder. Holds no transaction while it embeds."""
        return embed_question(
            database,
            question,
            tenant=tenant,
            embedders=self._embedders,
            nearest=self.nearest,
            meter=partial(self._meter, tenant),
            plan=partial(self._mirror.plan, project=project),
        )

    def close(self) -> None:
        """Close the embedders, the engine and the connection of the ledger."""
        self._embedders.close()
        self._mirror.close()
        if self._ledger:
            self._ledger.close()

    def _meter(self, tenant: str, model: str) -> Meter:
        """What records the cost of a request to a model. The connection is opened with the first request."""
        call = ModelCall(tenant=tenant, model=model, purpose=PURPOSE)
        return lambda tokens: self._budget().by_tokens(call, price=self._settings.embed_price)(tokens)

    def _budget(self) -> Budget:
        settings = self._settings
        with self._lock:
            if self._ledger is None:
                wait_ms = min(settings.hook_lock_timeout_ms, settings.lock_timeout_ms)
                self._ledger = connect(settings.db, clock=self._clock, wait_ms=wait_ms, migrate=False)
            return Budget(self._ledger, cap=ledger.cap_of(settings), timeout_ms=TIMEOUT_MS, durable=False)
