"""How relevant a memory still is: AutoMem's formula with the true confidence. Pure."""

from __future__ import annotations

from math import exp, log1p

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

DAY_MS = 86_400_000

AGE, ACCESS = 0.01, 0.05  # how fast it falls, per day, with its age and since it was in an answer
LEAST_IMPORTANT = 0.3  # times its importance: it never falls below
UNKNOWN = 0.5  # importance or confidence of which nothing is known
DIGITS = 3


def relevance_of(row: Mapping[str, Any], *, now: int) -> float:
    """From 0 to 1. `row` has `at`, `recalled_at`, `links`, `importance` and `confidence`; times in ms.

    A memory that was in no answer counts as used when it was said. What is None counts as `UNKNOWN`.
    """
    age = max(0.0, (now - row["at"]) / DAY_MS)
    used = age if row["recalled_at"] is None else max(0.0, (now - row["recalled_at"]) / DAY_MS)
    access = 1.0 if used < 1 else exp(-ACCESS * used)
    importance = UNKNOWN if row["importance"] is None else row["importance"]
    confidence = UNKNOWN if row["confidence"] is None else row["confidence"]
    value = exp(-AGE * age) * (0.3 + 0.3 * access) * (1 + 0.3 * log1p(row["links"]))
    value *= (0.5 + importance) * (0.7 + 0.3 * confidence)
    return round(min(1.0, max(least_of(importance), value)), DIGITS)


def least_of(importance: float) -> float:
    """Below what a memory of an importance never falls."""
    return round(LEAST_IMPORTANT * importance, DIGITS)
