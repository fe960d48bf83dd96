"""What was known at a date, and what has changed since, or until another date."""

from __future__ import annotations

from itertools import groupby

from jotsam.core.clock import format_time, parse_time
from jotsam.core.errors import InvalidInput
from jotsam.memory.graph.timeline import MAX_LATER, bounds, compare, known_at
from jotsam.surfaces.web.pages.page import Page, PageCall, PageRoute, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.core.answers import Answer
    from jotsam.core.records import Fact

DAY_MS = 86_400_000
SHOWN = 100  # facts, memories and changes
HITS = 10
MAX_DAYS = 4_000_000


def timeline(call: PageCall) -> Page:
    """What was known at the end of a day."""
    tenant, entity = call.principal.tenant, call.query.get("entity", "").strip()
    found = bounds(call.jot.database, tenant=tenant)
    question = call.query.get("q", "").strip()
    if found is None:
        return Page(template="timeline.html", values={"known": None, "day": "", "entity": entity, "question": question})
    first, last = (time // DAY_MS for time in found)
    day = _chosen_day(call, first=first, last=last)
    end = (day + 1) * DAY_MS - 1
    other = call.query.get("to", "").strip()
    until = (_day(other) + 1) * DAY_MS - 1 if other else None
    known = known_at(call.jot.database, tenant=tenant, at=end, entity=entity or None, limit=SHOWN)
    return Page(
        template="timeline.html",
        values={
            "known": known,
            "to": other,
            "compared": _compared(call, end, until, entity) if until is not None else None,
            "day": _date(day),
            "first_day": _date(first),
            "last_day": _date(last),
            "span": last - first,
            "place": min(max(day - first, 0), last - first),
            "subjects": _by_subject(known.facts),
            "entity": entity,
            "question": question,
            "answer": _recalled(call, question, at=end) if question else None,
            "shown": SHOWN,
            "max_later": MAX_LATER,
        },
    )


def _chosen_day(call: PageCall, *, first: int, last: int) -> int:
    """The day of the date field or of the slider, whichever differs from `was`; days since 1970. The last one without.

    A form sends both, and only one of them was moved.
    """
    at, was, place = call.query.get("at", "").strip(), call.query.get("was", ""), call.query.get("day", "")
    if place and (not at or at == was):
        return first + whole_number(place, name="day", least=0, most=MAX_DAYS)
    return _day(at) if at else last


def _day(at: str) -> int:
    """A date as days since 1970. Raises `InvalidInput`."""
    if len(at) != len("2026-03-01"):
        raise InvalidInput(f"invalid date {at[:40]!r}: must be a date such as 2026-03-01")
    return parse_time(at, name="date") // DAY_MS


def _by_subject(facts: Sequence[Fact]) -> list[tuple[str, list[Fact]]]:
    """The facts of each subject, the subject with the latest fact first."""
    order = {key: place for place, key in reversed([*enumerate(fact.subject.casefold() for fact in facts)])}
    ordered = sorted(facts, key=lambda fact: order[fact.subject.casefold()])
    groups = ([*group] for _, group in groupby(ordered, key=lambda fact: fact.subject.casefold()))
    return [(group[0].subject, group) for group in groups]


def _compared(call: PageCall, at: int, to: int, entity: str) -> dict[str, object]:
    """What changed between two times, by subject."""
    tenant = call.principal.tenant
    found = compare(call.jot.database, tenant=tenant, at=at, to=to, entity=entity or None, limit=SHOWN)
    subjects: dict[str, list[object]] = {}
    for one in found.changes:
        subjects.setdefault(one.subject.casefold(), []).append(one)
    return {"found": found, "subjects": [*subjects.values()], "first": min(at, to), "last": max(at, to)}


def _recalled(call: PageCall, question: str, *, at: int) -> Answer:
    return call.jot.recall(question, as_of=at, limit=HITS)


def _date(day: int) -> str:
    return format_time(day * DAY_MS)[:10]


ROUTES = (PageRoute(method="GET", path="/ui/timeline", handler=timeline),)
