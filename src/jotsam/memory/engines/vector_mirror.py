"""Asks a registered Qdrant for the vectors nearest to a question, for a tenant with enough vectors that it is faster.

Nothing is asked inside a transaction. If the engine is away, the database answers, and the answer says so.
"""

from __future__ import annotations

import threading
from functools import partial

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import ProviderUnavailable
from jotsam.core.names import QDRANT
from jotsam.retrieval.search.engine_candidates import EngineCandidates
from jotsam.storage.engines import engines
from jotsam.storage.recall import vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.settings import Settings
    from jotsam.engines.qdrant import QdrantEngine
    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.vectors import Maker

LEAST = 100_000  # vectors of an embedder: with fewer, comparing all of them takes less; see docs/engines.md
ASKED = 400  # candidates: twice what recall ranks, because some may be superseded or invalid
MOST_CHANGED = (
    2_000  # changed memories that are compared beside the candidates; with more, the engine is too far behind
)
TIMEOUT_MS = 2_000
AWAY_MS = 30_000  # how long a server that did not reply is not asked again


class VectorMirror:
    """Safe to use from many threads, for all tenants. The engine is opened by the first question that needs it."""

    def __init__(self, settings: Settings, *, least: int = LEAST, asked: int = ASKED) -> None:
        self._settings, self._least, self._asked = settings, least, asked
        self._lock = threading.Lock()
        self._engine: tuple[str, QdrantEngine] | None = None
        self._away: tuple[int, ProviderUnavailable] | None = None
        self._large: dict[tuple[str, int], tuple[int, bool]] = {}

    def plan(self, tx: Transaction, maker: Maker, *, project: str | None) -> Callable[[bytes], EngineCandidates] | None:
        """A function that asks the engine for the nearest to a vector, after this transaction. Raises `JotsamError`.

        None if the database should be asked: without an engine, with few vectors, or while the engine is far behind.
        """
        registered = engines.find(tx, QDRANT)
        if registered is None or not self._is_large(tx, maker) or not _is_at_hand(registered.address):
            return None
        from jotsam.storage.engines import mirror  # Not imported without an engine.

        progress = mirror.progress(tx, engine=QDRANT)
        if progress is None or progress.fill_after is not None:
            return None
        changed = mirror.changed_memories(tx, engine=QDRANT, limit=MOST_CHANGED + 1)
        if len(changed) > MOST_CHANGED:
            return None
        return partial(self._ask, registered.address, tx.tenant, maker, tuple(changed), project)

    def close(self) -> None:
        with self._lock:
            if self._engine:
                self._engine[1].close()
            self._engine = None

    def _is_large(self, tx: Transaction, maker: Maker) -> bool:
        """Counted again when vectors were saved, until there are enough."""
        key = (tx.tenant, maker.id)
        version, is_large = self._large.get(key, (-1, False))
        if not is_large and version != maker.version:
            is_large = vectors.is_large(tx, maker=maker, least=self._least)
            self._large[key] = (maker.version, is_large)
        return is_large

    def _ask(
        self, address: str, tenant: str, maker: Maker, changed: tuple[int, ...], project: str | None, query: bytes
    ) -> EngineCandidates:
        if self._away and monotonic_ms() < self._away[0]:
            raise self._away[1]
        projects = None if project is None else [project]
        try:
            engine = self._opened(address)
            near = engine.nearest(tenant, query, embedder=maker.name, limit=self._asked, projects=projects)
        except ProviderUnavailable as error:
            self._away = monotonic_ms() + AWAY_MS, error
            raise
        self._away = None
        return EngineCandidates(
            uuids=tuple(near), changed=changed, version=maker.version, project=project, is_full=len(near) >= self._asked
        )

    def _opened(self, address: str) -> QdrantEngine:
        from jotsam.engines.addresses import ca_file
        from jotsam.engines.qdrant import open_engine

        with self._lock:
            if self._engine and self._engine[0] != address:
                self._engine[1].close()
                self._engine = None
            if self._engine is None:
                key = self._settings.qdrant_api_key
                trusted = ca_file(address, self._settings)
                self._engine = address, open_engine(address, secret=key, ca_file=trusted, timeout_ms=TIMEOUT_MS)
            return self._engine[1]


def _is_at_hand(address: str) -> bool:
    """A server, or a folder that this process has open: only one can, and that must be the one that writes."""
    from jotsam.engines.qdrant import parse_address

    folder = parse_address(address).folder
    if folder is None:
        return True
    from jotsam.engines.qdrant_folder import is_open

    return is_open(folder)
