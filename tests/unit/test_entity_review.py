"""Which slugs are alike, and which name no thing."""

from __future__ import annotations

from jotsam.pipeline.entities.review import alike_pairs, ambiguous_given_names, doubt, likeness


def test_likeness_is_the_part_that_need_not_be_changed():
    pairs = {("redis", "redis"): 1.0, ("alice", "alice-smith"): 0.6, ("postgres", "postgresql"): 0.8}
    pairs |= {("kubernets", "kubernetes"): 0.9, ("abc", "xyz"): 0.0, ("", ""): 1.0}
    assert {pair: round(likeness(*pair), 3) for pair in pairs} == pairs
    assert {pair: round(likeness(*reversed(pair)), 3) for pair in pairs} == pairs


def test_pairs_are_the_most_alike_first():
    slugs = ["alice", "alice-smith", "kubernetes", "kubernets", "redis", "go", "c++"]
    assert [pair for _, *pair in alike_pairs(slugs)] == [["kubernetes", "kubernets"], ["alice", "alice-smith"]]


def test_thousands_of_slugs_with_one_word_in_common_are_compared_in_part():
    assert len(alike_pairs([f"project-{n:05}" for n in range(2_000)])) < 20_000


def test_only_given_names_of_several_people_are_ambiguous():
    assert ambiguous_given_names(["alice", "alice-smith", "alice-jones", "bob-ray", "bob-ray"]) == {"alice"}


def test_doubts_name_a_reason_and_spare_short_and_foreign_names():
    doubtful = {"2048": "number", "overview": "common-word", "the-it": "common-word", "q3": "label", "12k": "label"}
    doubtful |= {"3f2a9b7c-1d2e": "identifier", "ud83d-udc4d": "identifier", "a-b-c-of-the-words-here": "phrase"}
    assert {slug: doubt(slug) for slug in doubtful} == doubtful
    names = ["go", "c++", "r", "3m", "d3", "王小明", "søren-kierkegaard", "mary-jane-watson", "deadbeef"]
    assert [slug for slug in names if doubt(slug)] == []
