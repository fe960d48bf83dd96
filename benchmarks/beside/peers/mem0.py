"""mem0, open source: `infer=False`, so no language model is asked, and its own vector store, Qdrant in a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.beside.embedding import MODEL, SIZE

DISTRIBUTION = "mem0ai"
REQUIREMENTS = ("mem0ai",)
ROWS: dict[str, dict[str, Any]] = {"mem0, infer off": {}}
EMBEDS = True
REMARK = "without its extras for keywords and entities, whose models are on no package index, so by vectors alone"
USER = {"user_id": "ana"}


class Store:
    def __init__(self, folder: str, *, embedder: str) -> None:
        from mem0 import Memory

        endpoint = {"model": MODEL, "api_key": "none", "openai_base_url": embedder}
        self._memory = Memory.from_config(
            {
                "embedder": {"provider": "openai", "config": endpoint | {"embedding_dims": SIZE}},
                "llm": {"provider": "openai", "config": endpoint},
                "vector_store": {
                    "provider": "qdrant",
                    "config": {"path": str(Path(folder) / "qdrant"), "on_disk": True, "embedding_model_dims": SIZE},
                },
                "history_db_path": str(Path(folder) / "history.db"),
            }
        )

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for text in texts:
            self._memory.add(text["text"], infer=False, metadata={"given": text["id"]}, **USER)

    def ask(self, question: str, k: int) -> Iterator[str]:
        found = self._memory.search(question, filters=USER, top_k=k, threshold=0.0)
        return (one["metadata"]["given"] for one in found["results"])
