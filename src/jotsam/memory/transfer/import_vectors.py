"""Keeps the vectors that imported memories bring, if the configured embedder made them.

Nothing says which model made a vector, and one of another model would never be near a question. So the first texts are
embedded again: only if their vectors agree are the others kept. This is accounted for like any request.
"""

from __future__ import annotations

from jotsam.models.embedder_registry import EmbedderRegistry, metered
from jotsam.storage.costs import ledger
from jotsam.storage.costs.budget import Budget, ModelCall
from jotsam.storage.memories import memories
from jotsam.storage.recall import vectors
from jotsam.storage.recall.vector_index import between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.core.settings import Settings
    from jotsam.ingest.memory_formats.items import Item
    from jotsam.models.embedder_registry import Embedder
    from jotsam.storage.database import Database, Transaction

COMPARED = 3  # texts
LEAST_COSINE = 0.99  # of a text with itself: a server may round, or cut long texts elsewhere
TIMEOUT_MS = 45_000
PURPOSE = "embedding"


class ImportedVectors:
    """Of one import."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database, self._settings = database, settings
        self._maker: tuple[str, str, int] | None = None  # name, place and dimension
        self._is_checked = False

    def check(self, items: Sequence[Item]) -> None:
        """Compare the first items with a vector. In no transaction. Raises `JotsamError` if that fails."""
        some = [item for item in items if item.vector is not None][:COMPARED]
        if self._is_checked or not some:
            return
        self._is_checked = True
        embedders = EmbedderRegistry(self._settings, timeout_ms=TIMEOUT_MS)
        try:
            if embedders.is_configured:
                self._compare(some, embedders.configured())
        finally:
            embedders.close()

    def save(self, tx: Transaction, items: Sequence[tuple[Item, str]]) -> int:
        """Save the vectors of items, each with the UUID of its memory. Returns how many were left out.

        A memory that has a vector, or another text by now, keeps what it has.
        """
        found: dict[int, bytes] = {}
        out = 0
        for item, uuid in items:
            row = memories.get(tx, uuid=uuid)
            is_of_it = row is not None and row["body"] == item.memory.text.strip()
            if self._maker is None or not is_of_it or len(item.vector or b"") != self._maker[2] * 4:
                out += 1
            elif row is not None and vectors.want(tx, number=row["id"]):
                found[row["id"]] = item.vector or b""
        if found and self._maker:
            name, place, dimension = self._maker
            vectors.save(tx, found, maker=vectors.begin_batch(tx, name=name, place=place, dimension=dimension))
        return out

    def _compare(self, items: Sequence[Item], embedder: Embedder) -> None:
        settings = self._settings
        call = ModelCall(tenant=settings.tenant, model=embedder.name, purpose=PURPOSE)
        budget = Budget(self._database, cap=ledger.cap_of(settings), timeout_ms=TIMEOUT_MS)
        meter = budget.by_tokens(call, price=settings.embed_price)
        made = metered(embedder, meter).embed([item.memory.text for item in items])
        for item, vector in zip(items, made, strict=True):
            given = item.vector or b""
            if len(vector) != len(given):
                return
            if between([vector], [(0, given)])[0][0] < LEAST_COSINE:
                return
        self._maker = embedder.name, embedder.location, len(made[0]) // 4
