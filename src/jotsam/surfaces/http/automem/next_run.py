"""When a step runs next, in AutoMem's words."""

from __future__ import annotations

HOUR_MS, DAY_MS = 3_600_000, 86_400_000


def next_run(at: int | None, *, now: int) -> str:
    """`Disabled`, `Due now`, `In 3 day(s)` or `In 5 hour(s)`."""
    if at is None:
        return "Disabled"
    left = at - now
    if left <= 0:
        return "Due now"
    return f"In {left // DAY_MS} day(s)" if left >= DAY_MS else f"In {left // HOUR_MS} hour(s)"
