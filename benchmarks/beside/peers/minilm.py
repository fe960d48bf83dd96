"""Nothing but the embedder: every vector in one array, and the cosine with that of the question."""

from __future__ import annotations

import json
import sqlite3
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

DISTRIBUTION = "numpy"
REQUIREMENTS = ("numpy",)
ROWS: dict[str, dict[str, Any]] = {"MiniLM alone": {}}
EMBEDS = True


class Store:
    def __init__(self, folder: str, *, embedder: str) -> None:
        import numpy

        self._numpy = numpy
        self._embedder = embedder
        self._connection = sqlite3.connect(Path(folder) / "vectors.db", isolation_level=None)
        self._connection.executescript(
            "pragma journal_mode = wal; pragma synchronous = full;"
            "create table if not exists stored (id text, vector blob);"
        )
        self._read()

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for text in texts:
            vector = self._numpy.array(embed(self._embedder, text["text"]), "<f4")
            self._connection.execute("insert into stored values (?, ?)", (text["id"], vector.tobytes()))
        self._read()

    def ask(self, question: str, k: int) -> Iterator[str]:
        near = self._vectors @ self._numpy.array(embed(self._embedder, question), "<f4")
        return (self._ids[place] for place in self._numpy.argsort(-near, kind="stable")[:k])

    def _read(self) -> None:
        rows = self._connection.execute("select id, vector from stored").fetchall()
        self._ids = [id for id, _ in rows]
        self._vectors = self._numpy.array([self._numpy.frombuffer(vector, "<f4") for _, vector in rows])


def embed(address: str, text: str) -> list[float]:
    body = json.dumps({"input": text, "model": "minilm"}).encode()
    request = urllib.request.Request(f"{address}/embeddings", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)["data"][0]["embedding"]
