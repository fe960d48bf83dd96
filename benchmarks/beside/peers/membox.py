"""membox: texts as documents without triples, for which it needs a language model, and its text search over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

DISTRIBUTION = "membox"
SOURCE = "royisme/membox"
PYTHON = "python3.13"
REQUIREMENTS = ("{source}",)
ROWS: dict[str, dict[str, Any]] = {"membox, no triples": {}}
REMARK = "triples need a language model, so only its text search is measured, as its queries use it without triples"


class Store:
    def __init__(self, folder: str, **_: Any) -> None:
        from membox.core.store import KnowledgeStore

        self._store = KnowledgeStore(str(Path(folder) / "membox.db"), embedder=None)

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for text in texts:
            self._store.insert_document(text["text"], source_path=text["id"])

    def ask(self, question: str, k: int) -> Iterator[str]:
        return (row[3] for row in self._store.fts_fallback_chunks(question, limit=k))
