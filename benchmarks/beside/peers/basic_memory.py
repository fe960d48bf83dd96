"""basic-memory: its tools `write_note` and `search_notes`, called in their own process, with files of Markdown."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.beside.embedding import MODEL, SIZE
from benchmarks.beside.peers import load_extensions

DISTRIBUTION = "basic-memory"
PYTHON = "python3.12"
REQUIREMENTS = ("basic-memory", "pysqlite3-binary")
ROWS: dict[str, dict[str, Any]] = {"basic-memory, hybrid": {}}
EMBEDS = True
REMARK = "the title of a note is its id in hexadecimal, so that it adds no words"


class Store:
    def __init__(self, folder: str, **_: Any) -> None:
        os.environ |= {
            "BASIC_MEMORY_HOME": str(Path(folder) / "notes"),
            "BASIC_MEMORY_CONFIG_DIR": str(Path(folder) / "config"),
            "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "true",
            "BASIC_MEMORY_SEMANTIC_EMBEDDING_PROVIDER": "openai",  # whose address is in the environment
            "BASIC_MEMORY_SEMANTIC_EMBEDDING_MODEL": MODEL,
            "BASIC_MEMORY_SEMANTIC_EMBEDDING_DIMENSIONS": str(SIZE),
        }
        load_extensions()
        from basic_memory.index.local_schedulers import drain_background_tasks
        from basic_memory.index.note_content_materialization import drain_pending_materializations
        from basic_memory.mcp.tools.search import search_notes
        from basic_memory.mcp.tools.write_note import write_note

        self._search, self._write = search_notes, write_note
        self._drain_notes, self._drain_others = drain_pending_materializations, drain_background_tasks
        self._loop = asyncio.new_event_loop()

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        for text in texts:
            title = text["id"].encode().hex()
            self._loop.run_until_complete(self._write(title=title, content=text["text"], directory="texts"))
        self._loop.run_until_complete(self._embedded())

    async def _embedded(self) -> None:
        """Wait for what it does after it has answered, as its own commands do before they end."""
        await self._drain_notes()
        await self._drain_others()

    def ask(self, question: str, k: int) -> Iterator[str]:
        asked = self._search(query=question, page_size=k, output_format="json")
        found = self._loop.run_until_complete(asked)
        titles = (one["title"] for one in found["results"] if one.get("type") == "entity")
        return (bytes.fromhex(title).decode() for title in titles)
