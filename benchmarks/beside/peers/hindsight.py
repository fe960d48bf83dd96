"""Hindsight without a language model, which stores whole texts, on the PostgreSQL server that it brings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.beside.embedding import MODEL

DISTRIBUTION = "hindsight-api-slim"
REQUIREMENTS = ("hindsight-api-slim[embedded-db]",)
ROWS: dict[str, dict[str, Any]] = {"Hindsight, no model": {}}
EMBEDS = True
REMARK = "`HINDSIGHT_API_LLM_PROVIDER=none`: whole texts and no facts; ranks are fused without a cross-encoder"
BANK, TOKENS, BATCH = "texts", 200_000, 50


class Store:
    def __init__(self, folder: str, *, embedder: str) -> None:
        os.environ |= {
            "HOME": folder,  # below which its server keeps its data
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
        self._engine = MemoryEngine(db_url="pg0")
        self._loop.run_until_complete(self._engine.initialize())
        (process,) = Path(folder).rglob("postmaster.pid")
        self.pids = [int(process.read_text().split()[0])]  # the server has left the processes of this one

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for first in range(0, len(texts), BATCH):
            given = [{"content": one["text"], "document_id": one["id"]} for one in texts[first : first + BATCH]]
            self._loop.run_until_complete(self._engine.retain_batch_async(BANK, given, **self._context))

    def ask(self, question: str, k: int) -> Iterator[str]:
        asked = self._engine.recall_async(BANK, question, max_tokens=TOKENS, **self._context)
        return (fact.document_id for fact in self._loop.run_until_complete(asked).results)
