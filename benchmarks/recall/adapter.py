"""Adapter between a scorer and Jotsam: each turn is one memory, stored by the client and identified by its external id.

A scorer calls `open_index(turns)` and then `search(question, k)`, which returns ids of turns, best first. A question is
answered as any other, packing included, but with a budget so large that nothing is left out for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import jotsam
from benchmarks.recall.data_sets import body
from jotsam.core.answers import Question
from jotsam.core.clock import new_id
from jotsam.retrieval.answer import recall
from jotsam.retrieval.rank.weights import WEIGHTS, Weights

WIDEST = 200_000

Search = Callable[[str, int], list[str]]


@dataclass(frozen=True, kw_only=True)
class Adapter:
    """Indexes turns in a folder or on a server. An index of the same turns in the folder is reused."""

    folder: Path
    url: str | None = None
    drained: bool = True
    weights: Weights = WEIGHTS
    opened: list[jotsam.Jotsam] = field(default_factory=list)

    def open_index(self, turns: Sequence[Any]) -> Search:
        jot, is_new = self._open(turns)
        if is_new:
            for turn in turns:
                remember(jot, turn)
            if self.drained:
                jot.work()
        return lambda question, k: self._search(jot, question, k)

    def close(self) -> None:
        for jot in self.opened:
            jot.close()

    def _open(self, turns: Sequence[Any]) -> tuple[jotsam.Jotsam, bool]:
        if self.url is not None:
            self.opened.append(jotsam.Jotsam(self.url, tenant=new_id(), worker="off"))
            return self.opened[-1], True
        told = repr([(turn.id, turn.text) for turn in turns])
        name = sha256(told.encode()).hexdigest()[:12] + ("" if self.drained else "-raw")
        path = self.folder / f"{name}.db"
        is_new = not path.exists()
        self.opened.append(jotsam.Jotsam(str(path), worker="off"))
        return self.opened[-1], is_new

    def _search(self, jot: jotsam.Jotsam, question: str, k: int) -> list[str]:
        asked = Question(text=question, tenant=jot.settings.tenant, tokens=WIDEST, limit=k)
        vectors = jot._embed_question(question)
        with jot.database.snapshot() as tx:
            answer = recall(tx, asked, question_vectors=vectors, weights=self.weights)
        return [hit.external_id for hit in answer.hits if hit.external_id is not None]


def remember(jot: jotsam.Jotsam, turn: Any) -> None:
    """Store one turn with its speaker, time, and position in its conversation."""
    jot.remember(
        body(turn),
        external_id=turn.id,
        actor=turn.speaker,
        session=turn.session,
        position=turn.n,
        said_at=turn.when,
    )
