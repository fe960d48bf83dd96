"""Chroma: a persistent collection with cosine distance, in the process that asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.beside.peers.minilm import embed

DISTRIBUTION = "chromadb"
REQUIREMENTS = ("chromadb",)
ROWS: dict[str, dict[str, Any]] = {"chromadb": {}}
EMBEDS = True
BATCH = 500


class Store:
    def __init__(self, folder: str, *, embedder: str) -> None:
        import chromadb

        self._embedder = embedder
        client = chromadb.PersistentClient(path=folder)
        made = {"embedding_function": None, "metadata": {"hnsw:space": "cosine"}}
        self._collection = client.get_or_create_collection("texts", **made)

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for first in range(0, len(texts), BATCH):
            some = texts[first : first + BATCH]
            self._collection.add(
                ids=[text["id"] for text in some],
                documents=[text["text"] for text in some],
                embeddings=[embed(self._embedder, text["text"]) for text in some],
            )

    def ask(self, question: str, k: int) -> list[str]:
        asked = {"query_embeddings": [embed(self._embedder, question)], "n_results": min(k, self._collection.count())}
        return self._collection.query(**asked, include=[])["ids"][0]
