"""Rules for common Chinese date expressions: 上周五, 三月, 2026年3月5日, 两周前."""

from __future__ import annotations

import re
from datetime import date

from jotsam.pipeline.dates import calendar
from jotsam.pipeline.dates.calendar import Days
from jotsam.pipeline.dates.rule import CHINESE, Rule
from jotsam.pipeline.languages import by_code
from jotsam.pipeline.languages.language import numbered, table

_WORDS = by_code("zh")
_DIGITS = numbered(_WORDS.numbers, first=1) | {"〇": 0, "零": 0}
_YEARS = {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_WEEKDAYS = {name[-1]: number for name, number in numbered(_WORDS.weekdays).items()}
_UNITS = {unit: name for name, units in table(_WORDS.units).items() for unit in units.split()}
_UNITS |= {"日": "day", "週": "week", "星期": "week", "礼拜": "week", "月": "month"}

_NUMBER = r"(?:\d{1,3}|[一二两兩三四五六七八九十]{1,3})"
_YEAR = r"(?P<year>(?:19|20)\d\d年|去年|前年|今年|明年)"
_STEP = r"(?P<step>上上|下下|上|下|这|這|本)(?:个|個)?"


def read_number(text: str) -> int:
    """The value of a number in Arabic or Chinese digits: 12, 十二, 二十, 三."""
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _DIGITS[text[-1]]
    return 10 * (_DIGITS[tens[-1]] if tens else 1) + (_DIGITS[ones[0]] if ones else 0)


def _step(match: re.Match[str]) -> int:
    step = match["step"] or ""
    return len(step) * (-1 if "上" in step else 1 if "下" in step else 0)


def _day(match: re.Match[str], today: date) -> Days | None:
    number = read_number(match["month"])
    return calendar.exact_day(_year_of(match, today), number, read_number(match["day"]))


def _month(match: re.Match[str], today: date) -> Days | None:
    number = read_number(match["month"])
    return calendar.month(_year_of(match, today), number) if 1 <= number <= 12 else None


def _year_of(match: re.Match[str], today: date) -> int:
    year = match["year"]
    if not year:
        return today.year
    return today.year + _YEARS[year] if year in _YEARS else int(year.rstrip("年"))


def _year(match: re.Match[str], today: date) -> Days | None:
    return calendar.year(_year_of(match, today))


def _weekday(match: re.Match[str], today: date) -> Days | None:
    number = _WEEKDAYS[match["weekday"]]
    return calendar.weekday_of(today, number, _step(match)) if match["step"] else calendar.weekday_before(today, number)


def _week(match: re.Match[str], today: date) -> Days | None:
    return calendar.weekend(today, _step(match)) if match[0].endswith("周末") else calendar.week(today, _step(match))


def _stepped_month(match: re.Match[str], today: date) -> Days | None:
    return calendar.units_before(today, -_step(match), "month")


def _ago(match: re.Match[str], today: date) -> Days | None:
    count = read_number(match["count"])
    return calendar.units_before(today, count if match["way"] == "前" else -count, _UNITS[match["unit"]])


LAST_HOURS = rf"(?:最近|过去|過去|近)(?:的)?(?P<count>{_NUMBER})(?:个|個)?(?P<unit>小时|小時|分钟|分鐘)"

RULES = tuple(
    (Rule(pattern, frozenset((CHINESE,)), flags=0), reader)
    for pattern, reader in (
        (rf"(?P<year>(?:19|20)\d\d年|去年|前年|今年|明年)?(?P<month>{_NUMBER})月(?P<day>{_NUMBER})[日号號]", _day),
        (
            rf"(?P<year>(?:19|20)\d\d年|去年|前年|今年|明年)?(?<!个)(?P<month>{_NUMBER})月(?:份)?(?(year)|(?!前|后|後))",
            _month,
        ),
        (r"(?P<year>(?:19|20)\d\d年|去年|前年|今年|明年|后年)", _year),
        (rf"(?P<count>{_NUMBER})(?:个|個)?(?P<unit>天|日|周|週|星期|礼拜|月|年)(?:之|以)?(?P<way>前|后|後)", _ago),
        (rf"(?:{_STEP})?(?:周|週|星期|礼拜)(?P<weekday>[一二三四五六日天])(?!期)", _weekday),
        (rf"{_STEP}(?:周末|周|週|星期|礼拜)", _week),
        (rf"{_STEP}月", _stepped_month),
    )
)
