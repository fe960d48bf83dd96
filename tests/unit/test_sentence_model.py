"""The models of sentences: what they were taught, and that they know an order from what only sounds like one."""

from __future__ import annotations

from importlib.resources import files

import pytest
from tools.train_sentences import MODELS, examples, packed, taught, train

from jotsam.pipeline.notes.sentence_model import ORDERS, score

UNTAUGHT = (
    ("the folder with the old maps is off limits for you", "the folder with the old maps was empty"),
    ("again a goto in the scheduler, we return early", "again a timeout in the scheduler, third one today"),
    ("texts that a visitor reads go through the catalogue", "the texts go through a proxy that adds a header"),
    ("could you please ask me before you pull in another crate", "could you please add another crate for dates"),
)


@pytest.mark.parametrize("model", MODELS)
def test_the_weights_are_those_of_the_examples(model: str) -> None:
    assert files("jotsam.pipeline.notes").joinpath(model).read_bytes() == packed(train(taught(model)))


@pytest.mark.parametrize("model", MODELS)
def test_it_knows_most_of_what_it_was_taught(model: str) -> None:
    every = [(score(sentence, model) > 0, is_one) for sentence, is_one in examples(model)]
    assert len(every) > 200
    assert sum(found == is_one for found, is_one in every) > 0.95 * len(every)


@pytest.mark.parametrize(("order", "other"), UNTAUGHT)
def test_an_order_without_a_cue_is_likelier_than_what_only_sounds_so(order: str, other: str) -> None:
    assert score(order, ORDERS) > max(0.0, score(other, ORDERS))


def test_any_text_has_a_score() -> None:
    for text in ("", " ", "?", "\0", "\ud800", "'" * 5_000, "а" * 5_000, "禁止"):
        assert isinstance(score(text, ORDERS), float)
