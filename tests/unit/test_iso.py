"""Parsing ISO dates into spans."""

from __future__ import annotations

import pytest

from jotsam.core.errors import InvalidInput
from jotsam.pipeline.dates.iso import format_day, parse_span

DAY = 86_400_000


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026", 1_767_225_600_000, 1_767_225_600_000 + 365 * DAY - 1),
        ("2026-03", 1_772_323_200_000, 1_772_323_200_000 + 31 * DAY - 1),
        ("2026-12", 1_796_083_200_000, 1_796_083_200_000 + 31 * DAY - 1),
        ("2026-3-1", 1_772_323_200_000, 1_772_323_200_000 + DAY - 1),
        (" 2026-03-01 ", 1_772_323_200_000, 1_772_323_200_000 + DAY - 1),
        ("2026-03-01T10:00", 1_772_359_200_000, 1_772_359_200_000),
        ("2026-03-01T10:00:00+02:00", 1_772_352_000_000, 1_772_352_000_000),
    ],
)
def test_a_date_spans_its_first_to_its_last_millisecond(text: str, first: int, last: int):
    assert parse_span(text) == (first, last)


@pytest.mark.parametrize("text", [None, "", "  "])
def test_an_empty_text_has_no_span(text: str | None):
    assert parse_span(text) is None


@pytest.mark.parametrize("text", ["soon", "2026-13", "2026-02-30", "20260", "0000", "9999", "2026-03-01T25:00", "-1"])
def test_other_texts_are_rejected(text: str):
    with pytest.raises(InvalidInput, match="invalid date"):
        parse_span(text)


def test_a_formatted_day_has_its_weekday():
    assert format_day(1_772_323_200_000) == "2026-03-01 (Sunday)"
