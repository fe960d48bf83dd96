"""What a benchmark hands back: tables, and the bounds its figures are held against; and how that becomes a page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

WORSE = 0.1  # a figure that differs by less may be noise

TARGETS = ("figure", "measured", "target", "")


@dataclass(frozen=True, kw_only=True)
class Bound:
    """One promise in numbers."""

    promise: str
    measured: float
    limit: float
    unit: str = "times"
    at_least: bool = False  # the limit is a floor and not a ceiling

    @property
    def is_met(self) -> bool:
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def row(self) -> tuple[str, ...]:
        wanted = f"{'at least' if self.at_least else 'at most'} {number(self.limit)} {self.unit}"
        return self.promise, f"{number(self.measured)} {self.unit}", wanted, "met" if self.is_met else "**missed**"

    def got_worse(self, before: float) -> bool:
        """Whether the figure is worse than `before` by more than a tenth."""
        if self.at_least:
            return self.measured < before * (1 - WORSE)
        return self.measured > before * (1 + WORSE)


@dataclass(frozen=True, kw_only=True)
class Table:
    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        return f"{self.caption}\n\n{grid(self.columns, self.rows)}"


@dataclass(frozen=True, kw_only=True)
class Report:
    """The outcome of one benchmark. `conditions` are what must be known to read its figures."""

    tables: Sequence[Table]
    bounds: Sequence[Bound] = ()
    conditions: Sequence[str] = ()
    remarks: Sequence[str] = field(default=())
    measured: str = ""  # the day, and the commit of the code as far as it is known

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of(cls, values: dict[str, Any]) -> Self:
        tables = [Table(**table) for table in values["tables"]]
        bounds = [Bound(**bound) for bound in values["bounds"]]
        rest = {name: values[name] for name in ("conditions", "remarks", "measured") if name in values}
        return cls(tables=tables, bounds=bounds, **rest)

    def markdown(self) -> str:
        parts = [table.markdown() for table in self.tables]
        if self.bounds:
            parts.append(grid(TARGETS, [bound.row() for bound in self.bounds]))
        parts += self.remarks
        if self.conditions:
            parts.append("Conditions: " + "; ".join(self.conditions) + ".")
        if self.measured:
            parts.append(f"Measured on {self.measured}.")
        return "\n\n".join(parts)


def grid(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; every column but the first is a figure and stands at the right."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def number(value: float) -> str:
    """A figure with as many digits as a noisy measurement deserves."""
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 10:
        return f"{value:.1f}".removesuffix(".0")
    return f"{value:.2f}".rstrip("0").rstrip(".")


def duration(nanoseconds: float) -> str:
    """A length of time in the unit that fits it."""
    for unit, size in (("s", 1e9), ("ms", 1e6)):
        if nanoseconds >= size:
            return f"{number(nanoseconds / size)} {unit}"
    return f"{number(nanoseconds / 1e3)} µs"
