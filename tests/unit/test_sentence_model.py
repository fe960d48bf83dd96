"""The models of sentences: what they were taught, and that they know an order from what only sounds like one."""

from __future__ import annotations

import zlib
from collections import Counter
from importlib.resources import files
from itertools import islice

import pytest
from tools.train_sentences import ASKS_AROUND, MODELS, Example, checksum, examples, packed, read, train

from jotsam.pipeline.notes.model_weights import CHECKSUM
from jotsam.pipeline.notes.prompt_model import WORLD, needs_nothing
from jotsam.pipeline.notes.sentence_model import DECIDES, HOLDS, ORDERS, Setting, features, score
from jotsam.pipeline.notes.word_vectors import SIZE, vector

CLEARLY = 1.0
ENOUGH = 400  # of an author with fewer sentences the shares say nothing
EVERY = 4  # of how many examples one is asked about
LONG = 5  # words: two authors can write the same "not yet"
UNTAUGHT = (
    ("the folder with the old maps is off limits for you", "the folder with the old maps was empty"),
    ("no goto in the scheduler, we return early here", "no goto in the scheduler, I looked for it twice"),
    ("texts that a visitor reads go through the catalogue", "the texts go through a proxy that adds a header"),
    ("could you please ask me before you pull in another crate", "could you please add another crate for dates"),
)


@pytest.mark.parametrize("model", MODELS)
def test_the_weights_are_of_the_examples(model: str) -> None:
    content = zlib.decompress(files("jotsam.pipeline.notes").joinpath(model).read_bytes())
    assert content[:CHECKSUM] == checksum(read(examples(model), model)), "run `python -m tools.train_sentences`"


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
def test_the_same_examples_give_the_same_weights(model: str) -> None:
    given = read(examples(model), model)
    assert files("jotsam.pipeline.notes").joinpath(model).read_bytes() == packed(train(given), checksum(given))


@pytest.mark.parametrize("model", MODELS)
def test_it_knows_most_of_what_it_was_taught(model: str) -> None:
    """Of every fourth sentence: `test_the_weights_are_of_the_examples` reads all."""
    asked = islice(examples(model), 0, None, EVERY)
    every = [(_score(one, model) > 0, one.label in MODELS[model].labels) for one in asked]
    assert len(every) > 200
    assert sum(found == is_one for found, is_one in every) > 0.95 * len(every)


def _score(one: Example, model: str) -> float:
    if model == WORLD:
        return needs_nothing(one.sentence)
    return score(one.sentence, model, said=one.said if model in ASKS_AROUND else None)


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "margin", "least_found", "most_wrong"), [(ORDERS, 1, 0.45, 0.3), (DECIDES, 0, 0.35, 0.32)]
)
def test_it_knows_sentences_of_an_author_who_did_not_teach_it(
    model: str, margin: float, least_found: float, most_wrong: float
) -> None:
    """All authors together: one of everyday work has too few of a kind to be judged alone."""
    every = [*examples(model)]
    number = Counter(one.author for one in every if one.said is not None)
    authors = [author for author in number if number[author] >= ENOUGH]
    assert len(authors) > 1
    of_kind, found = 0, list[bool]()
    for author in authors:
        weights = train(read((one for one in every if one.author != author), model))
        given = read((one for one in every if one.author == author), model, least=1)
        of_kind += sum(one.is_one for one in given)
        found += [one.is_one for one in given if weights.score(one) >= margin]
    assert sum(found) > least_found * of_kind
    assert found.count(False) < most_wrong * len(found)


def test_a_short_answer_decides_by_what_was_said_before_it() -> None:
    offer = "Two ways: (a) a hedge along the road, or (b) a fence of wire. Which one?"
    chosen = score("the cheap one", DECIDES, said=Setting(before=offer))
    assert chosen > score("the cheap one", DECIDES, said=Setting(before="The hedge is cut."))


def test_what_the_answer_says_again_was_decided() -> None:
    taken_up = Setting(before="", after="Ducks are fed at 7:30 now.")
    assert score("feed the ducks at 7:30", DECIDES, said=taken_up) > score(
        "feed the ducks at 7:30", DECIDES, said=Setting(before="", after="I could not reach the barn.")
    )


def test_an_answer_says_what_holds_of_what_was_said() -> None:
    asked, other = Setting(before="the ducks eat at 7:30 then"), Setting(before="why is the gate open?")
    assert score("The ducks are fed at 7:30.", HOLDS, said=asked) > score(
        "The ducks are fed at 7:30.", HOLDS, said=other
    )


def test_words_without_an_example_count_by_what_they_are_like() -> None:
    """Of "herons" and "pelicans" no example says anything, so the vectors are all that tells the sentences apart."""
    herons, pelicans = "keep the herons", "keep the pelicans"
    assert {*features(herons)} - {*features(pelicans)} == {"w herons", "b the herons", "b herons >", "p heron"}
    taught = {feature for one in examples(ORDERS) for feature in features(one.sentence)}
    assert not taught & ({*features(herons)} ^ {*features(pelicans)})
    assert vector(herons) != vector(pelicans)
    assert score(herons, ORDERS) != score(pelicans, ORDERS)


def test_a_text_without_a_known_word_has_a_vector_of_zeros() -> None:
    assert vector("§§") == vector("") == (0.0,) * SIZE != vector("herons §§") == vector("herons")
    assert len(vector("a " * 500)) == SIZE


def test_no_sentence_is_given_twice() -> None:
    every = [one.sentence for one in examples(ORDERS)]
    assert len(every) > 2_000
    long = [one for one in every if len(one.split()) > LONG]
    assert len(long) == len({*long})


@pytest.mark.parametrize(("order", "other"), UNTAUGHT)
def test_an_order_without_a_cue_is_likelier_than_what_only_sounds_so(order: str, other: str) -> None:
    assert score(order, ORDERS) > score(other, ORDERS) + CLEARLY


def test_any_text_has_a_score() -> None:
    for text in ("", " ", "?", "\0", "\ud800", "'" * 5_000, "а" * 5_000, "禁止"):
        assert isinstance(score(text, ORDERS), float)
