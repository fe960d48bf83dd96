"""Groups of similar memories: each member is near the centre, so a chain of neighbours is not one group."""

from __future__ import annotations

from jotsam.pipeline.lifecycle.theme_text import DatedText, best_sentences, ranked_terms, shared_terms
from jotsam.pipeline.likeness.star_groups import MAX_MEMBERS, matched, star_groups
from jotsam.pipeline.likeness.word_likeness import content_words, likeness

DAY_MS = 86_400_000


def test_a_chain_falls_apart_into_groups_around_centres() -> None:
    chain = [(number, number + 1, 0.8) for number in range(1, 9)]
    groups = star_groups(chain)
    assert groups == [(1, 2, 3), (4, 5, 6), (7, 8, 9)]


def test_pairs_are_no_group_and_large_groups_are_cut() -> None:
    assert star_groups([(1, 2, 0.9), (3, 4, 0.9)]) == []
    (largest, *_) = star_groups([(1, other, 0.9) for other in range(2, 200)])
    assert len(largest) == MAX_MEMBERS


def test_a_group_continues_the_known_one_it_shares_most_with_and_one_only() -> None:
    known = {"a": frozenset((1, 2, 3)), "b": frozenset((7, 8, 9))}
    assert matched([(1, 2, 3, 4), (8, 20, 21, 22)], known) == ({(1, 2, 3, 4): "a"}, ["b"])
    split = matched([(1, 5, 6), (2, 3, 10)], known)
    assert split == ({(2, 3, 10): "a"}, ["b"])


def test_terms_are_those_that_are_shared_here_and_rare_elsewhere() -> None:
    texts = ["The heron hunts frogs in the reeds.", "A heron and the frogs of the reeds.", "Frogs fear the heron."]
    shared = shared_terms(texts)
    assert {"heron", "frog"} <= set(shared)
    assert ranked_terms(shared, {"frog": 900, "heron": 3}, texts=1_000)[0] == "heron"


def test_a_summary_repeats_nothing_and_follows_the_time() -> None:
    members = [
        DatedText(text="The heron hunts frogs in the reeds at dawn.", at=3 * DAY_MS),
        DatedText(text="The heron hunts frogs in the reeds at dawn.", at=2 * DAY_MS),
        DatedText(text="A ranger counted nine heron nests in the poplars.", at=DAY_MS),
    ]
    first, second = best_sentences(members, ("heron",)).split("\n")
    assert "nests" in first
    assert "frogs" in second


def test_words_are_compared_without_manners() -> None:
    one, other = (
        frozenset(content_words(text))
        for text in ("Wow, that's great, thanks so much, I really like it!", "Wow, thanks, that's really great!")
    )
    assert likeness(one, other) == 0.0
    assert likeness(frozenset("abcdefgh"), frozenset("abcdexyz")) == 5 / 8
