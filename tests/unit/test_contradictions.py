"""Near-duplicates and contradictions between two texts."""

from __future__ import annotations

import pytest

from jotsam.retrieval.rank.contradictions import are_near_duplicates, compared_text, covers, find_contradiction


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The staging port is 5432.", "The staging port is 6543."),
        ("Deploys are on Friday.", "Deploys are on Tuesday."),
        ("The billing service uses MySQL.", "The billing service uses PostgreSQL."),
        ("发布服务器在柏林。", "发布服务器在东京。"),
        ("The deadline is on May 3.", "The deadline is May 5."),
        ("The door is locked.", "The door is not locked."),
    ],
)
def test_two_values_of_one_subject_contradict_each_other(one: str, other: str) -> None:
    assert find_contradiction(compared_text(one), compared_text(other), is_same_speaker=True)
    assert not find_contradiction(compared_text(one), compared_text(one), is_same_speaker=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Kangaroo number 1 was fed.", "Kangaroo number 2 was fed."),
        ("Text 394 about Acme.", "Text 12 about Acme."),
        ("Text 394 über Acme.", "Text 12 über Acme."),
        ("Texto 394 sobre Acme.", "Texto 12 sobre Acme."),
        ("Texte 394 sur Acme.", "Texte 12 sur Acme."),
        ("My dog is tired.", "My dog is brown."),
        ("The port is 5432.", "The host is 5432."),
        ("The billing service uses Redis.", "The billing service runs on Kubernetes."),
        ("The billing service runs on Kubernetes.", "The billing service runs in Frankfurt."),
        ("The retro is on Friday.", "The retro is in Berlin."),
        ("", "The port is 1."),
    ],
)
def test_statements_that_can_both_be_true_do_not_contradict(one: str, other: str) -> None:
    assert not find_contradiction(compared_text(one), compared_text(other), is_same_speaker=True)


def test_texts_that_share_most_words_are_near_duplicates_but_equal_texts_are_not() -> None:
    assert are_near_duplicates(compared_text("Tom drives a red Volvo."), compared_text("Tom drives a blue Renault."))
    assert are_near_duplicates(
        compared_text("Maria eats fish twice a week."), compared_text("Maria is a vegan and eats no fish.")
    )
    assert are_near_duplicates(
        compared_text("The cluster runs in eu-west-1."), compared_text("The cluster runs in eu-central-2.")
    )
    assert not are_near_duplicates(compared_text("Tom drives a red Volvo."), compared_text("Tom drives a red Volvo!"))
    assert not are_near_duplicates(compared_text("The cat sleeps."), compared_text("Invoices go out on Monday."))
    assert not are_near_duplicates(compared_text("Tom drives " * 100), compared_text("Tom drives home."))
    assert not are_near_duplicates(compared_text(None), compared_text(None))


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
    assert not are_near_duplicates(compared_text(one), compared_text(other))


def test_a_text_covers_another_if_it_contains_the_same_stems_of_the_question() -> None:
    red, blue = compared_text("Tom drives a red Volvo."), compared_text("Tom drives a blue Renault.")
    assert covers(blue, red, ["tom", "driv"])
    assert not covers(blue, red, ["tom", "volvo"])
    assert covers(blue, red, ["bicycle"])


def test_what_two_people_say_of_themselves_is_no_contradiction() -> None:
    one, other = compared_text("I live in Porto."), compared_text("I live in Braga.")
    assert find_contradiction(one, other, is_same_speaker=True)
    assert not find_contradiction(one, other, is_same_speaker=False)


def test_a_contradiction_says_which_text_is_a_guess() -> None:
    one, other = compared_text("The gate code is 4711."), compared_text("I think the gate code is 8090.")
    found = find_contradiction(one, other, is_same_speaker=False)
    assert found
    assert (found.one_hedged, found.other_hedged) == (False, True)
