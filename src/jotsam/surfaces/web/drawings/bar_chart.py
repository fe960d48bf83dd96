"""Bars of numbers over time, as rectangles of a drawing. The page that shows it has the same numbers in a table."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

HEIGHT = 100
STEP = 10  # between two bars
WIDTH = 7  # of a bar
LEAST = 1.5  # height of a bar of a small number: it is seen beside a large one


class Bar(Record):
    """A rectangle. `look` is its class, `label` what it says when a pointer is on it."""

    x: float
    y: float
    width: float
    height: float
    look: str
    label: str


class BarChart(Record):
    """A drawing of bars. `axis` is the height of the line that they begin at, `highest` the largest number."""

    width: int
    height: int
    axis: float
    bars: tuple[Bar, ...]
    highest: float


def bars_up(numbers: Iterable[tuple[float, str]]) -> BarChart:
    """One bar upwards for each number with its label."""
    rows = [(number, label, 0.0, "") for number, label in numbers]
    return _drawn(rows, axis=HEIGHT)


def bars_up_and_down(numbers: Iterable[tuple[float, str, float, str]]) -> BarChart:
    """A bar upwards and one downwards, in the same measure, for each pair of numbers with their labels."""
    return _drawn([*numbers], axis=HEIGHT / 2)


def _drawn(rows: list[tuple[float, str, float, str]], *, axis: float) -> BarChart:
    highest = max((max(row[0], row[2]) for row in rows), default=0)
    found = []
    for place, (up, up_label, down, down_label) in enumerate(rows):
        x = place * STEP + (STEP - WIDTH) / 2
        if up:
            length = max(LEAST, round(up / highest * axis, 2))
            found.append(Bar(x=x, y=round(axis - length, 2), width=WIDTH, height=length, look="in", label=up_label))
        if down:
            length = max(LEAST, round(down / highest * axis, 2))
            found.append(Bar(x=x, y=axis, width=WIDTH, height=length, look="out", label=down_label))
    return BarChart(width=max(1, len(rows)) * STEP, height=HEIGHT, axis=axis, bars=tuple(found), highest=highest)
