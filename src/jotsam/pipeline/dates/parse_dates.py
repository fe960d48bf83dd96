"""Find date expressions in a text and resolve them: "last Tuesday", "in March", "two weeks ago", "2026-03-01", "昨天".

Memories and queries use the same rules: expressions are resolved relative to the day of the text. `language_rules`
reads other languages than English, `chinese_dates` what is common in Chinese. Vague expressions such as "the other day"
and "soon" are not dates, and "may" is a month only where the context requires a month.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import cache

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.dates import calendar
from jotsam.pipeline.dates.calendar import Days
from jotsam.pipeline.dates.chinese_dates import LAST_HOURS as CHINESE_LAST_HOURS
from jotsam.pipeline.dates.chinese_dates import RULES as CHINESE
from jotsam.pipeline.dates.chinese_dates import read_number as read_chinese_number
from jotsam.pipeline.dates.language_rules import relative_rules, rules_of, sense_of
from jotsam.pipeline.dates.periods import AFTER, AS_OF, BEFORE, IN, MAX_CHARACTERS, SINCE, UNTIL, Period
from jotsam.pipeline.dates.rule import CHINESE as IN_CHINESE
from jotsam.pipeline.dates.rule import MONTHS, NUMBER, STEPS, UNITS, YEAR, Rule, cue, words_of
from jotsam.pipeline.dates.weekdays import RULES as WEEKDAYS
from jotsam.pipeline.dates.weekdays import STEP as _STEP
from jotsam.pipeline.dates.years import RULES as YEARS
from jotsam.pipeline.languages import by_code, likely, spaced, unspaced
from jotsam.pipeline.languages.en import LANGUAGE
from jotsam.pipeline.languages.language import numbered
from jotsam.pipeline.text.words import normalise_newlines

MAX_PERIODS = 3

MAX_JOINT = 12  # characters between the two ends of a range

DateReader = Callable[[re.Match[str], date], Days | None]


class _Expression(Record):
    """Days and where a text names them."""

    start: int
    end: int
    days: Days
    code: str  # of the language, "" for Chinese and Japanese


_MONTHS = numbered(LANGUAGE.months, first=1)
_NUMBER_WORDS = numbered(LANGUAGE.numbers, first=1) | {"a": 1, "an": 1, "couple": 2, "few": 3, "several": 3}
_SEASONS = {"spring": calendar.SPRING, "summer": calendar.SUMMER, "autumn": calendar.AUTUMN, "fall": calendar.AUTUMN}
_SEASONS |= {"winter": calendar.WINTER}
_HOLIDAYS = {"christmas": (12, 25), "christmas eve": (12, 24), "new year's eve": (12, 31), "new year's day": (1, 1)}
_HOLIDAYS |= {"new year's": (1, 1), "halloween": (10, 31), "valentine's day": (2, 14), "valentine's": (2, 14)}
_STEPS = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1, "following": 1}
_STEPS |= {"the": -1}

_COUNT = (
    r"(?P<count>a(?:n|\s+couple(?:\s+of)?|\s+few)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|couple(?:\s+of)?|few|several|(?<![\d.,])\d{1,4})"
)
_FRACTION = (
    r"(?:(?P<decimal>(?<![\d.,])\d{1,3}[.,]\d)\s+(?P<unit1>{unit})s?|half\s+an?\s+(?P<unit2>{unit})"
    r"|(?P<count3>a|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3})\s+and\s+a\s+half\s+(?P<unit3>{unit})s?"
    r"|(?:a|one)\s+(?P<unit4>{unit})\s+and\s+a\s+half)"
).replace("{unit}", "day|week|month|quarter|year")
_UNIT = r"(?P<unit>day|weekend|week|month|quarter|year|yr)s?"
_LAST_HOURS = rf"\b(?:last|past|previous)\s+(?:{_COUNT}\s+)?(?P<unit>hour|hr|minute|min)s?\b"
_UNITS_MS = {**dict.fromkeys(("hour", "hr", "小时", "小時"), 3_600_000), **dict.fromkeys(("minute", "min"), 60_000)}
_UNITS_MS |= {"分钟": 60_000, "分鐘": 60_000}
_MONTH = r"(?P<month>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_BEFORE_A_DATE = lazy_pattern(
    r"\b(?:in|since|from|during|until|till|by|of|after|before|around|circa|through|between|early|late|mid|year|this|as"
    r"|last|next|to|and)[\s-]+(?:the\s+)?$",
    re.IGNORECASE,
)
_SENSES = (
    (AS_OF, lazy_pattern(r"\bas\s+(?:of|at)\s+(?:the\s+)?$", re.IGNORECASE)),
    (SINCE, lazy_pattern(r"\b(?:ever\s+)?(?:since|starting(?:\s+(?:in|on))?|from)\s+(?:the\s+)?$", re.IGNORECASE)),
    (AFTER, lazy_pattern(r"\bafter\s+(?:the\s+)?$", re.IGNORECASE)),
    (BEFORE, lazy_pattern(r"\b(?:before|prior\s+to)\s+(?:the\s+)?$", re.IGNORECASE)),
    (UNTIL, lazy_pattern(r"\b(?:until|till|up\s+to|through|by)\s+(?:the\s+)?$", re.IGNORECASE)),
)
_BETWEEN = frozenset(one.between for one in spaced())


def find_dates(text: str, *, said_at: int, limit: int = MAX_PERIODS) -> tuple[Period, ...]:
    """The distinct periods of a text in order of appearance, at most `limit`.

    Relative expressions are resolved against the UTC day of `said_at`, in milliseconds; hours and minutes, such as "the
    last 3 hours", against `said_at` itself. "between March and May" and "May 3 to 7" are one period each.
    """
    text = normalise_newlines(text[:MAX_CHARACTERS])
    words = words_of(text)
    if not text.isascii():
        words |= {*re.findall(r"[^\W\d_]+", text.lower())}
    recent = _last_hours(text, words, said_at)
    taken = {at for period in recent for at in range(period.start, period.start + len(period.text))}
    codes = [one.code for one in likely(text)]
    expressions = _expressions(text, words, calendar.utc_day(said_at), taken, codes)
    single = {(found.start, found.end) for found in expressions}
    named = [
        Period(
            first=calendar.to_milliseconds(found.days[0]),
            until=calendar.to_milliseconds(found.days[1]) + calendar.DAY_MS,
            text=text[found.start : found.end],
            start=found.start,
            sense=_sense_of(text, found.start, found.end, codes) if (found.start, found.end) in single else IN,
            language=found.code or "en",
        )
        for found in _join_ranges(text, expressions)
    ]
    periods: dict[tuple[int, int], Period] = {}
    for period in sorted([*recent, *named], key=lambda period: period.start):
        periods.setdefault((period.first, period.until), period)
    return tuple(periods.values())[:limit]


def _last_hours(text: str, words: frozenset[str], said_at: int) -> list[Period]:
    """Reads "the last 3 hours", "past hour", "最近30分钟": the time up to and including `said_at`."""
    found = []
    for rule, count in _HOUR_RULES:
        for match in rule.matches(text, words):
            length = (count(match["count"]) if match["count"] else 1) * _UNITS_MS[match["unit"].lower()]
            at = match.start()
            first, until = said_at - length, said_at + 1
            found.append(Period(first=first, until=until, text=match[0], start=at, sense=_sense_of(text, at, at, [])))
    return found


def _expressions(text: str, words: frozenset[str], today: date, taken: set[int], codes: list[str]) -> list[_Expression]:
    """The expressions in order. If two overlap, the one of the earlier rule wins; `taken` are offsets."""
    found: list[_Expression] = []
    for code, rules in _rules(text, codes):
        for rule, reader in rules:
            for match in rule.matches(text, words):
                if not taken.isdisjoint(range(*match.span())):
                    continue
                days = reader(match, today)
                if days is not None:
                    taken.update(range(*match.span()))
                    found.append(_Expression(start=match.start(), end=match.end(), days=days, code=code))
    return sorted(found, key=lambda one: one.start)


def _rules(text: str, codes: list[str]) -> Iterator[tuple[str, Iterable[tuple[Rule, DateReader]]]]:
    """The rules by their language, "" for those without spaces."""
    yield from ((code, _RULES if code == "en" else rules_of(code)) for code in codes)
    if not text.isascii():
        yield from (("", rules_of(one.code)) for one in unspaced())


def _join_ranges(text: str, found: list[_Expression]) -> list[_Expression]:
    """Merge ranges such as "from March 1 to March 5". "and" forms a range only after "between"."""
    joined: list[_Expression] = []
    for one in found:
        if joined:
            before = joined[-1]
            between = text[before.end : one.start]
            joint = _joint(one.code).fullmatch(between) if len(between) < MAX_JOINT else None
            if joint and before.days[1] < one.days[0]:
                opened = text[max(0, before.start - MAX_JOINT) : before.start].lower().split()[-1:]
                if not joint["and"] or not _BETWEEN.isdisjoint(opened):
                    joined[-1] = before.replace(end=one.end, days=(before.days[0], one.days[1]))
                    continue
        joined.append(one)
    return joined


@cache
def _joint(code: str) -> re.Pattern[str]:
    """What joins the two ends of a range."""
    one = by_code(code or "en")
    to = one.range_to or "to|until|till|through|至|到"
    articles = "|".join(one.articles.split())
    return re.compile(rf"\s*(?:-|–|{to}|(?P<and>{one.conjunction}))\s*(?:(?:{articles})\s+)?", re.IGNORECASE)


def _sense_of(text: str, start: int, end: int, codes: list[str]) -> str:
    """The preposition of a date, in the language of the text or in another one."""
    before = text[max(0, start - 20) : start]
    found = [sense for sense, pattern in _SENSES if pattern.search(before)]
    found += [sense_of(text, start, end, code) for code in ("", *codes) if code != "en"]
    return next((sense for sense in found if sense != IN), IN)


def _iso(match: re.Match[str], today: date) -> Days | None:
    numbers = [int(part) for part in re.split(r"[-/.]", match[0])]
    return calendar.exact_day(*numbers) if len(numbers) == 3 else calendar.month(*numbers) if numbers[1] <= 12 else None


def _slashed(match: re.Match[str], today: date) -> Days | None:
    """17/03/2026 and 03/17/2026 are unambiguous. 03/04/2026 is read as month/day, with periods as day.month."""
    one, two, year = int(match[1]), int(match[2]), int(match[3])
    return calendar.exact_day(year, two, one) if one > 12 or match[0].count(".") else calendar.exact_day(year, one, two)


def _named_day(match: re.Match[str], today: date) -> Days | None:
    if _is_verb(match):
        return None
    return calendar.exact_day(int(match["year"] or today.year), _MONTHS[match["month"].lower()], int(match["day"]))


def _is_verb(match: re.Match[str]) -> bool:
    """Whether "may" is a verb: "version 2 may fail", "this may help"."""
    return match["month"] == "may" and not match["year"]


def _named_days(match: re.Match[str], today: date) -> Days | None:
    """Reads "May 3-7, 2026", "from 3 to 5 March"."""
    if _is_verb(match):
        return None
    year, number = int(match["year"] or today.year), _MONTHS[match["month"].lower()]
    first, last = (
        calendar.exact_day(year, number, int(match["day"])),
        calendar.exact_day(year, number, int(match["last"])),
    )
    return (first[0], last[1]) if first and last and first < last else None


def _named_month(match: re.Match[str], today: date) -> Days | None:
    if _is_verb(match):
        return None
    number, step = _MONTHS[match["month"].lower()], (match["step"] or "").lower()
    if match["year"]:
        return calendar.month(int(match["year"]), number)
    if step in ("last", "past", "previous"):
        return calendar.month(today.year - (number >= today.month), number)
    if step in ("next", "coming"):
        return calendar.month(today.year + (number <= today.month), number)
    return calendar.month(today.year, number)


def _month_without_year(match: re.Match[str], today: date) -> Days | None:
    """Reads "in March": a capitalised month after a preposition of time. Not "March on", not "May I"."""
    word = match["month"]
    if not word[0].isupper() or not _BEFORE_A_DATE.search(match.string[max(0, match.start() - 14) : match.start()]):
        return None
    return calendar.month(today.year, _MONTHS[word.lower()])


def _fraction_ago(match: re.Match[str], today: date) -> Days | None:
    """Reads "1.5 years ago", "half a year ago", "two and a half weeks ago", "in a year and a half"."""
    unit = next(unit for unit in match.group("unit1", "unit2", "unit3", "unit4") if unit)
    whole = 0 if match["unit2"] else _count(match["count3"]) if match["count3"] else 1
    count = float(match["decimal"].replace(",", ".")) if match["decimal"] else whole + 0.5
    return calendar.fraction_before(today, -count if match["ahead"] else count, unit.lower())


def _stepped_unit(match: re.Match[str], today: date) -> Days | None:
    """Reads "last week", "this quarter", "next year"."""
    step = match["step"].lower().split()[-1]
    unit = match["unit"].lower()
    return calendar.units_before(today, -_STEPS[step], "year" if unit == "yr" else unit)


def _ago(match: re.Match[str], today: date) -> Days | None:
    return calendar.units_before(today, _count(match["count"]), _unit(match))


def _ahead(match: re.Match[str], today: date) -> Days | None:
    return calendar.units_before(today, -_count(match["count"]), _unit(match))


def _day_of_month(match: re.Match[str], today: date) -> Days | None:
    """Reads "on the 15th": the latest one that is not in the future."""
    day = int(match["day"])
    this = calendar.exact_day(today.year, today.month, day)
    if this is not None and this[0] <= today:
        return this
    before = calendar.month(today.year, today.month - 1)
    return None if before is None else calendar.exact_day(before[0].year, before[0].month, day)


def _until_today(match: re.Match[str], today: date) -> Days | None:
    return calendar.last_units(today, _count(match["count"]), _unit(match))


def _unit(match: re.Match[str]) -> str:
    unit = match["unit"].lower()
    return "year" if unit == "yr" else unit


def _count(words: str) -> int:
    parts = words.lower().split()
    parts = parts[1:] if parts[0] == "a" and len(parts) > 1 else parts
    return int(parts[0]) if parts[0].isdigit() else _NUMBER_WORDS[parts[0]]


def _season(match: re.Match[str], today: date) -> Days | None:
    begins = _SEASONS[match["season"].lower()]
    if match["year"]:
        return calendar.season(int(match["year"]), begins)
    step = " ".join((match["step"] or "").lower().split())
    this = calendar.season(today.year, begins)
    if this is None or step in ("", "this", "current"):
        return this
    if step in ("next", "coming", "this coming", "following"):
        return this if this[0] > today else calendar.season(today.year + 1, begins)
    return this if this[1] < today else calendar.season(today.year - 1, begins)


def _quarter(match: re.Match[str], today: date) -> Days | None:
    return calendar.quarter(int(match["year"] or today.year), int(match["quarter"]))


def _holiday(match: re.Match[str], today: date) -> Days | None:
    number, day = _HOLIDAYS[match["feast"].lower().replace("’", "'")]
    step = (match["step"] or "").lower()
    year = int(match["year"] or today.year)
    if step in ("last", "past", "previous") and (number, day) >= (today.month, today.day):
        year -= 1
    if step in ("next", "coming") and (number, day) <= (today.month, today.day):
        year += 1
    return calendar.exact_day(year, number, day)


_TO_DAY = rf"(?:the\s+)?(?P<last>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b(?:,?\s+{_YEAR}\b)?"


def _rule(pattern: str, reader: DateReader, *cues: frozenset[str]) -> tuple[Rule, DateReader]:
    return Rule(pattern, *cues), reader


_A_YEAR, _A_NUMBER = frozenset((YEAR,)), frozenset((NUMBER,))
_PAST, _HENCE, _FRACTIONS = cue("ago back"), cue("now hence"), frozenset(("half", NUMBER))

_HOUR_RULES = (
    (Rule(_LAST_HOURS, cue("last past previous"), cue("hour hours hr hrs minute minutes min mins")), _count),
    (Rule(CHINESE_LAST_HOURS, frozenset((IN_CHINESE,))), read_chinese_number),
)
_RULES: tuple[tuple[Rule, DateReader], ...] = (
    _rule(r"(?<![\w.-])(?:19|20)\d\d([-/.])(?:1[0-2]|0?[1-9])\1(?:3[01]|[12]\d|0?[1-9])(?!\d)", _iso, _A_YEAR),
    _rule(r"(?<![\w./-])(\d{1,2})[/.](\d{1,2})[/.]((?:19|20)\d\d)(?![\w-])", _slashed, _A_YEAR),
    _rule(r"(?<![\w.-])(?:19|20)\d\d-(?:1[0-2]|0[1-9])(?![\w-])", _iso, _A_YEAR),
    *CHINESE,
    _rule(
        rf"\b{_MONTH}\s+{_DAY}\s*[-–]\s*(?P<last>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+{_YEAR}\b)?",
        _named_days,
        MONTHS,
        _A_NUMBER,
    ),
    _rule(
        rf"\b{_MONTH}\s+{_DAY}\s+(?:to|until|through)\s+(?:the\s+)?(?P<last>\d{{1,2}})(?:st|nd|rd|th)?"
        rf"(?:,?\s+{_YEAR}\b|(?=[.,;:!?)]|\s*$))",
        _named_days,
        MONTHS,
        _A_NUMBER,
    ),
    _rule(
        rf"(?<![\w.,:-])(?:from\s+(?:the\s+)?)?{_DAY}(?:\s*[-–]\s*|\s+(?:to|until|through)\s+){_TO_DAY}",
        _named_days,
        MONTHS,
        _A_NUMBER,
    ),
    _rule(rf"\bbetween\s+(?:the\s+)?{_DAY}\s+and\s+{_TO_DAY}", _named_days, MONTHS, _A_NUMBER),
    _rule(rf"\b{_MONTH}\s+{_DAY}\b(?:,?\s+{_YEAR}\b)?(?!:)", _named_day, MONTHS, _A_NUMBER),
    _rule(rf"(?<![\w.,:-]){_DAY}\s+(?:of\s+)?{_MONTH}\b(?:,?\s+{_YEAR}\b)?", _named_day, MONTHS, _A_NUMBER),
    _rule(rf"\b(?:{_STEP}\s+)?{_MONTH}(?:\s+of)?,?\s+{_YEAR}\b", _named_month, MONTHS, _A_YEAR),
    _rule(rf"\b{_STEP}\s+{_MONTH}\b(?P<year>(?!))?", _named_month, MONTHS, STEPS),
    *relative_rules(LANGUAGE),
    _rule(rf"\b{_FRACTION}\s+(?:ago|back)\b(?P<ahead>(?!))?", _fraction_ago, UNITS, _PAST, _FRACTIONS),
    _rule(rf"\b(?P<ahead>in)\s+{_FRACTION}\b", _fraction_ago, UNITS, cue("in"), _FRACTIONS),
    _rule(rf"\b{_FRACTION}\s+(?P<ahead>from\s+now|hence)\b", _fraction_ago, UNITS, _HENCE, _FRACTIONS),
    _rule(rf"\b{_COUNT}\s+{_UNIT}\s+(?:ago|back)\b", _ago, UNITS, _PAST),
    _rule(rf"\bfor\s+(?:about\s+|over\s+|almost\s+|nearly\s+)?{_COUNT}\s+{_UNIT}\s+now\b", _ago, UNITS, cue("now")),
    _rule(
        r"\bon\s+the\s+(?P<day>\d{1,2})(?:st|nd|rd|th)\b(?!\s+of)(?![\s-]+\w+(?:day|century))",
        _day_of_month,
        cue("st nd rd th"),
        cue("on"),
    ),
    _rule(rf"\b(?:in|within)\s+{_COUNT}\s+{_UNIT}\b(?!\s+of\b)", _ahead, UNITS, cue("in within")),
    _rule(rf"\b{_COUNT}\s+{_UNIT}\s+(?:from\s+now|hence)\b", _ahead, UNITS, _HENCE),
    _rule(
        rf"\b(?:last|past|previous)\s+{_COUNT}\s+(?P<unit>day|week|month|quarter|year|yr)s?\b",
        _until_today,
        UNITS,
        cue("last past previous"),
    ),
    *WEEKDAYS,
    _rule(rf"\b{_STEP}\s+(?P<unit>weekend|week|month|quarter|year|yr)\b", _stepped_unit, UNITS, STEPS),
    _rule(r"\b(?P<step>over\s+the)\s+(?P<unit>weekend)\b", _stepped_unit, cue("weekend")),
    _rule(
        rf"\b{_STEP}\s+(?P<season>spring|summer|autumn|fall|winter)\b(?P<year>(?!))?",
        _season,
        frozenset(_SEASONS),
        STEPS,
    ),
    _rule(
        rf"\b(?P<step>(?!))?(?P<season>spring|summer|autumn|fall|winter)(?:\s+of)?,?\s+{_YEAR}\b",
        _season,
        frozenset(_SEASONS),
        _A_YEAR,
    ),
    _rule(rf"\bQ(?P<quarter>[1-4])(?:\s*[/,]?\s*(?:of\s+)?{_YEAR})?\b", _quarter, cue("q")),
    _rule(
        rf"\b(?:{_STEP}\s+)?(?P<feast>christmas eve|christmas|new year[’']s (?:eve|day)|halloween"
        rf"|valentine[’']s day)\b(?:,?\s+{_YEAR}\b)?",
        _holiday,
        cue("christmas year halloween valentine"),
    ),
    (Rule(rf"\b(?i:{_MONTH})(?![\w'’])(?!\s+\d)", MONTHS, flags=0), _month_without_year),
    *YEARS,
)
