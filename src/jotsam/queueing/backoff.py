"""How long a failed job waits before its next try. Pure: the dice are an argument."""

from __future__ import annotations

FIRST_MS = 10_000
LONGEST_MS = 3_600_000
JITTER = 0.1


def backoff(failures: int, roll: float, *, first_ms: int = FIRST_MS) -> int:
    """Milliseconds to wait after so many failures (from 1): 10, 20, 40 s and so on up to an hour.

    `roll` in [0, 1) moves it by up to a tenth in either direction, so that jobs that failed together do not all come
    back together.
    """
    waits = min(first_ms * (1 << min(failures - 1, 30)), LONGEST_MS)
    return round(waits * (1 + JITTER * (2 * roll - 1)))
