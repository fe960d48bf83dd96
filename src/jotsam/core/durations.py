"""Durations for people."""

from __future__ import annotations

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000  # in ms

_UNITS = ((DAY, "d"), (HOUR, "h"), (MINUTE, "min"), (0, "s"))


def duration(ms: int) -> str:
    """A duration in its largest unit: `3 min`. A negative one is 0."""
    unit, name = next((unit, name) for unit, name in _UNITS if max(0, ms) >= unit)
    return f"{max(0, ms) // (unit or SECOND)} {name}"


def run_time(ms: float) -> str:
    """A short duration: `12 ms`, `3.4 s`, or as in `duration`."""
    if ms < SECOND:
        return f"{ms:.0f} ms"
    return f"{ms / SECOND:.1f} s" if ms < MINUTE else duration(int(ms))
