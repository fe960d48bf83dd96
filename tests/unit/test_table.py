"""The layout of tables: widths, numbers, wide characters, and the width of a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jotsam.surfaces.cli.table import LEAST_WIDTH, cut, lay_out, text_width

LONG = "a sentence of many words that no narrow terminal can show beside the other columns"


def test_numbers_are_on_the_right_and_words_on_the_left() -> None:
    lines = lay_out(("NAME", "COUNT"), [("ana", "7"), ("b", "1,204"), ("c", "")], width=None)
    assert lines == ["NAME  COUNT", "ana       7", "b     1,204", "c"]


def test_an_id_of_digits_alone_is_no_number() -> None:
    assert lay_out(("ID", "TEXT"), [("90045044", "x")], width=None)[0].startswith("ID ")


def test_durations_are_on_the_right() -> None:
    assert lay_out(("P50",), [("32 ms",), ("1.5 s",), ("",)], width=None) == ["  P50", "32 ms", "1.5 s", ""]


def test_empty_columns_are_left_out_on_a_terminal() -> None:
    table = [("ana", "", "x"), ("b", "", "y")]
    assert lay_out(("A", "VALID", "C"), table, width=80)[0] == "A    C"
    assert lay_out(("A", "VALID", "C"), table, width=None)[0] == "A    VALID  C"


def test_without_a_terminal_nothing_is_cut() -> None:
    assert lay_out(("NO", "TEXT"), [("1", LONG * 5)], width=None)[1] == f" 1  {LONG * 5}"


def test_the_widest_column_of_words_is_cut_first() -> None:
    row = ("4f2a91c3-0000-4000-8000-000000000000", "Ana Silva", LONG)
    narrow = lay_out(("ID", "NAME", "TEXT"), [row], width=80)
    assert narrow[1].startswith("4f2a91c3-0000-4000-8000-000000000000  Ana Silva  a sentence")
    assert narrow[1].endswith("…")
    assert len(narrow[1]) <= 80
    assert lay_out(("ID", "NAME", "TEXT"), [row], width=200)[1].endswith("columns")


def test_wide_characters_take_two_columns_and_combining_marks_none() -> None:
    assert (text_width("東京"), text_width("e\u0301"), text_width("🎉")) == (4, 1, 2)
    assert [text_width(line) for line in lay_out(("A", "B"), [("東京", "x y"), ("abcd", "x y")], width=None)] == [
        7,
        9,
        9,
    ]
    assert cut("東京都", 4) == "東…"


@given(
    st.lists(st.tuples(st.text("ab 東é…", max_size=60), st.text("ab 東", max_size=60)), max_size=5),
    st.integers(2 * LEAST_WIDTH + 2, 120),
)
def test_no_line_is_wider_than_the_terminal(rows: list[tuple[str, str]], width: int) -> None:
    assert all(text_width(line) <= width for line in lay_out(("one", "two"), rows, width=width))
