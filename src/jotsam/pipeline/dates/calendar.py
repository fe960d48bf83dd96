"""Calendar arithmetic: first and last day of weeks, months, quarters, seasons and years relative to a day.

Weeks begin on Monday. Functions return `None` for days outside the years 1 to 9999.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

Days = tuple[date, date]  # first and last day, inclusive

DAY_MS = 86_400_000
_EPOCH = date(1970, 1, 1)
_MAX_DAYS = 3_000_000

# The month in which each season begins, in the northern hemisphere.
SPRING, SUMMER, AUTUMN, WINTER = 3, 6, 9, 12


def utc_day(ms: int) -> date:
    """The UTC day of milliseconds since 1970. Raises `OverflowError` outside the years 1 to 9999."""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)).date()


def to_milliseconds(day: date) -> int:
    """The start of a UTC day in milliseconds since 1970."""
    return (day - _EPOCH).days * DAY_MS


def shift(day: date, days: int) -> date | None:
    """The day `days` days later."""
    if abs(days) > _MAX_DAYS or not 1 <= day.toordinal() + days <= date.max.toordinal():
        return None
    return day + timedelta(days)


def single_day(day: date | None) -> Days | None:
    return None if day is None else (day, day)


def exact_day(year: int, month: int, day: int) -> Days | None:
    """The given day, or `None` for an invalid date such as 30 February."""
    try:
        return single_day(date(year, month, day))
    except ValueError:
        return None


def week(today: date, number: int = 0) -> Days | None:
    """The week of today, shifted by `number` weeks."""
    monday = shift(today, 7 * number - today.weekday())
    sunday = shift(today, 7 * number - today.weekday() + 6)
    return None if monday is None or sunday is None else (monday, sunday)


def weekend(today: date, number: int = 0) -> Days | None:
    days = week(today, number)
    return None if days is None else (days[1] - timedelta(1), days[1])


def month(year: int, number: int) -> Days | None:
    """A month of a year. Month 13 is January of the next year, month 0 is December of the previous year."""
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
    """A quarter of a year. Quarter 5 is the first of the next year, quarter 0 the last of the previous year."""
    return months(number_of_year, 3 * number - 2, 3 * number)


def season(number_of_year: int, begins: int) -> Days | None:
    return months(number_of_year, begins, begins + 2)


def weekday_before(today: date, weekday: int) -> Days | None:
    """The latest given weekday before today. 0 is Monday."""
    return single_day(shift(today, -((today.weekday() - weekday) % 7 or 7)))


def weekday_after(today: date, weekday: int) -> Days | None:
    return single_day(shift(today, (weekday - today.weekday()) % 7 or 7))


def weekday_of(today: date, weekday: int, number: int) -> Days | None:
    """The given weekday of the week of today, shifted by `number` weeks."""
    return single_day(shift(today, 7 * number - today.weekday() + weekday))


def weekday_and_day(today: date, weekday: int, day: int, step: int) -> Days | None:
    """The nearest day before (`step` -1) or after (1) today with this weekday and day of the month: Friday the 13th."""
    for number in range(1, 2_500):
        at = shift(today, step * number)
        if at is None or (at.weekday(), at.day) == (weekday, day):
            return single_day(at)
    return None


def fraction_before(today: date, count: float, unit: str) -> Days | None:
    """Like `units_before` for a fractional count, in the next smaller unit: 1.5 years are 18 months."""
    if unit in ("year", "quarter"):
        return units_before(today, round(count * (12 if unit == "year" else 3)), "month")
    at = shift(today, -round(count * {"month": 30, "week": 7}.get(unit, 1)))
    return None if at is None else single_day(at) if unit == "day" else week(at)


def units_before(today: date, count: int, unit: str) -> Days | None:
    """The day, week, weekend, month, quarter or year `count` units before today. A negative count is in the future."""
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
    """The last `count` days, weeks, months, quarters or years, up to and including today."""
    size = {"day": 1, "week": 7, "month": 30, "quarter": 91}.get(unit, 365)
    first = shift(today, -count * size) if count <= _MAX_DAYS else None
    return None if first is None else (first, today)
