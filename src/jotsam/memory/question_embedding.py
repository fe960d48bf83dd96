"""What a question means to this program: embedded by the models that the settings name, and paid where they cost.

It stands on the door floor, and holds open what that needs. A question must never fail or wait because it cannot be
paid: its price is written through a connection of its own, which waits for another's write lock no longer than a hook
does, and without it the answer comes without vectors and says so.
"""

from __future__ import annotations

import threading

from jotsam.models.embedder_registry import EmbedderRegistry
from jotsam.retrieval.search.vectors import meaning
from jotsam.storage import connect, ledger
from jotsam.storage.budget import Order, Till
from jotsam.storage.vector_index import Nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.clock import Clock
    from jotsam.core.settings import Settings
    from jotsam.models.remote_embedder import Meter
    from jotsam.retrieval.search.vectors import Meaning
    from jotsam.storage.database import Database

ANSWER_MS = 5_000
"""A server may take so long to embed a question; then the answer comes without its vectors, and says so."""

PURPOSE = "question"


class Questions:
    """Safe to use from many threads. `nearest` is the copy of the vectors that they are compared with."""

    def __init__(self, settings: Settings, *, clock: Clock | None) -> None:
        self._settings = settings
        self._clock = clock
        self._embedders = EmbedderRegistry(settings, timeout_ms=ANSWER_MS)
        self._purse: Database | None = None
        self._turn = threading.Lock()
        self.nearest = Nearest()

    def meaning(self, database: Database, question: str) -> Meaning | None:
        """What a question means, as vectors, for recall; None without an embedder. Embeds, in no transaction."""
        tenant, embedders = self._settings.tenant, self._embedders
        return meaning(database, question, tenant=tenant, embedders=embedders, nearest=self.nearest, pay=self._pay)

    def close(self) -> None:
        """Close what is held open."""
        self._embedders.close()
        if self._purse:
            self._purse.close()

    def _pay(self, model: str) -> Meter:
        """How a server is paid; nothing is opened where none is asked."""
        order = Order(tenant=self._settings.tenant, model=model, purpose=PURPOSE)
        return lambda tokens: self._till().by_tokens(order, price=self._settings.embed_price)(tokens)

    def _till(self) -> Till:
        settings = self._settings
        with self._turn:
            if self._purse is None:
                wait_ms = min(settings.hook_lock_timeout_ms, settings.lock_timeout_ms)
                self._purse = connect(settings.db, clock=self._clock, wait_ms=wait_ms, migrate=False)
            return Till(self._purse, cap=ledger.cap_of(settings), durable=False)
