"""What a text says that it replaces, ends or corrects, and what it does to older texts."""

from __future__ import annotations

import pytest
from tests.unit import change_sentences

from jotsam.pipeline.statements.compare import Said, effect
from jotsam.pipeline.statements.compatible import MARK, RETIRE
from jotsam.pipeline.statements.find_changes import find_changes


def effects(old: str, new: str, *, actor: str = "Ann", other: str = "Ann") -> set[str]:
    newer = Said(text=new, actor=actor, session="second", year=2025)
    older = Said(text=old, actor=other, session="first", year=2024)
    return {found for change in find_changes(new) if (found := effect(change, newer, older))}


@pytest.mark.parametrize("kind", change_sentences.KINDS)
def test_a_sentence_that_says_so_retires_the_older_statement(kind) -> None:
    missed = [line for line in change_sentences.lines(kind) if effects(line[0], line[1]) != {RETIRE}]
    assert not missed


@pytest.mark.parametrize("kind", change_sentences.KINDS)
def test_a_sentence_that_only_looks_like_a_change_retires_and_marks_nothing(kind) -> None:
    wrong = [line for line in change_sentences.lines(kind) if effects(line[0], line[2])]
    assert not wrong


def test_what_speaks_of_something_else_or_of_a_part_retires_and_marks_nothing() -> None:
    wrong = [line for line in change_sentences.unchanged() if effects(*line)]
    assert not wrong


def test_what_another_person_says_of_themselves_changes_nothing() -> None:
    assert effects("I live in Porto.", "I moved to Braga.") == {RETIRE}
    assert effects("I live in Porto.", "I moved to Braga.", other="Ben") == set()
    assert effects("Ann lives in Porto.", "I moved to Braga.", other="Ben") == {RETIRE}


def test_an_older_text_that_says_more_is_only_marked() -> None:
    older = "The loan period is 14 days. Bring the card of the library."
    assert effects(older, "The loan period has been extended to 21 days.") == {MARK}


def test_what_is_done_with_something_that_we_replaced_is_marked() -> None:
    newer = "We switched from Perforce to Git."
    used = (
        "We build with Perforce from the main line.",
        "The firmware team uses Perforce.",
        "Our firmware uses Perforce.",
    )
    assert [effects(older, newer) for older in used] == [{MARK}] * 3
    other = ("Contoso builds with Perforce.", "Perforce was founded in 1995.", "Mia talked about Perforce.")
    assert [effects(older, newer) for older in other] == [set()] * 3


def test_a_year_in_the_past_changes_nothing() -> None:
    assert effects("The archive is stored in Oslo.", "In 2009 the archive was moved to Bergen.") == set()
    assert effects("The archive is stored in Oslo.", "The archive was moved to Bergen.") == {RETIRE}


def test_a_list_of_releases_states_no_change() -> None:
    notes = "Changelog\n\n1.2.0\n- The default port is now 81.\n\n1.1.0\n- The default port is now 80."
    assert find_changes(notes) == ()


@pytest.mark.parametrize(
    "text", ["", "now", "not", ", not ", "from to", "不是", "から", "\x00 now is", "now " * 900, "n't " * 99]
)
def test_odd_texts_do_no_harm(text) -> None:
    for change in find_changes(text):
        effect(change, Said(text=text), Said(text=text))
