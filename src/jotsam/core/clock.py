"""The one place that asks for the time, for chance, and for new ids. Everything else is told."""

from __future__ import annotations

import os
import time

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Clock = Callable[[], int]
    """Milliseconds since 1970 UTC."""

LATEST_MS = 253_402_300_799_999


def system_clock() -> int:
    """Milliseconds since 1970 UTC, by this machine's clock."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Milliseconds that only ever rise; for waiting, never for storing."""
    return time.monotonic_ns() // 1_000_000


def sleep(seconds: float) -> None:
    """Stand still for so many seconds."""
    time.sleep(seconds)


def roll() -> float:
    """A number in [0, 1)."""
    return int.from_bytes(os.urandom(6)) / (1 << 48)


def new_id() -> str:
    """A random UUID (version 4) as text."""
    digits = bytearray(os.urandom(16))
    digits[6] = digits[6] & 0x0F | 0x40
    digits[8] = digits[8] & 0x3F | 0x80
    text = digits.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def moment(value: object, *, name: str) -> int:
    """A point in time as milliseconds: from a number of them, an ISO 8601 text, or a `date` or `datetime`.

    What names no zone is taken as UTC. Raises `InvalidInput`.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value <= LATEST_MS:
            raise InvalidInput(f"{name} is {value}: give milliseconds since 1970, up to the year 9999")
        return value
    from datetime import UTC, date, datetime  # Only who gives a date pays for it.

    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError as error:
            raise InvalidInput(f"{name} is {value!r}: give a date such as 2026-03-01 or 2026-03-01T14:00") from error
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime):
        raise InvalidInput(f"{name} is {value!r}: give an ISO 8601 text, a datetime, or milliseconds since 1970")
    if value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    return moment(int(value.timestamp() * 1000), name=name)


def iso(ms: int) -> str:
    """A point in time as text, in UTC, to the second."""
    seconds = time.gmtime(ms // 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", seconds)
