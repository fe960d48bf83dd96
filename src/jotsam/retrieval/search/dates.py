"""Date retriever: memories said at a time that the question names, and memories that name that time.

"What happened in March?" shares no word with "We moved to Ghent on the 14th", said in March, nor with "The move was on
March 14", said in June. Both are about March. It hides nothing.
"""

from __future__ import annotations

from jotsam.pipeline.dates.periods import AFTER, BEFORE, SINCE, UNTIL
from jotsam.retrieval.question.intent import (
    DAY_MS,
    falls_into,
    is_of_any_year,
    shift_years,
    strip_recency,
    with_event_time,
)
from jotsam.retrieval.question.terms import index_query
from jotsam.retrieval.search.text import by_text
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.pipeline.dates.periods import Period
    from jotsam.retrieval.question.intent import Intent
    from jotsam.retrieval.rank.context import Row
    from jotsam.retrieval.rank.weights import Weights
    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope

    Window = tuple[int, int]

FAR = 2**52  # milliseconds; beyond every date, and negative before every date
MAX_LENGTH = 400 * DAY_MS  # a text that names a longer time is hardly about any part of it

# A month without a year is looked for in these years, relative to the one that is most likely meant.
YEARS = range(-4, 2)


def resolve_event(tx: Transaction, intent: Intent, scope: Scope) -> Intent:
    """Add the time of the event that the question names in place of a time: "before the migration".

    It is the time that the best match of the event's words names. If it names none, it is the day on which it was said,
    provided that the question certainly names an event.
    """
    event = intent.event
    terms = index_query(strip_recency(event.text)) if event else None
    if event is None or terms is None:
        return intent
    best = by_text(tx, search.expression(tx, terms), scope, limit=1).scores
    rows = search.ranking_fields(tx, scope, refs=best) if best else []
    if not rows:
        return intent
    named = _shortest(search.mentioned_dates(tx, refs=[row["ref"] for row in rows]))
    if named is not None:
        return with_event_time(intent, first=named[0], until=named[1])
    if not event.is_certain:
        return intent
    day = rows[0]["date"] // DAY_MS * DAY_MS
    return with_event_time(intent, first=day, until=day + DAY_MS)


def by_dates(tx: Transaction, periods: Sequence[Period], scope: Scope, *, limit: int) -> dict[int, float]:
    """Candidates without a score: at most `limit` that name each time, and `limit` said then. See `date_scores`."""
    refs: dict[int, float] = {}
    for since, until in (window for period in periods for window in _windows(period)):
        naming = search.mentioning_dates(tx, scope, since=since, until=until, longest=MAX_LENGTH, limit=limit)
        refs |= dict.fromkeys((row["ref"] for row in naming), 0.0)
        refs |= dict.fromkeys(search.said_between(tx, scope, since=since, until=until, limit=limit), 0.0)
    return refs


def date_scores(tx: Transaction, rows: Mapping[int, Row], intent: Intent, weights: Weights) -> dict[int, float]:
    """The weighted scores of all candidates that were said at a time that the question names, or name it."""
    periods = intent.periods
    if not periods:
        return {}
    weight = weights.period if intent.only_time else weights.mention
    scores: dict[int, float] = {}
    for named in search.mentioned_dates(tx, refs=rows):
        score = weight * _overlap((named["first"], named["until"]), periods)
        if score > scores.get(named["ref"], 0.0):
            scores[named["ref"]] = score
    said = (ref for ref, row in rows.items() if falls_into(row["date"], periods))
    return scores | dict.fromkeys(said, weights.period)


def _shortest(rows: Iterable[Row]) -> Window | None:
    """The shortest time that is named, and of equal ones the first; None if the text names none."""
    windows = [(row["first"], row["until"]) for row in rows if row["until"] - row["first"] <= MAX_LENGTH]
    return min(windows, key=lambda window: (window[1] - window[0], window[0]), default=None)


def _windows(period: Period) -> Iterator[Window]:
    """The start and end of a period, in several years if it names none."""
    for years in YEARS if is_of_any_year(period) else (0,):
        yield _window(shift_years(period, years))


def _window(period: Period) -> Window:
    if period.sense in (SINCE, AFTER):
        return (period.first if period.sense == SINCE else period.until), FAR
    if period.sense in (BEFORE, UNTIL):
        return -FAR, (period.first if period.sense == BEFORE else period.until)
    return period.first, period.until


def _overlap(named: Window, periods: Iterable[Period]) -> float:
    """The part of a named time that is inside one of the periods."""
    first, until = named
    inside = (min(until, end) - max(first, start) for period in periods for start, end in _windows(period))
    return max(0.0, max(inside, default=0) / max(1, until - first))
