"""What a person says of a fact: that it never held, when it ended, or that it holds. Each can be taken back.

It concerns all statements of the same triple, and stays when their memories are processed again.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.clock import format_time, parse_time
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.records import Record
from jotsam.memory.writing import linking
from jotsam.storage.graph import facts
from jotsam.worker.enrichment import fact_validity
from jotsam.worker.enrichment.fact_validity import ENDED, HAND, KEPT, WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.memory.options import Timestamp
    from jotsam.storage.database import Database, Row, Transaction

VERDICTS = (WRONG, ENDED, KEPT)
MAX_TRIPLES = 20  # that are judged together: an entity has several names
MAX_STATEMENTS = 2_000  # of one triple


class JudgedFact(Record):
    """What was said of a fact."""

    subject: str
    predicate: str
    object: str
    verdict: str | None
    statements: int  # that it concerns
    on: int | None  # the day on which it ended


def judge_fact(
    database: Database, *, tenant: str, ids: Iterable[str], verdict: str | None, on: Timestamp | None = None
) -> JudgedFact:
    """Save a verdict on all statements of the triples of some facts: `wrong`, `ended` with the day, `kept`, or None.

    None takes it back: later statements decide again. A fact whose replacement a person has named stays as it is.
    Raises `NotFound`, `InvalidInput`.
    """
    validate.check_choice("verdict", verdict, VERDICTS)
    day = _day(verdict, on)
    wanted = validate.check_list("ids", ids)
    if not 1 <= len(wanted) <= MAX_TRIPLES:
        raise InvalidInput(f"invalid ids: must be 1 to {MAX_TRIPLES} facts, and these are {len(wanted):,}")
    with database.transaction(tenant=tenant) as tx:
        if day is not None and day > tx.now:
            raise InvalidInput(f"invalid day {format_time(day)[:10]}: it is still to come")
        linking.lock(tx)
        tx.lock(f"facts {tx.tenant}")
        named = [_named(tx, id) for id in wanted]
        triples = {(one["subject_key"], one["predicate"], one["object_key"]) for one in named}
        number = sum(_judge(tx, triple, verdict=verdict, day=day) for triple in sorted(triples))
    first = named[0]
    return JudgedFact(
        subject=first["subject"],
        predicate=first["predicate"],
        object=first["object"],
        verdict=verdict,
        statements=number,
        on=day,
    )


def _day(verdict: str | None, on: Timestamp | None) -> int | None:
    if verdict != ENDED:
        return None
    if on is None or on == "":
        raise InvalidInput("the day on which the fact ended is missing: give a date such as 2026-03-01")
    return parse_time(on, name="day")


def _named(tx: Transaction, id: str) -> Row:
    found = facts.get(tx, uuid=validate.check_text("id", id))
    if found is None:
        raise NotFound(f"there is no fact {id[:60]!r}: it was found in a text that is gone or has changed")
    return found


def _judge(tx: Transaction, triple: tuple[str, str, str], *, verdict: str | None, day: int | None) -> int:
    """Judge the statements of one triple. Returns how many."""
    subject, predicate, object = triple
    rows = facts.stated(tx, subject=subject, predicate=predicate, object=object, limit=MAX_STATEMENTS + 1)
    if len(rows) > MAX_STATEMENTS:
        raise InvalidInput(f"more than {MAX_STATEMENTS:,} memories say so: a verdict on so many is refused")
    judged = [row for row in rows if row["superseded_how"] != HAND]
    facts.judge(tx, [(row["id"], _end(row, verdict, day)) for row in judged], how=verdict)
    by_project = {row["project"]: row["memory_id"] for row in judged}
    for memory in by_project.values():
        fact_validity.update_validity(tx, [(subject, predicate)], number=memory)
    for memory in sorted({row["memory_id"] for row in judged} - {*by_project.values()}):
        fact_validity.update_memory(tx, memory)
    return len(judged)


def _end(row: Row, verdict: str | None, day: int | None) -> int | None:
    """A fact that never held ended when it began, and so did what was said after the day on which it ended."""
    date = int(row["date"])
    return date if verdict == WRONG else None if day is None else max(date, day)
