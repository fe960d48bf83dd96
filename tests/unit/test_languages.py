"""Each language has its file, and each file the words that all readers need."""

from __future__ import annotations

import re
from pathlib import Path

from jotsam.pipeline import languages
from jotsam.pipeline.languages import SPACED, UNSPACED, detect, may_be, spaced, unspaced
from jotsam.pipeline.languages.language import Language, numbered, table
from jotsam.pipeline.languages.units import unit_names

FOLDER = Path(languages.__file__).parent
PATTERNS = ("hedges", "past", "events", "today", "state", "correction", "latest")


def everywhere() -> tuple[Language, ...]:
    return (*spaced(), *unspaced())


def test_each_file_is_a_language_that_is_read() -> None:
    files = {path.stem for path in FOLDER.glob("??.py")}
    assert files == {*SPACED, *UNSPACED} == {one.code for one in everywhere()}


def test_a_language_names_all_months_and_weekdays() -> None:
    for one in everywhere():
        months, days = one.months.split("|"), one.weekdays.split("|")
        assert (len(months), all(map(str.strip, months))) == (12, True), f"{one.code} does not name twelve months"
        assert (len(days), all(map(str.strip, days))) == (7, True), f"{one.code} does not name seven weekdays"
        assert len(numbered(one.numbers)) >= 10
        assert {"day", "week", "month", "year"} <= set(table(one.units))


def test_the_patterns_of_a_language_can_be_compiled() -> None:
    for one in everywhere():
        for pattern in (*(getattr(one, field) for field in PATTERNS), *one.replaces, *one.ends):
            re.compile(pattern)


def test_a_language_has_what_changes_and_statements_are_read_by() -> None:
    needed = ("first_person", "function", "negations", "states", "replaces", "ends", "state", "correction")
    missing = [f"{one.code}: {field}" for one in everywhere() for field in needed if not getattr(one, field)]
    assert missing == []


def test_a_unit_has_one_name() -> None:
    assert (unit_names()["tagen"], unit_names()["jours"], unit_names()["días"], unit_names()["天"]) == ("day",) * 4


def test_the_language_of_a_text_is_that_to_which_most_words_point() -> None:
    texts = ("the port is now 81", "Der Port ist jetzt 81", "le port est maintenant 81", "el puerto es ahora 81", "81")
    assert [detect(text.lower().split()).code for text in texts] == ["en", "de", "fr", "es", "en"]


def test_a_short_english_text_needs_no_other_language() -> None:
    def codes(text: str) -> list[str]:
        return [one.code for one in may_be(text)]

    assert codes("Where do our jobs live?") == ["en"]
    assert codes("Was war gestern?") == [*SPACED]
    assert codes("昨天的会议") == [*SPACED, *UNSPACED]
