"""Values in sentences: times of day, weekdays, dates, numbers with their unit, names, code.

Pure. A value is compared in a normal form, so that "3 pm" equals "15:00" and "60 minutes" equals "1 hour".
"""

from __future__ import annotations

import re

from jotsam.core.records import Record
from jotsam.pipeline.languages import by_code, either, spaced, united, unspaced
from jotsam.pipeline.languages.language import numbered, table
from jotsam.pipeline.languages.units import SCALES, unit_names
from jotsam.pipeline.statements.words import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TIME, WEEKDAY, DATE, NUMBER, NAME = "time", "weekday", "date", "number", "name"
STATE = "state"  # "is armed": compared with its negation only

_OTHER_WORDS = frozenset(("mon", "sat", "sun"))  # abbreviations of weekdays that are other words too
_WEEKDAYS: dict[str, int] = {}
_MONTHS: dict[str, int] = {}
_NUMBER_WORDS: dict[str, int] = {}
for _one in (*spaced(), *unspaced()):
    _days = {word: day for word, day in numbered(_one.weekdays).items() if word not in _OTHER_WORDS}
    _WEEKDAYS |= _days | {f"{word}s": day for word, day in _days.items() if len(word) > len("tues")}
    _MONTHS |= numbered(_one.months, first=1)
    _NUMBER_WORDS |= {word: number for word, number in numbered(_one.numbers, first=1).items() if number > 1}
# Words after a number that are not its unit.
_NO_UNITS = united("no_units")


