"""Asks the configured reranker for the order of the best results of a question, between two snapshots.

An answer never fails because of it: on an error it has the order without the reranker, and reports why. A server that
did not reply in time is not asked again for a while, so that it does not delay every question.
"""

from __future__ import annotations

import threading

from jotsam.core import fork
from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import JotsamError, NoAnswer, ProviderUnavailable
from jotsam.memory.reading.question_costs import QuestionCosts
from jotsam.retrieval.rank.rerank import MAX_CHARACTERS, Reranking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jotsam.core.clock import Clock
    from jotsam.core.settings import Settings
    from jotsam.models.openai_endpoint import Endpoint
    from jotsam.models.remote_reranker import RemoteReranker

AWAY_MS = 30_000  # how long a server that did not reply is not asked again
MAX_REASON = 200  # characters
UNNAMED = "reranker"  # model of a server that needs no name, in costs


class QuestionReranker(fork.Forked):
    """Reranks the results of the questions of all tenants. Safe to use from many threads."""

    def __init__(self, settings: Settings, *, clock: Clock | None) -> None:
        self._settings = settings
        self._clock = clock
        self._inherited: list[object] = []
        self._begin()
        fork.register(self)

    def _begin(self) -> None:
        settings = self._settings
        self._costs = QuestionCosts(settings, clock=self._clock, timeout_ms=settings.rerank_timeout_ms)
        self._opened: tuple[Endpoint, RemoteReranker] | None = None
        self._away: tuple[int, str] = (0, "")  # until when, on the monotonic clock, and why
        self._lock = threading.Lock()

    def after_fork_in_child(self) -> None:
        """Begin without the connections of the parent, which closing them would end."""
        self._inherited += [self._costs, self._opened]
        self._begin()

    def rerank(self, question: str, texts: Callable[[], Mapping[int, str]], *, tenant: str) -> Reranking | None:
        """The scores of the texts of the best results. None without a reranker, or if there is nothing to put in order.

        `texts` reads them, by reference, in a transaction of its own. They are stored without secrets; the question is
        sent without them too. Raises what `texts` raises.
        """
        if not self._settings.rerank_url or not isinstance(question, str) or not question.strip():
            return None
        until, reason = self._away
        if monotonic_ms() < until:
            return _failed(reason)
        found = texts()
        if len(found) < 2:
            return None
        from jotsam.pipeline.redaction.redact import redact

        asked, _ = redact(question[:MAX_CHARACTERS])
        try:
            scores = self._score(asked, [*found.values()], tenant)
        except JotsamError as error:
            if isinstance(error, ProviderUnavailable | NoAnswer):
                self._away = monotonic_ms() + AWAY_MS, str(error)
            return _failed(str(error))
        return Reranking(scores=dict(zip(found, scores, strict=True)))

    def close(self) -> None:
        """Close the connections."""
        if self._opened:
            self._opened[0].close()
        self._costs.close()

    def _score(self, question: str, texts: list[str], tenant: str) -> list[float]:
        settings = self._settings
        meter = self._costs.meter(tenant, settings.rerank_model or UNNAMED, price=settings.rerank_price)
        return self._reranker().score(question, texts, meter=meter)

    def _reranker(self) -> RemoteReranker:
        from jotsam.models.openai_endpoint import Endpoint
        from jotsam.models.remote_reranker import RemoteReranker

        settings = self._settings
        with self._lock:
            if self._opened is None:
                key, timeout_ms = settings.rerank_api_key, settings.rerank_timeout_ms
                endpoint = Endpoint(settings.rerank_url, key=key, timeout_ms=timeout_ms)
                self._opened = endpoint, RemoteReranker(endpoint, model=settings.rerank_model)
            return self._opened[1]


def _failed(reason: str) -> Reranking:
    reason = " ".join(reason.split())
    shown = reason if len(reason) <= MAX_REASON else reason[: MAX_REASON - 1] + "…"
    return Reranking(scores={}, failure=f"reranker ({shown})")
