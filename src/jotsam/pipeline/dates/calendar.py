"""The calendar: first and last day of a week, a month, a season, a year, counted from a given day.

It knows no language and no clock. A week begins on Monday. What lies outside the years 1 to 9999 is `None`.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

Days = tuple[date, date]
"""The first and the last day."""

DAY_MS = 86_400_000
_EPOCH = date(1970, 1, 1)
_MAX_DAYS = 3_000_000

SPRING, SUMMER, AUTUMN, WINTER = 3, 6, 9, 12
"""The month in which a season of the northern hemisphere begins."""


def utc_day(ms: int) -> date:
    """The day, in UTC, of milliseconds since 1970; raises `OverflowError` outside the years 1 to 9999."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)).date()


def to_milliseconds(day: date) -> int:
    """When a day begins, in UTC."""
    return (day - _EPOCH).days * DAY_MS


def shift(day: date, days: int) -> date | None:
    """The day so many days later."""
    if abs(days) > _MAX_DAYS or not 1 <= day.toordinal() + days <= date.max.toordinal():
        return None
    return day + timedelta(days)


def single_day(day: date | None) -> Days | None:
    return None if day is None else (day, day)


def exact_day(year: int, month: int, day: int) -> Days | None:
    """A day of the calendar, if there is one: 30 February is none."""
    try:
        return single_day(date(year, month, day))
    except ValueError:
        return None


def week(today: date, number: int = 0) -> Days | None:
    """The week that holds today, or the one so many weeks later."""
    monday = shift(today, 7 * number - today.weekday())
    sunday = shift(today, 7 * number - today.weekday() + 6)
    return None if monday is None or sunday is None else (monday, sunday)


def weekend(today: date, number: int = 0) -> Days | None:
    days = week(today, number)
    return None if days is None else (days[1] - timedelta(1), days[1])


def month(year: int, number: int) -> Days | None:
    """A month of a year; month 13 is January of the next year, month 0 December of the one before."""
    years, at = divmod(number - 1, 12)
    if not 1 <= year + years <= 9998:
        return None
    first = date(year + years, at + 1, 1)
    return first, date(first.year + first.month // 12, first.month % 12 + 1, 1) - timedelta(1)


def months(year: int, first: int, last: int) -> Days | None:
    begin, end = month(year, first), month(year, last)
    return None if begin is None or end is None else (begin[0], end[1])


def year(number: int) -> Days | None:
    return (date(number, 1, 1), date(number, 12, 31)) if 1 <= number <= 9998 else None


def quarter(number_of_year: int, number: int) -> Days | None:
    """Quarter 5 is the first of the next year, quarter 0 the last of the one before."""
    return months(number_of_year, 3 * number - 2, 3 * number)


def season(number_of_year: int, begins: int) -> Days | None:
    return months(number_of_year, begins, begins + 2)


def weekday_before(today: date, weekday: int) -> Days | None:
    """The latest such weekday before today; 0 is Monday."""
    return single_day(shift(today, -((today.weekday() - weekday) % 7 or 7)))


def weekday_after(today: date, weekday: int) -> Days | None:
    return single_day(shift(today, (weekday - today.weekday()) % 7 or 7))


def weekday_of(today: date, weekday: int, number: int) -> Days | None:
    """That weekday of the week that is so many weeks later."""
    return single_day(shift(today, 7 * number - today.weekday() + weekday))


def weekday_and_day(today: date, weekday: int, day: int, step: int) -> Days | None:
    """The nearest Friday the 13th, or other such day, before today (`step` -1) or behind it (1)."""
    for number in range(1, 2_500):
        at = shift(today, step * number)
        if at is None or (at.weekday(), at.day) == (weekday, day):
            return single_day(at)
    return None


def fraction_before(today: date, count: float, unit: str) -> Days | None:
    """As `before`, of a count that is not whole, in the next smaller unit: one and a half years are 18 months."""
    if unit in ("year", "quarter"):
        return units_before(today, round(count * (12 if unit == "year" else 3)), "month")
    at = shift(today, -round(count * {"month": 30, "week": 7}.get(unit, 1)))
    return None if at is None else single_day(at) if unit == "day" else week(at)


def units_before(today: date, count: int, unit: str) -> Days | None:
    """A count of days, weeks, weekends, months, quarters or years before today; a negative count lies ahead."""
    if abs(count) > _MAX_DAYS:
        return None
    if unit == "day":
        return single_day(shift(today, -count))
    if unit == "week":
        return week(today, -count)
    if unit == "weekend":
        return weekend(today, -count)
    if unit == "month":
        return month(today.year, today.month - count)
    if unit == "quarter":
        return quarter(today.year, (today.month + 2) // 3 - count)
    return year(today.year - count)


def last_units(today: date, count: int, unit: str) -> Days | None:
    """The last so many days, weeks, months or years, up to today."""
    size = {"day": 1, "week": 7, "month": 30, "quarter": 91}.get(unit, 365)
    first = shift(today, -count * size) if count <= _MAX_DAYS else None
    return None if first is None else (first, today)
