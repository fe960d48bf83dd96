"""A chart with logarithmic axes as SVG text: readable on light and on dark pages, and made without a library."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 78, 130, 48, 62
COLOURS = ("#2563eb", "#8b8b8b", "#d97706", "#059669", "#dc2626", "#9333ea")
LINE_HEIGHT = 15
STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #333 }
  .title { font-size: 15px; font-weight: 600 }
  .grid { stroke: #8885; stroke-width: 1 }
  @media (prefers-color-scheme: dark) { text { fill: #ddd } }
"""


@dataclass(frozen=True, kw_only=True)
class Series:
    """A named line. Its points are (across, up), all above 0."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, kw_only=True)
class Axis:
    """Maps a range of whole powers of ten onto pixels."""

    low: int
    high: int
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> Iterator[tuple[float, str]]:
        for power in range(self.low, self.high + 1):
            yield self.at(10**power), f"{10**power:,}"


def chart(lines: Sequence[Series], *, title: str, across: str, up: str) -> str:
    """The whole SVG document."""
    xs = _axis([x for line in lines for x, _ in line.points], LEFT, WIDTH - RIGHT)
    ys = _axis([y for line in lines for _, y in line.points], HEIGHT - BOTTOM, TOP)
    middle, height = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT - BOTTOM) / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        _text(LEFT, 24, title, kind="title"),
        *_grid(xs, ys),
        _text(middle, HEIGHT - 16, across, anchor="middle"),
        f'<g transform="translate(18 {height}) rotate(-90)">{_text(0, 0, up, anchor="middle")}</g>',
        *_lines(lines, xs, ys),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _axis(values: Sequence[float], start: float, end: float) -> Axis:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return Axis(low=low, high=max(high, low + 1), start=start, end=end)


def _grid(xs: Axis, ys: Axis) -> Iterator[str]:
    for x, label in xs.ticks():
        yield f'<path class="grid" d="M{x} {TOP}V{HEIGHT - BOTTOM}"/>'
        yield _text(x, HEIGHT - BOTTOM + 20, label, anchor="middle")
    for y, label in ys.ticks():
        yield f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
        yield _text(LEFT - 8, y + 4, label, anchor="end")


def _lines(lines: Sequence[Series], xs: Axis, ys: Axis) -> Iterator[str]:
    free = math.inf  # Labels stand beside the ends of their lines, and give way upwards.
    for line, colour in sorted(zip(lines, COLOURS, strict=False), key=lambda pair: -ys.at(pair[0].points[-1][1])):
        points = [(xs.at(x), ys.at(y)) for x, y in line.points]
        width = 3 if line is lines[0] else 1.8
        path = " ".join(f"{x},{y}" for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        yield from (f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>' for x, y in points)
        free = min(points[-1][1] + 4, free - LINE_HEIGHT)
        yield f'<text x="{points[-1][0] + 10}" y="{free}" style="fill: {colour}">{escape(line.name)}</text>'


def _text(x: float, y: float, words: str, *, anchor: str = "start", kind: str = "") -> str:
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'
