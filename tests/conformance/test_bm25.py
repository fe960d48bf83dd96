"""Text matches are ranked by bm25 of the tenant's own texts, on every database."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

import pytest

from jotsam.core.answers import Terms
from jotsam.storage.recall import search

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jotsam import Jotsam

K1, B = 1.2, 0.75
NEAR = 0.003
"""How far a score may be from it: PostgreSQL computes how often a text has a word from a rank."""

# Words that are their own stems.
TEXTS = (
    "kangaroo",
    "kangaroo jump high",
    "kangaroo kangaroo jump",
    "fox jump kangaroo kangaroo kangaroo kangaroo kangaroo",
    "fox fox fox fox fox fox fox fox jump",
    "wolf cat dog cow bird fish ant bat rat hen owl pig",
    "cat dog",
    "bird " * 60,
    "kangaroo " * 9 + "wolf " * 40,
)
QUESTIONS = (("kangaroo",), ("jump", "fox"), ("kangaroo", "jump", "wolf"), ("bird", "cat"), ("absent", "owl"))


def bm25(texts: Sequence[Sequence[str]], question: Sequence[str]) -> dict[int, float]:
    """The score of each text that has a word of the question, by its place."""
    average = sum(map(len, texts)) / len(texts)
    scores: Counter[int] = Counter()
    for word in question:
        having = [place for place, text in enumerate(texts) if word in text]
        rarity = log(1 + (len(texts) - len(having) + 0.5) / (len(having) + 0.5))
        for place in having:
            frequency, length = texts[place].count(word), len(texts[place])
            scores[place] += rarity * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * length / average))
    return dict(scores)


def scored(jot: Jotsam, texts: Sequence[str], question: tuple[str, ...]) -> dict[int, float]:
    """The score of each text that a search finds, by its place."""
    with jot.database.snapshot(tenant=jot.settings.tenant) as tx:
        asked = search.expression(tx, Terms(words=question))
        rows = search.match_text(tx, search.Scope(tenant=tx.tenant, at=tx.now), asked=asked, limit=100)
        bodies = tx.execute("select id, body from memory where tenant = :tenant")
    places = {row["id"]: texts.index(row["body"]) for row in bodies}
    return {places[row["ref"]]: row["score"] for row in rows}


def test_the_scores_are_those_of_bm25(jot: Jotsam) -> None:
    texts = [text.strip() for text in TEXTS]
    for text in texts:
        jot.remember(text)
    words = [text.split() for text in texts]
    for question in QUESTIONS:
        assert scored(jot, texts, question) == pytest.approx(bm25(words, question), rel=NEAR), question


def test_a_text_that_is_gone_counts_no_longer(jot: Jotsam) -> None:
    """Also not for how rare a word and how long a text is."""
    ids = [jot.remember(text).id for text in ("kangaroo jump", "kangaroo high", "fox jump", "wolf " * 90)]
    jot.forget(jot.plan_forget(ids=[ids[3]]))
    jot.update(ids[2], text="fox bird cat cow")
    texts = ["kangaroo jump", "kangaroo high", "fox bird cat cow"]
    for question in (("kangaroo",), ("jump", "cow")):
        wanted = bm25([text.split() for text in texts], question)
        assert scored(jot, texts, question) == pytest.approx(wanted, rel=NEAR)


def test_texts_of_another_tenant_change_no_rarity(jot: Jotsam, open_jot: Callable[..., Jotsam]) -> None:
    texts = ["kangaroo jump", "fox jump", "wolf high"]
    for text in texts:
        jot.remember(text)
        open_jot(tenant="other").remember(text.replace("jump", "fox"))
    wanted = bm25([text.split() for text in texts], ("jump", "fox"))
    assert scored(jot, texts, ("jump", "fox")) == pytest.approx(wanted, rel=NEAR)
