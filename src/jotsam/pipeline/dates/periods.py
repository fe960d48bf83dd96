"""The record of a date expression, and a quick check whether a text may have one.

Apart from `parse_dates`, because compiling its rules takes a tenth of a short command, and most questions name no date.
"""

from __future__ import annotations

import re
from functools import cache

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.languages import by_code, likely
from jotsam.pipeline.languages.language import numbered, table

MAX_CHARACTERS = 20_000  # The rest of a longer text is not searched.

IN, SINCE, AFTER, BEFORE, UNTIL, AS_OF = "in", "since", "after", "before", "until", "as of"

_HINT = lazy_pattern(
    r"(?<!\d)[12]\d{3}(?!\d)|[’']\d0s|\bq[1-4]\b|day|week|month|year|quarter|yr|hour|hr|minute|night"
    r"|tonight|tomorrow|morning|afternoon|evening|spring|summer|autumn|fall|winter|christmas|halloween|valentine"
    r"|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[天周週日月年期拜晚早]|小时|小時|分钟|分鐘",
    re.IGNORECASE,
)
_DIGIT = lazy_pattern(r"\d")


class Period(Record):
    """Days in a text, in UTC milliseconds from `first` (inclusive) to `until` (exclusive)."""

    first: int
    until: int
    text: str = ""  # the date expression, "" if the text has none
    start: int = 0  # its offset
    sense: str = IN  # the preposition: in, since, after, before, until, as of
    language: str = "en"  # its code


def may_name_dates(text: str) -> bool:
    """False if `find_dates` cannot find anything in the text."""
    if _HINT.search(text, 0, MAX_CHARACTERS):
        return True
    codes = [one.code for one in likely(text) if one.code != "en"]
    if codes and _DIGIT.search(text, 0, MAX_CHARACTERS):
        return True
    words = frozenset(text[:MAX_CHARACTERS].lower().replace("?", " ").replace(".", " ").split())
    return any(not _words(code).isdisjoint(words) for code in codes)


@cache
def _words(code: str) -> frozenset[str]:
    """Words, one of which is in each date expression without a digit."""
    one = by_code(code)
    relative = " ".join(pattern for _, pattern in one.relative)
    names = [*numbered(one.months), *numbered(one.weekdays), *table(one.units)["year"].split()]
    return frozenset((*names, *re.findall(r"[^\W\d_]+(?:['-][^\W\d_]+)*", relative)))
