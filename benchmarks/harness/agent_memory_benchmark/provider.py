"""The provider, and the two ways to run it. Runs in the environment of the harness, and imports its modules.

The package `memory_bench.memory` imports all its providers, and with them the packages of every one. It is replaced by
an empty one with the same folder, so that only the modules that are named here are imported.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

import memory_bench

from benchmarks.recall.data_sets import locomo_group, with_caption
from benchmarks.report import grid
from jotsam import Jotsam
from jotsam.core.clock import format_time

providers = ModuleType("memory_bench.memory")
found = PathFinder.find_spec("memory_bench.memory", memory_bench.__path__)
assert found
assert found.submodule_search_locations
providers.__path__ = list(found.submodule_search_locations)
sys.modules["memory_bench.memory"] = providers

from memory_bench.dataset.locomo import LoComoDataset  # noqa: E402
from memory_bench.memory.base import MemoryProvider  # noqa: E402
from memory_bench.memory.bm25 import BM25MemoryProvider  # noqa: E402
from memory_bench.models import Document, Query  # noqa: E402

CHUNK_TOKENS = 512  # of the pieces that the harness's own providers answer with
SPLIT = "locomo10"
FIRST = (1, 3, 5, 10)  # sessions
WIDE = 100  # pieces, so that ten sessions are among them


class PublishedLocomo(LoComoDataset):  # type: ignore[misc]
    """LoCoMo from the files that the harness publishes beside its code; its own class loads the original file."""

    def load_queries(self, split: str, category: str | None = None, limit: int | None = None) -> list[Query]:
        found = [Query(**one) for one in self._published("queries")]
        return [one for one in found if category in (None, one.user_id)][:limit]

    def load_documents(self, split: str, category: str | None = None, **options: Any) -> list[Document]:
        found = [Document(**one) for one in self._published("documents")]
        return [one for one in found if category in (None, one.user_id)]

    def _published(self, name: str) -> list[dict[str, Any]]:
        path = Path(memory_bench.__file__).parents[2] / "data" / self.name / SPLIT / f"{name}.json.gz"
        found: list[dict[str, Any]] = json.loads(gzip.decompress(path.read_bytes()))
        return found


class JotsamMemoryProvider(MemoryProvider):  # type: ignore[misc]
    """A user is a tenant, a turn of a session one memory, and any other document a document."""

    name = "jotsam"
    description = "Full text, graph and, with an embedder, vectors over turns in one SQLite file; no model needed."
    kind = "local"
    link = "https://github.com/jotsam/jotsam"

    def prepare(self, store_dir: Path, unit_ids: set[str] | None = None) -> None:
        store_dir.mkdir(parents=True, exist_ok=True)
        self._jot = Jotsam(str(store_dir / "jotsam.db"), worker="off")

    def ingest(self, documents: list[Document]) -> None:
        for document in documents:
            jot = self._jot.scoped(tenant=document.user_id or "default")
            if turns := turns_of(document):
                jot.remember_many(turns)
            else:
                jot.add(document.content, source=document.id, session=document.id, date=document.timestamp)
        self._jot.work()

    def retrieve(
        self, query: str, k: int = 10, user_id: str | None = None, query_timestamp: str | None = None
    ) -> tuple[list[Document], dict[str, Any] | None]:
        """As many hits as fit into the tokens of `k` pieces of the harness's own size."""
        jot = self._jot.scoped(tenant=user_id or "default")
        answer = jot.recall(query, limit=k * 5, tokens=k * CHUNK_TOKENS)
        documents = [
            Document(
                id=hit.session or hit.id,
                content=f"{format_time(hit.date)} {hit.actor or ''}: {hit.text}" if hit.date else hit.text,
                user_id=user_id,
            )
            for hit in answer.hits
        ]
        return documents, None

    def cleanup(self) -> None:
        self._jot.close()


def turns_of(document: Document) -> list[dict[str, Any]]:
    """The turns of a session as memories; none if the document is plain text."""
    turns = document.messages or (json.loads(document.content) if document.content.startswith("[{") else [])
    return [
        {
            "text": with_caption(turn.get("text") or turn.get("content") or "", turn.get("blip_caption", "")),
            "actor": turn.get("speaker") or turn.get("role"),
            "session": document.id,
            "position": position,
            "said_at": document.timestamp,
        }
        for position, turn in enumerate(turns)
    ]


def shares_of_sessions(dataset: PublishedLocomo, units: Sequence[str], into: Path) -> str:
    """For each group of conversations: how many of a question's sessions are among the first that a provider gives."""
    queries, documents = dataset.load_queries(SPLIT), dataset.load_documents(SPLIT)
    figures: dict[tuple[str, str], list[list[float]]] = {}
    for unit in units:
        for memory in (JotsamMemoryProvider(), BM25MemoryProvider()):
            memory.prepare(into / unit / memory.name, {unit})
            memory.ingest([one for one in documents if one.user_id == unit])
            for query in queries:
                if query.user_id == unit and query.gold_ids:
                    for group in (locomo_group(unit), "all"):
                        figures.setdefault((group, memory.name), []).append(_found(memory, query))
            memory.cleanup()
    rows = [
        (
            group,
            name,
            str(len(shares)),
            *(f"{100 * sum(column) / len(column):.1f}" for column in zip(*shares, strict=True)),
        )
        for (group, name), shares in sorted(figures.items())
    ]
    return grid(("conversations", "provider", "questions", *(f"first {k}" for k in FIRST)), rows)


def answered(dataset: PublishedLocomo, units: Sequence[str], into: Path) -> None:
    """The harness's own run of both providers: a model answers from what was found, and a model judges."""
    from memory_bench.modes.rag import RAGMode
    from memory_bench.runner import EvalRunner

    for memory in (JotsamMemoryProvider(), BM25MemoryProvider()):
        for unit in units:
            run = f"{memory.name}-{unit}"
            summary = EvalRunner(into).run(dataset, SPLIT, memory, RAGMode(), category=unit, run_name=run)
            print(f"{run}: {summary.correct} of {summary.total_queries} correct")
        memory.cleanup()


def _found(memory: MemoryProvider, query: Query) -> list[float]:
    documents, _ = memory.retrieve(query.query, WIDE, query.user_id, query.meta.get("query_timestamp"))
    sessions = list(dict.fromkeys(one.id for one in documents))
    wanted = set(query.gold_ids)
    return [len(wanted & set(sessions[:k])) / len(wanted) for k in FIRST]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("into", type=Path)
    parser.add_argument("--first", type=int)
    parser.add_argument("--answer", action="store_true")
    given = parser.parse_args()
    dataset = PublishedLocomo()
    units = list(dict.fromkeys(one.user_id for one in dataset.load_queries(SPLIT)))[: given.first]
    if given.answer:
        answered(dataset, units, given.into)
        return
    with tempfile.TemporaryDirectory(prefix="jotsam-harness-") as folder:
        print(shares_of_sessions(dataset, units, Path(folder)))


if __name__ == "__main__":
    main()
