"""Normalising predicates of facts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.predicates import FUNCTIONAL, PREDICATES, is_free
from jotsam.core.records import Fact
from jotsam.pipeline.facts.attributes import _ATTRIBUTES, _INVERTED
from jotsam.pipeline.facts.predicates import SYNONYMS, in_set, normalise_predicate, predicates_in_question
from jotsam.pipeline.facts.tables_and_lists import _COLUMNS, _KEYS
from jotsam.pipeline.facts.verb_table import BY_FIRST_WORD


@pytest.mark.parametrize(
    ("predicate", "expected"),
    [
        ("uses", "uses"),
        ("Using", "uses"),
        ("is currently using", "uses"),
        ("utilises", "uses"),
        ("使用", "uses"),
        ("developed", "created"),
        ("creates", "created"),
        ("开发", "created"),
        ("decided to use", "decided"),
        ("选择", "decided"),
        ("has been replaced by", "replaced_by"),
        ("REPLACED_BY", "replaced_by"),
        ("replaced-by", "replaced_by"),
        ("dependsOn", "depends_on"),
        ("relies upon", "relies_upon"),
        ("will migrate to", "migrated_to"),
        ("is", "is"),
        ("is a", "is"),
        ("was painted by", "was_painted_by"),
        ("  ", ""),
        ("...", ""),
    ],
)
def test_synonyms_become_one_predicate(predicate: str, expected: str):
    """MB-26."""
    assert normalise_predicate(predicate) == expected


def test_normalised_predicates_stay_unchanged():
    assert {normalise_predicate(name) for name in SYNONYMS.values()} == set(SYNONYMS.values())


@given(st.text(max_size=80) | st.sampled_from(sorted(SYNONYMS)))
def test_normalising_again_changes_nothing(predicate: str):
    once = normalise_predicate(predicate)
    assert normalise_predicate(once) == once
    assert len(once) <= 60


def test_every_predicate_that_a_rule_states_by_name_is_of_the_closed_set():
    verbs = {verb.predicate for verbs in BY_FIRST_WORD.values() for verb in verbs} - {"uses_no_more"}
    named = {*_ATTRIBUTES.values(), *_COLUMNS.values(), *_KEYS.values()} - _INVERTED.keys() | {*_INVERTED.values()}
    assert sorted((verbs | named | {*SYNONYMS.values()} | FUNCTIONAL) - PREDICATES) == []


@pytest.mark.parametrize(
    "told", ["works at", "worksAt", "WORKS_AT", "works-at", "worksat", "works for", "is employed by", "employer"]
)
def test_a_predicate_that_is_nearly_one_of_the_set_becomes_it(told: str):
    assert in_set(Fact(subject="Ana", predicate=told, object="Initech")).predicate == "works_at"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (("Billing", "owned by", "Ana"), ("Ana", "owns", "Billing")),
        (("Billing", "Owner", "Ana"), ("Ana", "owns", "Billing")),
        (("Initech", "employs", "Ana"), ("Ana", "works_at", "Initech")),
        (("Ana", "lead", "Billing"), ("Ana", "responsible_for", "Billing")),
        (("API", "listens on", "port 8443"), ("API", "port", "8443")),
        (("API", "port", ":8443"), ("API", "port", "8443")),
        (("API", "listens on", "127.0.0.1:8443"), ("API", "listens_on", "127.0.0.1:8443")),
        (("Ana", "mentors", "Bo"), ("Ana", "mentors", "Bo")),
    ],
)
def test_what_is_told_from_the_other_side_is_turned_around(told: tuple[str, str, str], expected: tuple[str, str, str]):
    names = ("subject", "predicate", "object")
    fact = in_set(Fact(**dict(zip(names, told, strict=True))))  # type: ignore[arg-type]
    assert (fact.subject, fact.predicate, fact.object) == expected
    assert is_free(fact.predicate) == (fact.predicate == "mentors")


@pytest.mark.parametrize(
    ("question", "predicate"),
    [
        ("what is the employer of ana", "works_at"),
        ("which port does the api have", "port"),
        ("what timezone is bo in", "timezone"),
        ("what is the price of the pump", "costs"),
    ],
)
def test_a_question_about_an_attribute_names_its_predicate(question: str, predicate: str):
    assert predicate in predicates_in_question(question.split())
