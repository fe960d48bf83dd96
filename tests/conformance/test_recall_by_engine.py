"""Recall asks a registered Qdrant for the nearest vectors, and answers as if the database had compared them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jotsam import Jotsam
from jotsam.core.names import MIRROR_QUEUES, QDRANT
from jotsam.engines.qdrant import QdrantEngine, open_engine
from jotsam.memory.engines.vector_mirror import VectorMirror
from jotsam.storage.engines import engines, mirror
from jotsam.storage.recall import vectors
from jotsam.worker.mirror import SETTLE_MS
from processes import until

if TYPE_CHECKING:
    from conftest import StandingClock

SUBJECTS = ("The cat", "A dog", "The ledger", "Our invoice", "The compiler", "Grace", "A deadline", "The garden")
REST = ("sat on the mat", "is stored in PostgreSQL", "was reviewed on Monday", "has a bug", "costs ten euros")
QUESTIONS = (
    "catsat mattress",
    "what stores ledgers",
    "gardens cost",
    "bugs in compilers",
    "reviewing invoices",
    "graces",
)


@pytest.fixture
def open_jot(open_jot: Callable[..., Jotsam]) -> Callable[..., Jotsam]:
    return partial(open_jot, embed_model="hashing")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[QdrantEngine]:
    """In a folder that this process keeps open."""
    engine = open_engine(f"qdrant://{tmp_path}/qdrant")
    engine.prepare()
    yield engine
    engine.close()


@pytest.fixture
def asking(jot: Jotsam, engine: QdrantEngine, clock: StandingClock, tmp_path: Path) -> Jotsam:
    """Forty memories, all in the engine, which is asked however few there are."""
    for number, text in enumerate(f"{subject} {rest}." for subject in SUBJECTS for rest in REST):
        jot.remember(text, project="even" if number % 2 == 0 else "odd")
    jot.admin.add_engine(f"qdrant://{tmp_path}/qdrant")
    jot.work()
    while engine.count("default") < 40:  # A server first waits for transactions that began before the engine was added.
        clock.tick(SETTLE_MS)
        jot.work()
    jot._question_embedder._mirror = VectorMirror(jot.settings, least=1)
    return jot


def was_asked(jot: Jotsam, project: str | None = None) -> bool:
    embedded = jot._embed_question("cats", project=project)
    assert embedded
    return [one.candidates is not None for one in embedded._embedded] == [True]


def hits(jot: Jotsam, question: str, **options: object) -> list[tuple[str, float]]:
    found = jot.recall(question, **options)  # type: ignore[arg-type]
    assert "qdrant" not in found.text
    return [(hit.text, round(hit.score, 4)) for hit in found.hits[:10]]


def test_answers_are_the_same_with_and_without_the_engine(asking: Jotsam, open_jot: Callable[..., Jotsam]) -> None:
    without = open_jot()
    assert was_asked(asking)
    assert was_asked(asking, "even")
    for question in QUESTIONS:
        for options in ({}, {"project": "even"}, {"project": " even "}, {"history": True}, {"actor": "ada"}):
            assert hits(asking, question, **options) == hits(without, question, **options), (question, options)


@pytest.mark.needs_server
def test_the_database_searches_if_too_few_candidates_remain(asking: Jotsam, open_jot: Callable[..., Jotsam]) -> None:
    asking._question_embedder._mirror = VectorMirror(asking.settings, least=1, asked=3)
    without = open_jot()
    assert was_asked(asking)
    for question in QUESTIONS:
        assert hits(asking, question) == hits(without, question), question


def test_changes_that_the_engine_was_not_told_are_in_the_answer(
    asking: Jotsam, open_jot: Callable[..., Jotsam], engine: QdrantEngine
) -> None:
    for name in MIRROR_QUEUES:
        asking.admin.pause(name)
    new = asking.remember("The cats sat on many mats.").id
    old = asking.recall("the cat sat on the mat").hits[0].id
    asking.work()
    asking.supersede(asking.recall("a dog sat on the mat", limit=1).hits[0].id, new)
    asking.forget(asking.plan_forget(ids=[old]))
    asking.update(asking.recall("garden has a bug", limit=1).hits[0].id, text="Zebras graze.")
    asking.work()
    assert new not in engine.read_memories("default", [new])
    assert old in engine.read_memories("default", [old])
    without = open_jot()
    assert was_asked(asking)
    assert "The cats sat on many mats." in dict(hits(asking, "catsat mattress"))
    assert old not in [hit.id for hit in asking.recall("catsat mattress").hits]
    for question in (*QUESTIONS, "zebra grazing"):
        for options in ({}, {"project": "even"}):
            assert hits(asking, question, **options) == hits(without, question, **options), (question, options)


@pytest.mark.needs_server
def test_a_vector_that_is_saved_while_the_engine_is_asked_is_found(asking: Jotsam) -> None:
    embedded = asking._embed_question("catsat mattress")
    assert embedded
    new = asking.remember("The catsat mattress.").id
    asking.work()  # The engine is told, so that its change is not in the log any more.
    with asking.database.snapshot(tenant="default") as tx:
        assert not mirror.changed_memories(tx, engine=QDRANT, limit=1)
        (ref,) = vectors.refs(tx, [new])
        scope = {"tenant": "default", "at": tx.now}
        from jotsam.storage.recall.search import Scope

        assert ref in embedded.search(tx, Scope(**scope), limit=5)


def test_the_answer_comes_from_the_database_and_says_so_while_the_engine_is_away(
    asking: Jotsam, open_jot: Callable[..., Jotsam]
) -> None:
    with asking.database.transaction() as tx:
        engines.remove(tx, QDRANT)
        engines.save(tx, name=QDRANT, address="qdrant://127.0.0.1:9", version="gone")
    for _ in range(2):  # The second is not asked again.
        answer = asking.recall("catsat mattress")
        (said,) = answer.coverage.unavailable
        assert "qdrant" in said
        assert "http://127.0.0.1:9 cannot be reached" in said
        assert said in answer.text
        assert [hit.id for hit in answer.hits] == [hit.id for hit in open_jot().recall("catsat mattress").hits]


@pytest.mark.needs_server
def test_the_engine_is_not_asked_before_it_holds_the_tenant(jot: Jotsam, engine: QdrantEngine, tmp_path: Path) -> None:
    jot._question_embedder._mirror = VectorMirror(jot.settings, least=1)
    jot.remember("The cat sat on the mat.")
    jot.work()
    assert not was_asked(jot)
    jot.admin.add_engine(f"qdrant://{tmp_path}/qdrant")
    assert not was_asked(jot)
    until(lambda: jot.work() or was_asked(jot))  # It waits for older transactions.
    jot.admin.rebuild_engines()
    assert not was_asked(jot)


def test_few_vectors_are_compared_without_the_engine(asking: Jotsam, open_jot: Callable[..., Jotsam]) -> None:
    assert not was_asked(open_jot())
    asking._question_embedder._mirror = VectorMirror(asking.settings, least=41)
    assert not was_asked(asking)
    asking.remember("One more.")
    asking.work()
    assert was_asked(asking)
