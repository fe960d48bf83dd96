"""Rules for common Chinese date expressions: 昨天, 上周五, 三月, 2026年3月5日, 两周前."""

from __future__ import annotations

import re
from datetime import date

from jotsam.pipeline.dates import calendar
from jotsam.pipeline.dates.calendar import Days
from jotsam.pipeline.dates.rule import CHINESE, Rule

_DIGITS = {
    "〇": 0,
    "零": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "兩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_RELATIVE_DAYS = {
    "大前天": -3,
    "前天": -2,
    "昨天": -1,
    "昨晚": -1,
    "昨日": -1,
    "今天": 0,
    "今晚": 0,
    "今日": 0,
    "今早": 0,
}
_RELATIVE_DAYS |= {"明天": 1, "明日": 1, "明晚": 1, "后天": 2, "後天": 2, "大后天": 3}
_YEARS = {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_UNITS = {
    "天": "day",
    "日": "day",
    "周": "week",
    "週": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "年": "year",
}

_NUMBER = r"(?:\d{1,3}|[一二两兩三四五六七八九十]{1,3})"
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


def _relative_day(match: re.Match[str], today: date) -> Days | None:
    return calendar.single_day(calendar.shift(today, _RELATIVE_DAYS[match[0]]))


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
        (rf"(?P<year>(?:19|20)\d\d年|去年|前年|今年|明年)?(?<!个)(?P<month>{_NUMBER})月(?:份)?(?!前|后|後)", _month),
        (r"(?P<year>(?:19|20)\d\d年|去年|前年|今年|明年|后年)", _year),
        (rf"(?P<count>{_NUMBER})(?:个|個)?(?P<unit>天|日|周|週|星期|礼拜|月|年)(?:之|以)?(?P<way>前|后|後)", _ago),
        (r"大前天|前天|昨天|昨晚|昨日|今天|今晚|今日|今早|大后天|后天|後天|明天|明日|明晚", _relative_day),
        (rf"(?:{_STEP})?(?:周|週|星期|礼拜)(?P<weekday>[一二三四五六日天])(?!期)", _weekday),
        (rf"{_STEP}(?:周末|周|週|星期|礼拜)", _week),
        (rf"{_STEP}月", _stepped_month),
    )
)
