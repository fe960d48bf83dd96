"""Jotsam as it is installed: with and without what it can be told of a text, and with the embedder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.beside.embedding import MODEL

DISTRIBUTION = "jotsam"
REQUIREMENTS = ("{root}",)
ROWS: dict[str, dict[str, Any]] = {
    "Jotsam": {},
    "Jotsam, with MiniLM": {"embeds": True},
    "Jotsam, the text alone": {"fields": False},
    "Jotsam, the text alone, with MiniLM": {"fields": False, "embeds": True},
}
BATCH = 500
TOKENS = 200_000  # no more than the systems beside it does it leave something out for want of room


class Store:
    def __init__(self, folder: str, *, embedder: str = "", fields: bool = True, embeds: bool = False) -> None:
        if embeds:
            os.environ |= {"JOTSAM_EMBED_URL": embedder, "JOTSAM_EMBED_MODEL": MODEL}
        import jotsam

        self._fields = fields
        self._jotsam = jotsam.Jotsam(str(Path(folder) / "jotsam.db"), worker="off")

    def accept(self, texts: Sequence[dict[str, Any]]) -> None:
        """Store texts, and leave the rest to a worker: they can be found from then on."""
        for first in range(0, len(texts), BATCH):
            self._jotsam.remember_many([self._item(text) for text in texts[first : first + BATCH]])

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        self.accept(texts)
        while self._jotsam.work():
            pass

    def ask(self, question: str, k: int) -> list[str]:
        return [hit.external_id for hit in self._jotsam.recall(question, tokens=TOKENS, limit=k).hits]

    def close(self) -> None:
        self._jotsam.close()

    def _item(self, text: dict[str, Any]) -> dict[str, Any]:
        if not self._fields or not text.get("said"):
            return {"text": text["text"], "external_id": text["id"]}
        return {"external_id": text["id"], **text["said"]}
