"""The leg of time: what tells of the time that a question names, and what was said then.

"What happened in March?" shares no word with "We moved to Ghent on the 14th", said in March, nor with "The move was on
March 14", said in June. Both are about March. It must not hide anything, and it must not rank against another leg.
"""

from __future__ import annotations

from jotsam.pipeline.dates.parse_dates import AFTER, BEFORE, SINCE, UNTIL
from jotsam.retrieval.question.intent import DAY_MS, falls_into, is_of_any_year, moved
from jotsam.storage import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.pipeline.dates.parse_dates import Period
    from jotsam.retrieval.question.intent import Asks
    from jotsam.retrieval.rank.context import Row
    from jotsam.retrieval.rank.weights import Weights
    from jotsam.storage.database import Transaction
    from jotsam.storage.search import Scope

    Scores = dict[int, float]
    Window = tuple[int, int]

FAR = 2**52
"""Further in the future, and with a minus in the past, than any date."""

LONGEST = 400 * DAY_MS
"""What names more than about a year says too little of any time within it to be looked for by that."""

YEARS = range(-4, 2)
"""A month without a year is looked for in these years, counted from the one that is meant first."""


def found(tx: Transaction, periods: Sequence[Period], scope: Scope, *, depth: int) -> Scores:
    """Candidates: at most `depth` that tell of each time, and as many that were said then. `fitting` says what for."""
    refs: dict[int, float] = {}
    for since, until in (window for period in periods for window in windows(period)):
        told = search.telling(tx, scope, since=since, until=until, longest=LONGEST, limit=depth)
        refs |= dict.fromkeys((row["ref"] for row in told), 0.0)
        refs |= dict.fromkeys(search.said(tx, scope, since=since, until=until, limit=depth), 0.0)
    return refs


def fitting(tx: Transaction, rows: Mapping[int, Row], asked: Asks, weights: Weights) -> Scores:
    """What being of the time asked for is worth to each: said then, or telling of it."""
    periods = asked.periods
    if not periods:
        return {}
    worth = weights.period if asked.bare else weights.told
    scores: Scores = {}
    for told in search.named(tx, refs=rows):
        part = worth * _part((told["first"], told["until"]), periods)
        if part > scores.get(told["ref"], 0.0):
            scores[told["ref"]] = part
    said = (ref for ref, row in rows.items() if falls_into(row["date"], periods))
    return scores | dict.fromkeys(said, weights.period)


def shortest(told: Iterable[Row]) -> Window | None:
    """Of times that are told, the most exact, and of these the first; None if none of them says when."""
    windows = [(row["first"], row["until"]) for row in told if row["until"] - row["first"] <= LONGEST]
    return min(windows, key=lambda window: (window[1] - window[0], window[0]), default=None)


def windows(period: Period) -> Iterator[Window]:
    """From when to when; several where a year is missing."""
    for years in YEARS if is_of_any_year(period) else (0,):
        yield _window(moved(period, years))


def _window(period: Period) -> Window:
    if period.sense in (SINCE, AFTER):
        return (period.first if period.sense == SINCE else period.until), FAR
    if period.sense in (BEFORE, UNTIL):
        return -FAR, (period.first if period.sense == BEFORE else period.until)
    return period.first, period.until


def _part(told: Window, periods: Iterable[Period]) -> float:
    """Which part of what is told lies within one of the periods."""
    first, until = told
    inside = (min(until, end) - max(first, start) for period in periods for start, end in windows(period))
    return max(0.0, max(inside, default=0) / max(1, until - first))
