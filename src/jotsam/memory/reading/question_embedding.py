"""Embeds questions for recall with the configured embedders, within the daily budget.

If that cannot be paid for, or the model is away, the answer comes without vectors and reports it.
"""

from __future__ import annotations

from functools import partial

from jotsam.core import fork
from jotsam.memory.engines.vector_mirror import VectorMirror
from jotsam.memory.reading.question_costs import QuestionCosts
from jotsam.models.embedder_registry import EmbedderRegistry
from jotsam.retrieval.search.vectors import embed_question
from jotsam.storage.recall.vector_index import Nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.clock import Clock
    from jotsam.core.settings import Settings
    from jotsam.models.remote_embedder import Meter
    from jotsam.retrieval.search.vectors import QuestionVectors
    from jotsam.storage.database import Database

TIMEOUT_MS = 5_000  # of a server that embeds a question


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
        self._costs = QuestionCosts(self._settings, clock=self._clock, timeout_ms=TIMEOUT_MS)
        self.nearest = Nearest()
        self._mirror = VectorMirror(self._settings)

    def after_fork_in_child(self) -> None:
        """Begin with an empty cache too: another thread may have been changing it."""
        self._inherited += [
            self._embedders,
            self._costs,
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
        """Close the embedders, the engine and the connection of the costs."""
        self._embedders.close()
        self._mirror.close()
        self._costs.close()

    def _meter(self, tenant: str, model: str) -> Meter:
        return self._costs.meter(tenant, model, price=self._settings.embed_price)
