"""Near-duplicates and contradictions between two texts."""

from __future__ import annotations

import pytest

from jotsam.retrieval.rank.contradictions import are_near_duplicates, contradict, covers, read_statement


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The staging port is 5432.", "The staging port is 6543."),
        ("Deploys are on Friday.", "Deploys are on Tuesday."),
        ("The billing service uses MySQL.", "The billing service uses PostgreSQL."),
        ("发布服务器在柏林。", "发布服务器在东京。"),
        ("The deadline is on May 3.", "The deadline is May 5."),
    ],
)
def test_two_values_of_one_subject_contradict_each_other(one: str, other: str) -> None:
    assert contradict(read_statement(one), read_statement(other))
    assert not contradict(read_statement(one), read_statement(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kangaroo number 1 was fed.", "Kangaroo number 2 was fed."),
        ("My dog is tired.", "My dog is brown."),
        ("The port is 5432.", "The host is 5432."),
        ("The billing service uses Redis.", "The billing service runs on Kubernetes."),
        ("The billing service runs on Kubernetes.", "The billing service runs in Frankfurt."),
        ("The retro is on Friday.", "The retro is in Berlin."),
        ("", "The port is 1."),
    ],
)
def test_statements_that_can_both_be_true_do_not_contradict(one: str, other: str) -> None:
    assert not contradict(read_statement(one), read_statement(other))


def test_texts_that_share_most_words_are_near_duplicates_but_equal_texts_are_not() -> None:
    assert are_near_duplicates(read_statement("Tom drives a red Volvo."), read_statement("Tom drives a blue Renault."))
    assert are_near_duplicates(
        read_statement("Maria eats fish twice a week."), read_statement("Maria is a vegan and eats no fish.")
    )
    assert are_near_duplicates(
        read_statement("The cluster runs in eu-west-1."), read_statement("The cluster runs in eu-central-2.")
    )
    assert not are_near_duplicates(read_statement("Tom drives a red Volvo."), read_statement("Tom drives a red Volvo!"))
    assert not are_near_duplicates(read_statement("The cat sleeps."), read_statement("Invoices go out on Monday."))
    assert not are_near_duplicates(read_statement("Tom drives " * 100), read_statement("Tom drives home."))
    assert not are_near_duplicates(read_statement(None), read_statement(None))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The billing service was written by Ann.", "The billing service needs Python 3.12."),
        ("The billing service logo is green.", "The billing service has four replicas."),
        ("My dog is tired.", "My dog is brown."),
        ("The API key lives in Vault.", "The API key rotates every month."),
    ],
)
def test_a_common_subject_does_not_make_near_duplicates(one: str, other: str) -> None:
    assert not are_near_duplicates(read_statement(one), read_statement(other))


def test_a_text_covers_another_if_it_contains_the_same_stems_of_the_question() -> None:
    red, blue = read_statement("Tom drives a red Volvo."), read_statement("Tom drives a blue Renault.")
    assert covers(blue, red, ["tom", "driv"])
    assert not covers(blue, red, ["tom", "volvo"])
    assert covers(blue, red, ["bicycle"])
