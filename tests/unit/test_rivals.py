"""Which texts speak of the same thing, by their words."""

from __future__ import annotations

import pytest

from jotsam.retrieval.rank.contradictions import answers, are_alike, contradict, said


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
    assert contradict(said(one), said(other))
    assert not contradict(said(one), said(one))


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
def test_what_can_both_be_true_is_no_contradiction(one: str, other: str) -> None:
    assert not contradict(said(one), said(other))


def test_texts_that_share_most_words_are_alike_and_the_same_words_are_not() -> None:
    assert are_alike(said("Tom drives a red Volvo."), said("Tom drives a blue Renault."))
    assert are_alike(said("Maria eats fish twice a week."), said("Maria is a vegan and eats no fish."))
    assert are_alike(said("The cluster runs in eu-west-1."), said("The cluster runs in eu-central-2."))
    assert not are_alike(said("Tom drives a red Volvo."), said("Tom drives a red Volvo!"))
    assert not are_alike(said("The cat sleeps."), said("Invoices go out on Monday."))
    assert not are_alike(said("Tom drives " * 100), said("Tom drives home."))
    assert not are_alike(said(None), said(None))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The billing service was written by Ann.", "The billing service needs Python 3.12."),
        ("The billing service logo is green.", "The billing service has four replicas."),
        ("My dog is tired.", "My dog is brown."),
        ("The API key lives in Vault.", "The API key rotates every month."),
    ],
)
def test_to_begin_with_the_same_subject_is_not_enough(one: str, other: str) -> None:
    assert not are_alike(said(one), said(other))


def test_one_answers_as_well_as_another_if_it_has_all_that_was_asked_and_the_other_has() -> None:
    red, blue = said("Tom drives a red Volvo."), said("Tom drives a blue Renault.")
    assert answers(blue, red, ["tom", "driv"])
    assert not answers(blue, red, ["tom", "volvo"])
    assert answers(blue, red, ["bicycle"])
