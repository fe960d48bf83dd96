"""Rules for weekdays: "last Tuesday", "by Friday", "we will ship it on Friday", "Friday the 13th".

A weekday without "last" or "next" means the previous one, unless the sentence is about the future.
"""

from __future__ import annotations

import re
from datetime import date

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.dates import calendar
from jotsam.pipeline.dates.calendar import Days
from jotsam.pipeline.dates.rule import Rule
from jotsam.pipeline.languages.en import LANGUAGE
from jotsam.pipeline.languages.language import numbered

WEEKDAYS = numbered(LANGUAGE.weekdays)
STEP = r"(?P<step>last|past|previous|this\s+past|this\s+coming|this|current|next|coming|following)"
_WEEKDAY = r"(?P<weekday>" + "|".join(sorted(WEEKDAYS, key=len, reverse=True)) + r")\.?"
_NEXT = frozenset(("next", "coming", "this coming", "following"))
# Words that place the sentence in the future.
_FUTURE = lazy_pattern(
    r"(?:\b(?:will|won[’']t|shall|gonna|due|must|should|let[’']s|let\s+us|(?:is|are|am|[’']m|[’']re|[’']s)\s+going\s+to"
    r"|(?:need|needs|have|has|want|wants|plan|plans|hope|hopes)\s+to)\b|[’']ll\b)[^.!?\n]{0,80}$",
    re.IGNORECASE,
)
_DEADLINE = lazy_pattern(r"\b(?:until|till|by|due)\s+$", re.IGNORECASE)
# Words that place the sentence in the past.
_PAST = lazy_pattern(
    r"\b(?:was|were|had|did|stayed|went|got|came|kept|held|ran|took|\w{3,}ed)\b[^.!?\n]{0,80}$", re.IGNORECASE
)


def _weekday(match: re.Match[str], today: date) -> Days | None:
    step, number = " ".join((match["step"] or "").lower().split()), WEEKDAYS[match["weekday"].lower()]
    if len(match["weekday"]) < 5 and not (step or match["weekday"][0].isupper()):
        return None
    if step in _NEXT:
        return calendar.weekday_after(today, number)
    if step == "this":
        return calendar.weekday_of(today, number, 0)
    return (
        calendar.weekday_after(today, number)
        if not step and _is_in_future(match)
        else calendar.weekday_before(today, number)
    )


def _is_in_future(match: re.Match[str]) -> bool:
    """Whether the date is in the future: "by Friday", "we will ship it on Friday". Not "she stayed until Friday"."""
    before = match.string[max(0, match.start() - 100) : match.start()]
    return _FUTURE.search(before) is not None or (_DEADLINE.search(before) is not None and _PAST.search(before) is None)


def _weekday_and_day(match: re.Match[str], today: date) -> Days | None:
    """Reads "last Friday the 13th"."""
    step = " ".join((match["step"] or "").lower().split())
    is_in_future = step in _NEXT or (not step and _is_in_future(match))
    return calendar.weekday_and_day(
        today, WEEKDAYS[match["weekday"].lower()], int(match["day"]), 1 if is_in_future else -1
    )


RULES = tuple(
    (Rule(pattern, frozenset(WEEKDAYS)), reader)
    for pattern, reader in (
        (rf"\b(?:{STEP}\s+)?{_WEEKDAY},?\s+the\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)\b(?!\s+of\b)", _weekday_and_day),
        (rf"\b(?:{STEP}\s+)?{_WEEKDAY}(?![\w-])", _weekday),
    )
)
