"""cognee: its pipeline without the task that asks a language model, and its search of the chunks."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from benchmarks.beside.embedding import MODEL, SIZE

DISTRIBUTION = "cognee"
REQUIREMENTS = ("cognee",)
ROWS: dict[str, dict[str, Any]] = {"cognee, chunks alone": {}}
EMBEDS = True
REMARK = "its graph needs a language model, so only its search of chunks is measured, by vectors alone"
DATASET = "texts"
CHUNK = 8_191  # tokens, its default for a model without a known limit: each text is one chunk


class Store:
    def __init__(self, folder: str, *, embedder: str) -> None:
        os.environ |= {
            "SYSTEM_ROOT_DIRECTORY": f"{folder}/system",
            "DATA_ROOT_DIRECTORY": f"{folder}/data",
            "CACHE_ROOT_DIRECTORY": f"{folder}/cache",
            "ENABLE_BACKEND_ACCESS_CONTROL": "false",
            "EMBEDDING_PROVIDER": "openai_compatible",
            "EMBEDDING_MODEL": MODEL,
            "EMBEDDING_ENDPOINT": embedder,
            "EMBEDDING_API_KEY": "none",
            "EMBEDDING_DIMENSIONS": str(SIZE),
            "LLM_API_KEY": "none",
            "TIKTOKEN_CACHE_DIR": _tokenizers(),
        }
        import cognee

        self._cognee = cognee
        self._loop = asyncio.new_event_loop()

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        self._loop.run_until_complete(self._store(texts))

    async def _store(self, texts: Sequence[dict[str, Any]]) -> None:
        from cognee.modules.chunking.TextChunker import TextChunker
        from cognee.modules.pipelines.tasks.task import Task
        from cognee.tasks.documents import classify_documents, extract_chunks_from_documents
        from cognee.tasks.ingestion.data_item import DataItem
        from cognee.tasks.storage import add_data_points

        items = [DataItem(data=one["text"], external_metadata={"given": one["id"]}, literal_text=True) for one in texts]
        await self._cognee.add(items, dataset_name=DATASET)
        tasks = [
            Task(classify_documents, needs_llm=False),
            Task(extract_chunks_from_documents, max_chunk_size=CHUNK, chunker=TextChunker, needs_llm=False),
            Task(add_data_points, needs_llm=False),
        ]
        await self._cognee.run_custom_pipeline(tasks=tasks, dataset=DATASET, data_cache=True, incremental_loading=True)

    def ask(self, question: str, k: int) -> Iterator[str]:
        asked = self._cognee.search(question, query_type=self._cognee.SearchType.CHUNKS, datasets=[DATASET], top_k=k)
        for chunk in self._loop.run_until_complete(asked):
            yield json.loads(chunk["external_metadata"])["given"]


def _tokenizers() -> str:
    """The folder in which a package that it needs brings the file that tiktoken would fetch from the web."""
    (package,) = find_spec("litellm").submodule_search_locations
    return f"{package}/litellm_core_utils/tokenizers"
