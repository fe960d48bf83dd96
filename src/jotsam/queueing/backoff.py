"""Exponential backoff with jitter: the wait before a failed job is retried. Pure: the random number is an argument."""

from __future__ import annotations

FIRST_MS = 10_000
MAX_MS = 3_600_000
JITTER = 0.1  # so that jobs that failed together are not retried together


def backoff_ms(failures: int, random: float, *, first_ms: int = FIRST_MS) -> int:
    """Milliseconds before the retry after failure number `failures` (from 1): 10, 20, 40 s, up to an hour.

    `random` in [0, 1) varies the wait by up to 10 % in either direction.
    """
    wait = min(first_ms * (1 << min(failures - 1, 30)), MAX_MS)
    return round(wait * (1 + JITTER * (2 * random - 1)))
