"""Classification by cue words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.names import TYPES
from jotsam.pipeline.extraction.classify import classify


@pytest.mark.parametrize(
    ("text", "name", "confidence"),
    [
        ("We decided to use PostgreSQL.", "Decision", 0.6),
        ("We chose PostgreSQL and decided against MySQL.", "Decision", 0.8),
        ("我们决定使用 PostgreSQL。", "Decision", 0.6),
        ("I prefer tabs rather than spaces.", "Preference", 0.8),
        ("Always use tabs here.", "Preference", 0.6),
        ("我喜欢深色模式。", "Preference", 0.6),
        ("Every time I deploy, I check the logs.", "Habit", 0.6),
        ("I realized that the lock was never released.", "Insight", 0.6),
        ("The root cause was a lost lease, it turns out.", "Insight", 0.8),
        ("Deployments usually fail at first.", "Pattern", 0.6),
        ("The naming convention is snake_case.", "Style", 0.8),
        ("Handpicked apples from the decidedly nice market.", "Context", 0.3),
        ("The meeting is in room 4.", "Context", 0.3),
        ("", "Context", 0.3),
        ("```\nwe decided to\n```", "Context", 0.3),
    ],
)
def test_a_text_has_the_type_of_its_cue_words(text: str, name: str, confidence: float) -> None:
    """AM-34: "decided to" is a cue for a decision, "handpicked" is not."""
    kind = classify(text)
    assert (kind.type, kind.confidence) == (name, confidence)


FILLER = "The importer reads a file and writes its rows into a table. " * 10


def test_in_a_long_text_a_single_cue_in_the_middle_is_ignored() -> None:
    assert classify(FILLER + "We usually wait. " + FILLER).type == "Context"
    assert classify("We decided to wait. " + FILLER).type == "Decision"
    assert classify(FILLER + "We chose it and decided to wait. " + FILLER).type == "Decision"


def test_a_decision_is_more_important_than_a_remark_and_a_warning_most_important() -> None:
    remark, decision = classify("The room has four windows."), classify("We decided to open a window.")
    warning = classify("Important: we decided to never open a window.")
    assert remark.importance < decision.importance < warning.importance <= 1
    assert classify("ok").importance < remark.importance


@given(st.text(max_size=200))
def test_any_text_has_a_type_and_scores_from_0_to_1(text: str) -> None:
    kind = classify(text)
    assert kind.type in TYPES
    assert 0 <= kind.importance <= 1
    assert 0 < kind.confidence <= 1
