"""LangGraph's SqliteStore with an index of vectors, as its documentation sets it up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.beside.embedding import SIZE
from benchmarks.beside.peers import load_extensions
from benchmarks.beside.peers.minilm import embed

DISTRIBUTION = "langgraph-checkpoint-sqlite"
REQUIREMENTS = ("langgraph-checkpoint-sqlite", "langgraph", "pysqlite3-binary")
ROWS: dict[str, dict[str, Any]] = {"LangGraph SqliteStore": {}}
EMBEDS = True
REMARK = "on the SQLite of `pysqlite3`, because vectors are an extension, which not every Python loads"
NAMESPACE = ("texts",)


class Store:
    def __init__(self, folder: str, *, embedder: str) -> None:
        load_extensions()
        import sqlite3

        from langgraph.store.sqlite import SqliteStore

        def vectors(texts: Sequence[str]) -> list[list[float]]:
            return [embed(embedder, text) for text in texts]

        connection = sqlite3.connect(Path(folder) / "store.db", isolation_level=None, check_same_thread=False)
        self._store = SqliteStore(connection, index={"dims": SIZE, "embed": vectors, "fields": ["text"]})
        self._store.setup()

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for text in texts:
            self._store.put(NAMESPACE, text["id"], {"text": text["text"]})

    def ask(self, question: str, k: int) -> Iterator[str]:
        return (item.key for item in self._store.search(NAMESPACE, query=question, limit=k))
