"""Rules for dates in other languages than English, made from their words: "3. März 2026", "il y a deux jours", "先週".

English and Chinese have rules of their own for what only they say.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.dates import calendar
from jotsam.pipeline.dates.calendar import Days
from jotsam.pipeline.dates.periods import AS_OF, IN
from jotsam.pipeline.dates.rule import NUMBER, YEAR, Rule
from jotsam.pipeline.languages import UNSPACED, by_code, unspaced
from jotsam.pipeline.languages.language import numbered, table, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jotsam.pipeline.languages.language import Language

    DateRule = tuple[Rule, Callable[[re.Match[str], date], Days | None]]

_UNITS = ("day", "week", "month", "year")
_YEAR, _CONTEXT = r"(?P<year>(?:19|20)\d\d)", 24
_NOT_YEARS = frozenset((2000, 2048))  # more often a size
_WORD = lazy_pattern(r"\s+([^\W\d_]+)")


def _any_of(found: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, found), key=len, reverse=True))


@cache
def rules_of(code: str) -> tuple[DateRule, ...]:
    one = by_code(code)
    return (
        relative_rules(one) if code in UNSPACED else (*_named(one), *relative_rules(one), *_counted(one), *_years(one))
    )


@cache
def _before(code: str) -> re.Pattern[str]:
    """What must precede a month or a year alone: "mars" alone may be a planet."""
    one = by_code(code)
    prepositions = [*(forms for _, forms in one.senses), one.between, one.conjunction, one.range_to]
    year = "|".join(table(one.units)["year"].split())
    return re.compile(
        rf"(?<!\w)(?:{'|'.join(prepositions)}|{year})\s+(?:(?:{_any_of(words(one.articles))})\s+)?$", re.I
    )


def _is_introduced(match: re.Match[str], code: str) -> bool:
    return _before(code).search(match.string[max(0, match.start() - _CONTEXT) : match.start()]) is not None


def _named(one: Language) -> tuple[DateRule, ...]:
    """Days and months by their names."""
    months = numbered(one.months, first=1)
    month, of = rf"(?P<month>{_any_of(months)})", rf"(?:(?:{_any_of(words(one.of))})\s+)?"
    day, last = (rf"(?P<{name}>\d{{1,2}})(?:{one.ordinals})?" for name in ("day", "last"))
    year = rf"(?:,?\s+{of}{_YEAR}\b)?"

    def read_day(match: re.Match[str], today: date) -> Days | None:
        number, named = months[match["month"].lower()], int(match["year"] or today.year)
        first, until = calendar.exact_day(named, number, int(match["day"])), None
        if match.groupdict().get("last"):
            until = calendar.exact_day(named, number, int(match["last"]))
            return (first[0], until[1]) if first and until and first < until else None
        return first

    def read_month(match: re.Match[str], today: date) -> Days | None:
        is_named = bool(match["year"]) or _is_introduced(match, one.code)
        is_name = not one.nouns_are_capitalised or match["month"][0].isupper()
        number = months[match["month"].lower()]
        return calendar.month(int(match["year"] or today.year), number) if is_named and is_name else None

    cues, numbers = frozenset(months), frozenset((NUMBER,))
    return (
        (
            Rule(rf"(?<![\w.,:-]){day}\s*(?:[-–]|{one.range_to})\s*{last}\s+{of}{month}\b{year}", cues, numbers),
            read_day,
        ),
        (Rule(rf"(?<![\w.,:-]){day}\s+{of}{month}\b{year}", cues, numbers), read_day),
        (Rule(rf"\b{month}\b(?!\s+\d{{1,2}}\b){year}", cues), read_month),
    )


def relative_rules(one: Language) -> tuple[DateRule, ...]:
    """Times by words of their own: "gestern", "la semaine dernière"."""

    times = [(unit, int(number)) for time, _ in one.relative for unit, number in [time.split()]]
    forms = "|".join(f"(?P<t{number}>{forms})" for number, (_, forms) in enumerate(one.relative))

    def read(match: re.Match[str], today: date) -> Days | None:
        unit, number = times[int((match.lastgroup or "")[1:])]
        return calendar.units_before(today, -number, unit)

    pattern = forms if one.code in UNSPACED else rf"\b(?:{forms})\b"
    # Each text is searched for English, so its words are looked for first.
    cues = [frozenset(re.findall(r"[a-z]{5,}", forms))] if one.code == "en" else []
    return ((Rule(pattern, *cues), read),)


def _counted(one: Language) -> tuple[DateRule, ...]:
    """Times by a number of units or a weekday: "vor drei Tagen", "lundi dernier"."""
    counts, weekdays = numbered(one.numbers, first=1), numbered(one.weekdays)
    units = {word: unit for unit in _UNITS for word in table(one.units)[unit].split()}
    counted = rf"(?P<count>\d{{1,3}}|{_any_of(counts)})\s+(?P<unit>{_any_of(units)})\b"

    def away(step: int) -> Callable[[re.Match[str], date], Days | None]:
        def read(match: re.Match[str], today: date) -> Days | None:
            count = counts.get(match["count"].lower()) or int(match["count"])
            return calendar.units_before(today, step * count, units[match["unit"].lower()])

        return read

    def rules(forms: str, pattern: str, cues: Iterable[str]) -> list[Rule]:
        return [Rule(rf"\b{form.format(pattern)}(?!\w)", frozenset(cues)) for form in forms.split("|") if form]

    weekday = rf"(?P<weekday>{_any_of(weekdays)})"
    return (
        *((found, away(1)) for found in rules(one.ago, counted, units)),
        *((found, away(-1)) for found in rules(one.ahead, counted, units)),
        *(
            (found, lambda match, today: calendar.weekday_before(today, weekdays[match["weekday"].lower()]))
            for found in rules(one.last_weekday, weekday, weekdays)
        ),
        *(
            (found, lambda match, today: calendar.weekday_after(today, weekdays[match["weekday"].lower()]))
            for found in rules(one.next_weekday, weekday, weekdays)
        ),
    )


def _years(one: Language) -> tuple[DateRule, ...]:
    """Years behind a preposition. A noun that follows is counted: "in 2024 Zeilen"."""
    verbs = " ".join(table(one.states).values())
    no_nouns = words(f"{one.function} {one.first_person} {verbs}")
    named = re.compile(rf"\b(?:{'|'.join(table(one.units)['year'].split())})\s+$", re.IGNORECASE)

    def read(match: re.Match[str], today: date) -> Days | None:
        before, following = match.string[: match.start()], _WORD.match(match.string, match.end())
        is_counted = following and following[1].lower() not in no_nouns and not named.search(before)
        if is_counted or int(match["year"]) in _NOT_YEARS or not _is_introduced(match, one.code):
            return None
        return calendar.year(int(match["year"]))

    return ((Rule(rf"(?<![\w.:/$€£#+-]){_YEAR}(?![\w%°+]|[.:/,–-]\d|-\w|\s*[%°€$])", frozenset((YEAR,))), read),)


@cache
def _senses(code: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    one = by_code(code)
    the = rf"(?:(?:{_any_of(words(one.articles))})\s+)?"
    return tuple((sense, re.compile(rf"(?<!\w)(?:{forms})\s+{the}$", re.IGNORECASE)) for sense, forms in one.senses)


def sense_of(text: str, start: int, end: int, code: str) -> str:
    """The sense of what precedes a date, or follows it in languages without spaces (code ""): since, before, in."""
    if code:
        before = text[max(0, start - _CONTEXT) : start]
        return next((sense for sense, pattern in _senses(code) if pattern.search(before)), IN)
    if text[end : end + 1].isascii() and text[start - 1 : start].isascii():
        return IN
    for one in unspaced():
        if one.until and re.search(rf"(?:{one.until})$", text[:start]):
            return AS_OF
        for sense, forms in one.senses:
            if re.match(forms, text[end : end + _CONTEXT]):
                return sense
    return IN
