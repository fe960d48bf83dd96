"""What a text states is told from mere talk."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jotsam.pipeline.extraction.estimate_importance import LEAST, MOST, UNJUDGED, estimate_importance

TALK = (
    "Thanks so much, that sounds awesome!",
    "Wow, you're amazing. Keep pushing!",
    "Hey! Good to see you! How have you been?",
    "Bye, take care!",
    "I totally agree, it really feels great.",
)
STATED = (
    "I moved to Lyon in May, and my sister Paula followed in August.",
    "The invoice number is 4471, and it was paid last week.",
    "We adopted a beagle named Biscuit two years ago.",
    "Her thesis is about basalt columns in Iceland.",
    "The backup runs on Sunday at 03:00 and keeps 14 copies.",
)


def test_what_states_something_is_more_important_than_all_talk() -> None:
    assert max(map(estimate_importance, TALK)) < 0.2 < min(map(estimate_importance, STATED))


def test_a_question_states_nothing() -> None:
    assert estimate_importance("Did you move to Lyon in May 2021, with your sister Paula?") == LEAST
    assert estimate_importance("Really? I moved to Lyon in May.") > 0.2


def test_a_reply_and_a_fact_count() -> None:
    text = "A pottery class."
    assert estimate_importance(text) < estimate_importance(text, is_reply=True)
    assert estimate_importance(text) < estimate_importance(text, has_fact=True)


def test_another_script_is_not_judged() -> None:
    for text in ("谢谢你！", "Спасибо большое!", "ありがとう", "감사합니다"):
        assert estimate_importance(text) == UNJUDGED


@given(st.text(), st.booleans(), st.booleans())
def test_it_is_within_bounds(text: str, is_reply: bool, has_fact: bool) -> None:
    assert LEAST <= estimate_importance(text, is_reply=is_reply, has_fact=has_fact) <= MOST
