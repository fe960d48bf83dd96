"""The model of standing orders: what it was taught, and that it knows orders without a cue from what only sounds so."""

from __future__ import annotations

from importlib.resources import files

import pytest
from tools.train_rules import RULES, examples, packed, taught, train

from jotsam.pipeline.notes.rule_model import WEIGHTS, score

UNTAUGHT = (
    ("the folder with the old maps is off limits for you", "the folder with the old maps was empty"),
    ("again a goto in the scheduler, we return early", "again a timeout in the scheduler, third one today"),
    ("texts that a visitor reads go through the catalogue", "the texts go through a proxy that adds a header"),
    ("could you please ask me before you pull in another crate", "could you please add another crate for dates"),
)


def test_the_weights_are_those_of_the_examples() -> None:
    assert files("jotsam.pipeline.notes").joinpath(WEIGHTS).read_bytes() == packed(train(taught()))


def test_it_knows_most_of_what_it_was_taught() -> None:
    every = [(score(sentence) > 0, label in RULES) for sentence, label in examples()]
    assert len(every) > 1_000
    assert sum(found == is_rule for found, is_rule in every) > 0.95 * len(every)


@pytest.mark.parametrize(("order", "other"), UNTAUGHT)
def test_an_order_without_a_cue_is_likelier_than_what_only_sounds_so(order: str, other: str) -> None:
    assert score(order) > max(0.0, score(other))


def test_any_text_has_a_score() -> None:
    for text in ("", " ", "?", "\0", "\ud800", "'" * 5_000, "а" * 5_000, "禁止"):
        assert isinstance(score(text), float)
