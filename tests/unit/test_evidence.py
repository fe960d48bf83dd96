"""How much of a question a text contains, and when the best results speak of something else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from jotsam.retrieval.question.parse import parse
from jotsam.retrieval.question.stems import stems
from jotsam.retrieval.rank.common_words import _lines, is_common
from jotsam.retrieval.rank.evidence import (
    BETWEEN,
    Word,
    contained,
    contained_in,
    contained_in_each,
    known,
    letters,
    question_words,
    says_nothing,
    share,
)

TEXTS = (
    "The billing service writes its invoices to PostgreSQL every night.",
    "Backups of PostgreSQL are kept for 30 days in the second region.",
    "Maria asked for a smaller font in the report.",
    "The helmet library sets the security headers of our web server.",
)


def words(question: str, texts: Sequence[str] = TEXTS) -> tuple[Word, ...]:
    found = parse(question, now=0).words
    counts = {word: sum(word in text.lower() for text in texts) for word in found}
    every = question_words(question, found, counts, len(texts))
    return known(every, frozenset().union(*(contained(every, text) for text in texts)))


def is_told(question: str, texts: Sequence[str] = TEXTS) -> bool:
    asked = words(question, texts)
    best = max(texts, key=lambda text: share(asked, contained(asked, text)))
    return says_nothing(asked, contained(asked, best))


@pytest.mark.parametrize(
    "question",
    [
        "how do I configure Kerberos for the billing service?",
        "which kubernetes cluster do we use?",
        "what is the favourite dish of the new neighbour?",
        "how does Helm install the chart?",
    ],
)
def test_a_question_about_something_unknown_is_told(question: str) -> None:
    assert is_told(question)


@pytest.mark.parametrize(
    "question",
    [
        "how long are backups of PostgreSQL kept?",
        "what annoyed Maria?",
        "which headers does helmet set by default?",
        "how often does billing write an invoice?",
        "where do the nightly invoices go?",
        "Wie lange werden die Sicherungen von PostgreSQL aufgehoben?",
    ],
)
def test_a_question_with_an_answer_in_other_words_is_not_told(question: str) -> None:
    assert not is_told(question)


def test_a_name_is_known_by_its_writing_and_a_rare_word_by_the_list() -> None:
    kinds = {word.written: word.kind for word in words("how does Terraform lock the webpack state of GraphQL?")}
    assert kinds == {
        "Terraform": "name",
        "lock": "common",
        "webpack": "unusual",
        "state": "common",
        "GraphQL": "name",
    }
    assert {word.kind for word in words("Wo liegt der Schlüssel zum Keller?")} == {"other"}
    assert {word.kind for word in words("数据库迁移在哪里？")} == {"other"}
    assert [word.kind for word in words("what happened in March?") if word.written == "March"] in ([], ["common"])


def test_a_name_is_not_found_at_the_start_of_another_word() -> None:
    helm, lock = words("does Helm lock?")
    assert not contained((helm,), "the helmet is blue")
    assert contained((helm,), "Helm's chart")
    assert contained((helm,), "use helm.")
    assert contained((lock,), "it was locked")
    assert not contained((lock,), "the locksmith")
    assert not helm.is_known


def test_the_share_is_one_of_all_words_and_none_of_no_word() -> None:
    asked = words("how long are backups of PostgreSQL kept?")
    assert share(asked, {word.text for word in asked}) == 1.0
    assert share(asked, ()) == 0.0
    assert share((), ()) == 1.0
    assert share(asked, {"backups"}) > share(asked, {"postgresql"}), "fewer texts contain it"


def test_inflections_of_common_words_are_common() -> None:
    for word in ("table", "tables", "written", "holiday", "an"):
        assert is_common(word)
    for word in ("kerberos", "graphql", "kubectl", "webpack"):
        assert not is_common(word)


def test_every_word_of_the_list_is_common_and_a_word_beside_it_is_not() -> None:
    lines = _lines().decode().split()
    listed = {*lines}
    for word in lines:
        assert is_common(word) or stems([word]) != (word,), word
        beside = f"{word}q"
        assert is_common(beside) == (beside in listed), beside


def test_words_of_several_texts_are_those_of_each_and_none_spans_two() -> None:
    texts = (*TEXTS, "Der Straßenplan", "cut in the mid", "dle of a word", "helm", "et", "")
    asked = words(
        "which helmet in the middle of the strassenplan does Maria ask for, and who wrote the invoice?", texts
    )
    each = contained_in_each(asked, {ref: letters(text) for ref, text in enumerate(texts)})
    assert each == {ref: contained(asked, text) for ref, text in enumerate(texts)}
    together = contained_in(asked, BETWEEN.join(map(letters, texts)))
    assert together == frozenset().union(*each.values())
    assert {"strassenplan", "maria", "helmet", "invoice"} <= together
    assert "middle" not in together
