"""The score table: what each retriever and each rule adds to the score of each candidate.

Pure. The table is stored by column, one per retriever or rule: there are about a thousand candidates, and the breakdown
of only a few is ever read.
"""

from __future__ import annotations

from collections import defaultdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEWEST = 2**63  # above the number of every memory


class Scores:
    """Scores by reference: a memory's number, or minus a document's. `totals` holds the sums."""

    def __init__(self, candidates: Iterable[int]) -> None:
        self.totals = dict.fromkeys(candidates, 0.0)
        self._columns: dict[str, dict[int, float]] = {}

    def add(self, name: str, gains: Mapping[int, float]) -> None:
        """Add to a column and to the totals. References that are not candidates are ignored."""
        totals, old = self.totals, self._columns.get(name, {})
        found = {ref: gain for ref, gain in gains.items() if ref in totals}
        for ref, gain in found.items():
            totals[ref] += gain
        self._columns[name] = (
            {**old, **{ref: old.get(ref, 0.0) + gain for ref, gain in found.items()}} if old else found
        )

    def scale(self, factors: Mapping[int, float]) -> None:
        """Multiply all that was added until now by a factor per candidate."""
        for column in (self.totals, *self._columns.values()):
            for ref, value in column.items():  # No key is added, so the column can be iterated.
                if ref in factors:
                    column[ref] = value * factors[ref]

    def add_candidates(self, refs: Iterable[int]) -> None:
        """Add candidates with a score of 0, unless they are there already."""
        for ref in refs:
            self.totals.setdefault(ref, 0.0)

    def remove(self, refs: Iterable[int]) -> None:
        """Remove candidates. What they have passed to others stays."""
        for ref in refs:
            self.totals.pop(ref, None)

    def breakdown(self, ref: int) -> dict[str, float]:
        """The parts of one candidate's score, by column."""
        return {name: column[ref] for name, column in self._columns.items() if ref in column}

    def sum_of(self, names: Iterable[str]) -> dict[int, float]:
        """The sum of some columns, for each candidate in any of them."""
        sums: defaultdict[int, float] = defaultdict(float)
        for name in names:
            for ref, gain in self._columns.get(name, {}).items():
                sums[ref] += gain
        return sums

    def top(self, number: int) -> list[int]:
        """The candidates with the highest scores; of equal ones the newer first, pending documents before memories."""
        newest = sorted(self.totals, reverse=True)
        if newest and newest[-1] < 0:
            newest.sort(key=_age_rank, reverse=True)
        return sorted(newest, key=self.totals.__getitem__, reverse=True)[:number]


def _age_rank(ref: int) -> int:
    return ref if ref > 0 else NEWEST - ref
