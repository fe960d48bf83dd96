"""What speaks for each candidate, and for how much. A table that `fuse` and `graph` fill, and that knows no leg.

Pure. It is kept by columns, one for each leg and each rule: there are a thousand candidates, and of what their scores
are made only a few are ever asked.
"""

from __future__ import annotations

from collections import defaultdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEWER_THAN_ALL = 2**63


class Scores:
    """The candidates by reference; `sums` are their scores."""

    def __init__(self, candidates: Iterable[int]) -> None:
        self.sums = dict.fromkeys(candidates, 0.0)
        self._columns: dict[str, dict[int, float]] = {}

    def add(self, name: str, gains: Mapping[int, float]) -> None:
        """What one leg or rule gives, beside what it gave before. What is no candidate gets nothing."""
        sums, column = self.sums, self._columns.setdefault(name, {})
        for ref, gain in gains.items():
            if ref in sums:
                sums[ref] += gain
                column[ref] = column.get(ref, 0.0) + gain

    def multiply(self, times: Mapping[int, float]) -> None:
        """Count what was given so far so many times."""
        for column in (self.sums, *self._columns.values()):
            for ref in column.keys() & times.keys():
                column[ref] *= times[ref]

    def admit(self, refs: Iterable[int]) -> None:
        """Make these candidates too."""
        for ref in refs:
            self.sums.setdefault(ref, 0.0)

    def of(self, ref: int) -> dict[str, float]:
        """What the score of one candidate is made of."""
        return {name: column[ref] for name, column in self._columns.items() if ref in column}

    def summed(self, names: Iterable[str]) -> dict[int, float]:
        """What some of the columns give together, to those that any of them has."""
        sums: defaultdict[int, float] = defaultdict(float)
        for name in names:
            for ref, gain in self._columns.get(name, {}).items():
                sums[ref] += gain
        return sums

    def best(self, number: int) -> list[int]:
        """The candidates that stand first; of equals the newer.

        Minus the number of a document says that it still waits to be cut: nothing is newer than that.
        """
        newest = sorted(self.sums, key=_newness, reverse=True)
        return sorted(newest, key=self.sums.__getitem__, reverse=True)[:number]


def _newness(ref: int) -> int:
    return ref if ref > 0 else NEWER_THAN_ALL - ref
