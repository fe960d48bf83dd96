"""Time, randomness and new ids, and durations for people. No other module reads a clock or a random source."""

from __future__ import annotations

import os
import time

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Clock = Callable[[], int]  # returns milliseconds since 1970 UTC

LATEST_MS = 253_402_300_799_999  # the end of the year 9999, the last that `datetime` can hold
SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000  # in ms

_UNITS = ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (0, "s"))


def system_clock() -> int:
    """Milliseconds since 1970 UTC, by the clock of this machine."""
    return time.time_ns() // 1_000_000


def monotonic_ms() -> int:
    """Milliseconds of the monotonic clock: for measuring durations, never for storing."""
    return time.monotonic_ns() // 1_000_000


def monotonic_seconds() -> float:
    """Seconds of the monotonic clock, with fractions: for measuring durations, never for storing."""
    return time.monotonic()


def sleep(seconds: float) -> None:
    """Suspend the calling thread."""
    time.sleep(seconds)


def random_float() -> float:
    """A random number in [0, 1)."""
    return int.from_bytes(os.urandom(6)) / (1 << 48)


def random_bytes(count: int) -> bytes:
    """Random bytes that cannot be guessed: for secrets."""
    return os.urandom(count)


def new_id() -> str:
    """A random UUID (version 4) as text."""
    digits = bytearray(os.urandom(16))
    digits[6] = digits[6] & 0x0F | 0x40
    digits[8] = digits[8] & 0x3F | 0x80
    text = digits.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def new_owner() -> str:
    """A random name of a receiver of jobs. It is shorter than a UUID, because each row of the history contains it."""
    return os.urandom(8).hex()


def parse_time(value: object, *, name: str) -> int:
    """Milliseconds since 1970 UTC, from an integer of milliseconds, an ISO 8601 string, a `date` or a `datetime`.

    A value without a time zone is UTC. Raises `InvalidInput`, which names the value as `name`.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 <= value <= LATEST_MS:
            raise InvalidInput(f"invalid {name} {value}: must be milliseconds since 1970, up to the year 9999")
        return value
    from datetime import UTC, date, datetime  # slow to import, and most calls pass milliseconds

    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError as error:
            raise InvalidInput(
                f"invalid {name} {value!r}: must be a date such as 2026-03-01 or 2026-03-01T14:00"
            ) from error
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime):
        raise InvalidInput(
            f"invalid {name} {value!r}: must be an ISO 8601 string, a datetime, or milliseconds since 1970"
        )
    if value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    return parse_time(int(value.timestamp() * 1000), name=name)


def format_time(ms: int) -> str:
    """ISO 8601 text in UTC, to the second: `2026-03-01T14:00:00Z`."""
    seconds = time.gmtime(ms // 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", seconds)


def duration(ms: int) -> str:
    """A duration in its largest unit: `3 min`. A negative one is 0."""
    unit, name = next((unit, name) for unit, name in _UNITS if max(0, ms) >= unit)
    return f"{max(0, ms) // (unit or SECOND)} {name}"


def run_time(ms: float) -> str:
    """A short duration: `12 ms`, `3.4 s`, or as in `duration`."""
    if ms < SECOND:
        return f"{ms:.0f} ms"
    return f"{ms / SECOND:.1f} s" if ms < MINUTE else duration(int(ms))
