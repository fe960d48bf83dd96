"""txtai: a hybrid index of bm25 and vectors, saved to its folder after each call of `store`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.beside.peers.minilm import embed

DISTRIBUTION = "txtai"
REQUIREMENTS = ("txtai",)
ROWS: dict[str, dict[str, Any]] = {"txtai, hybrid": {}}
EMBEDS = True


class Store:
    def __init__(self, folder: str, *, embedder: str) -> None:
        import numpy
        from txtai import Embeddings

        def vectors(texts: Sequence[str]) -> Any:
            return numpy.array([embed(embedder, text) for text in texts], "float32")

        self._path = str(Path(folder) / "index")
        made = {"method": "external", "transform": vectors, "hybrid": True, "content": True, "backend": "numpy"}
        self._index = Embeddings(made)
        if self._index.exists(self._path):
            self._index.load(self._path, config={"transform": vectors})

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        self._index.upsert([(text["id"], text["text"], None) for text in texts])
        self._index.save(self._path)

    def ask(self, question: str, k: int) -> Iterator[str]:
        return (one["id"] for one in self._index.search(question, k))
