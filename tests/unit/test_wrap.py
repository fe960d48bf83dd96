"""Wrapping a text to the columns of a terminal, and marking the words of a question in it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jotsam.retrieval.present.matches import matches, question_stems
from jotsam.surfaces.cli.table import cut_start, text_width, wrap

TEXTS = st.text("ab c東京🎉e\u0301-", max_size=80)


def lines_of(text: str, width: int, lines: int = 99) -> list[str]:
    return [text[start:end] for start, end in wrap(text, width, lines=lines)]


def test_a_text_is_wrapped_at_spaces_and_between_wide_characters() -> None:
    assert lines_of("one two three", 8) == ["one two", "three"]
    assert lines_of("incomprehensible", 6) == ["incomp", "rehens", "ible"]
    assert lines_of("东京 is 数据库选择", 8) == ["东京 is", "数据库选", "择"]
    assert lines_of("one two three", 8, lines=1) == ["one two"]


@given(TEXTS, st.integers(2, 30))
def test_no_line_is_too_wide_and_nothing_but_spaces_is_lost(text: str, width: int) -> None:
    lines = lines_of(text, width)
    assert all(text_width(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@given(TEXTS, st.integers(3, 30))
def test_a_path_keeps_its_end(text: str, width: int) -> None:
    kept = cut_start(text, width)
    assert text_width(kept) <= width
    assert text.endswith(kept.removeprefix("…"))


def marked(question: str, text: str) -> list[str]:
    return [text[start:end] for start, end in matches(text, question_stems(question))]


def test_the_words_of_a_question_are_marked_whole_and_in_other_forms() -> None:
    assert marked("which database did we choose?", "We chose a Database; databases differ") == [
        *("chose", "Database", "databases")
    ]
    assert marked("postgres", "PostgreSQL, not post") == ["PostgreSQL"]
    assert marked("café", "CAFE, cafés") == ["CAFE", "cafés"]
    assert marked("the", "the cat, therefore") == []
    assert marked("go", "Go, Google, went") == ["Go", "went"]
    assert marked("数据库", "关系数据库好") == ["数据库"]
    assert marked("", "anything") == []
