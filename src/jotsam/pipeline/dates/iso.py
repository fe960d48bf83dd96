"""Parse and format ISO dates. A year, month, day or timestamp becomes a span of milliseconds since 1970, UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from jotsam.core.errors import InvalidInput
from jotsam.core.patterns import lazy_pattern

_DATE = lazy_pattern(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_DAY = timedelta(days=1)


def parse_span(text: str | None) -> tuple[int, int] | None:
    """The first and last millisecond of an ISO date, or `None` for an empty text.

    >>> parse_span("2026-03")
    (1772323200000, 1775001599999)

    Raises `InvalidInput` for any other text.
    """
    if text is None or not text.strip():
        return None
    try:
        first, following = _bounds(text.strip())
        return round(first.timestamp() * 1000), round(following.timestamp() * 1000) - 1
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"invalid date {text!r}: must be like 2026, 2026-03 or 2026-03-01") from error


def format_day(ms: int) -> str:
    """The UTC day with its weekday, as "2026-03-01 (Sunday)". Models need the weekday to resolve "last Friday"."""
    return datetime.fromtimestamp(ms / 1000, UTC).strftime("%Y-%m-%d (%A)")


def _bounds(text: str) -> tuple[datetime, datetime]:
    found = _DATE.fullmatch(text)
    if found is None:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return moment, moment + timedelta(milliseconds=1)
    year, month, day = (int(part) if part else None for part in found.groups())
    assert year is not None
    first = datetime(year, month or 1, day or 1, tzinfo=UTC)
    if day is not None:
        return first, first + _DAY
    if month is not None:
        return first, datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return first, datetime(year + 1, 1, 1, tzinfo=UTC)