def _any_of(words: Iterable[str]) -> str:
    """A pattern of words, the longer ones first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def _of_unspaced(field: str) -> list[str]:
    return [word for one in unspaced() for word in getattr(one, field).split()]


_UNSPACED_UNITS = [unit for one in unspaced() for units in table(one.units).values() for unit in units.split()]
_EUROPEAN_DAYS = _any_of(word for word in _WEEKDAYS if word[0] < "一")
_MONTH_NAMES = _any_of(word for word in _MONTHS if word[0].isalpha() and word[0] < "一")
_NUMBERS = _any_of(word for word in _NUMBER_WORDS if word[0] < "一")
# In the order in which they are looked for: a date is not a number.
_TYPED = rf"""(?ix)
    (?P<iso>\b\d{{4}}-\d\d-\d\d\b)
  | (?P<numeric>\b\d{{1,2}}\.\s?\d{{1,2}}\.(?:\d{{4}}\b|(?=\s\w)))
  | (?P<day_month>\b\d{{1,2}}(?:{either("ordinals")})?\s+(?:(?:{_any_of(united("of"))})\s+)?(?:{_MONTH_NAMES})\b)
  | (?P<month_day>\b(?:{_MONTH_NAMES})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?\b(?!:))
  | (?P<han_date>\d{{1,2}}月\d{{1,2}}[日号])
  | (?P<clock>\b\d{{1,2}}[:h.]\d\d(?!\d|\.\d)\s*(?:[ap]\.?m\b\.?|{either("oclock")})?
      |\b\d{{1,2}}\s*(?:[ap]\.?m\b\.?|h\b|{either("oclock")}))
  | (?P<han_clock>(?:{_any_of(_of_unspaced("morning") + _of_unspaced("afternoon"))})?\s*
      (?:\d{{1,2}}|[一二两三四五六七八九十]{{1,3}})[点時时](?!間)(?:半|\d{{1,2}}分|钟)?)
  | (?P<han_day>周[一二三四五六日]|星期[一二三四五六日天]|礼拜[一二三四五六天]|[月火水木金土日]曜日?)
  | (?P<weekday>\b(?:{_EUROPEAN_DAYS})\b)
  | (?P<code>(?<![\w.])(?:[a-z][\w.+-]*[\d@/_:][\w./:@+-]*\w|https?://\S+|\d+(?:\.\d+){{2,}}|v\d+(?:\.\d+)*|/[\w./-]+\w)(?!\w))
  | (?P<money>[$€£¥]\s?\d[\d.,]*\d?\s?[km]?\b)
  | (?P<number>(?<![\w.-])-?(?:\d[\d.,' ]*\d|\d)(?:\s?(?P<scale>k|m|{_any_of(united("millions"))}|万|億|亿)\b)?)
  | (?P<number_word>\b(?:{_NUMBERS})\b(?=\s+\w))
    """
_UNIT = rf"(?i)\s?(?:(%|€|\$|£|°\s?[CF]?)|-?([^\W\d_]+)|({_any_of(_UNSPACED_UNITS)}))"
_HAN_UNIT = rf"\s?({_any_of([*_UNSPACED_UNITS, *_of_unspaced('counters')])}|%)"
_DIGITS = r"\d+"
_HAN_NUMBERS = numbered(by_code("zh").numbers, first=1)
HALF_DAY, DAY = 12, 24


# What is in each text in which `_TYPED` finds something.
_MAY_HOLD = r"[\d@_]|\w/|/\w"
_WORDS_OF_VALUES = frozenset(
    word + end for word in (*_WEEKDAYS, *_NUMBER_WORDS) for end in ("", ".", ",", "!", "?", ";", ":", ")")
)


class Value(Record):
    """One typed value and its place in the sentence."""

    kind: str
    form: str  # normal form: equal values have equal forms
    number: float | None = None
    unit: str = ""  # "seconds", "euros", or the stem of the word that follows
    start: int = 0
    end: int = 0


def may_hold_values(text: str) -> bool:
    """Whether a text in a European language may hold a typed value."""
    return bool(compiled(_MAY_HOLD).search(text)) or not _WORDS_OF_VALUES.isdisjoint(text.lower().split())


def typed_values(text: str, *, is_han: bool = False) -> Iterator[Value]:
    """Times, weekdays, dates, numbers and code in a text, in their order."""
    if not is_han and not may_hold_values(text):
        return
    end = 0
    for found in compiled(_TYPED).finditer(text):
        if found.start() < end:
            continue
        value = _value(found, text, is_han=is_han)
        if value is not None:
            end = value.end
            yield value


def _value(found: re.Match[str], text: str, *, is_han: bool) -> Value | None:
    kind, written = found.lastgroup or "", found[0]
    if kind == "scale":
        kind = "number"
    start, end = found.span()
    if kind in ("iso", "numeric", "day_month", "month_day", "han_date"):
        return Value(kind=DATE, form=_date(kind, written), start=start, end=end)
    if kind in ("clock", "han_clock"):
        return Value(kind=TIME, form=_time(written), start=start, end=end)
    if kind in ("han_day", "weekday"):
        day = written.lower().removesuffix("日") if written[:1] in "月火水木金土日" else written.lower()
        return Value(kind=WEEKDAY, form=str(_WEEKDAYS.get(day, day)), start=start, end=end)
    if kind == "code":
        return Value(kind=NAME, form=written.lower(), start=start, end=end)
    return _number(found, text, is_han=is_han)


def _number(found: re.Match[str], text: str, *, is_han: bool) -> Value | None:
    """A number with its unit. "1.500" is 1500 only where three digits follow and nothing else does."""
    written = found[0].lower()
    if found["money"]:
        unit, scale = _scale(written[0])
        digits, end = written[1:].strip(), found.end()
    else:
        digits, unit, scale, end = written, "", 1.0, found.end()
        follows = compiled(_HAN_UNIT if is_han else _UNIT).match(text, found.end())
        if follows:
            name = next(group for group in follows.groups() if group).lower()
            if name not in _NO_UNITS:
                unit, scale = _scale(name)
                end = follows.end()
    number = float(_NUMBER_WORDS[digits]) if digits in _NUMBER_WORDS else _as_number(digits)
    return (
        None
        if number is None
        else Value(
            kind=NUMBER,
            form=f"{round(number * scale, 6):g}",
            number=round(number * scale, 6),
            unit=unit,
            start=found.start(),
            end=end,
        )
    )


def _scale(unit: str) -> tuple[str, float]:
    """What a unit measures and how large it is. Values in different units of one measure are compared."""
    return SCALES.get(unit_names().get(unit, ""), (unit_stem(unit), 1.0))


def unit_stem(word: str) -> str:
    """The word without a plural ending."""
    return word.removesuffix("s") if len(word) > len("gas") else word


def _as_number(digits: str) -> float | None:
    multiplier = 1.0
    millions = dict.fromkeys(sorted(united("millions"), key=len), 1e6)
    for ending, factor in {"k": 1e3, **millions, "m": 1e6, "万": 1e4, "亿": 1e8, "億": 1e8}.items():
        if digits.endswith(ending):
            digits, multiplier = digits.removesuffix(ending).strip(), factor
            break
    plain = re.sub(r"[' ](?=\d{3}\b)", "", digits)
    plain = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", plain).replace(",", ".")
    try:
        return float(plain) * multiplier
    except ValueError:
        return None


def _date(kind: str, written: str) -> str:
    """Month and day, which are named more often than the year."""
    numbers = [int(number) for number in compiled(_DIGITS).findall(written)]
    if kind in ("iso",):
        return f"{numbers[1]}-{numbers[2]}"
    if kind == "numeric":
        return f"{numbers[1]}-{numbers[0]}"
    if kind == "han_date":
        return f"{numbers[0]}-{numbers[1]}"
    month = next(number for word in re.findall(r"[^\W\d_]+", written.lower()) if (number := _MONTHS.get(word)))
    return f"{month}-{numbers[0]}"


def _time(written: str) -> str:
    """Minutes since midnight. A time without "am" or "pm" is taken as written."""
    lower = written.lower()
    numbers = [int(number) for number in compiled(_DIGITS).findall(lower)]
    if not numbers:
        numbers = [_han_number("".join(sign for sign in lower if sign in _HAN_NUMBERS))]
    hours, minutes = numbers[0], numbers[1] if len(numbers) > 1 else 30 * ("半" in lower)
    is_afternoon = bool(re.search(r"p\.?m", lower)) or any(word in lower for word in _of_unspaced("afternoon"))
    is_morning = bool(re.search(r"a\.?m", lower))
    if is_afternoon and hours < HALF_DAY:
        hours += HALF_DAY
    if is_morning and hours == HALF_DAY:
        hours = 0
    return str(hours % DAY * 60 + minutes)


def _han_number(written: str) -> int:
    """A number up to 99: "十二" is 12."""
    tens, ten, ones = written.rpartition("十")
    if ten:
        return _HAN_NUMBERS.get(tens, 1) * 10 + _HAN_NUMBERS.get(ones, 0)
    return _HAN_NUMBERS.get(written, 0)
