"""The context of candidates: who said them, when, in which session or document, and what was said around them.

Pure: `load_context` reads it from the database, `fuse` and `graph` use it.
"""

from __future__ import annotations

from collections import Counter

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    # A row of `search.ranking_fields`.
    Row = Mapping[str, Any]
    Sequence = tuple[str, object]

SESSION, DOCUMENT = "session", "document"


class Context(Record):
    """The candidates and their neighbours, by reference. It holds nothing outside the scope."""

    rows: Mapping[int, Row]
    neighbours: Mapping[int, Mapping[int, int]]  # by step (-2, -1, 1, 2): the reference there
    sequences: Mapping[int, Sequence]  # the session or document of those that have others around them
    conversation: frozenset[int]  # those in a session with others
    turns: frozenset[int]  # `conversation`, and those of a session whose neighbours were not looked up
    questions: frozenset[int]  # those that end with a question mark
    archived: frozenset[int]  # those that are not results, and only context of others


def build_context(
    rows: Mapping[int, Row], neighbours: Mapping[int, Mapping[int, int]], alone: Collection[int] = ()
) -> Context:
    """Derive the context from rows and neighbours. `alone` are turns known to have no neighbours."""
    every = {ref: sequence for ref, row in rows.items() if (sequence := _sequence(row))}
    sequences = _with_others(every, neighbours)
    conversation = frozenset([ref for ref, (kind, _) in sequences.items() if kind == SESSION])
    return Context(
        rows=rows,
        neighbours=neighbours,
        sequences=sequences,
        conversation=conversation,
        turns=conversation | ({ref for ref, (kind, _) in every.items() if kind == SESSION} - {*alone}),
        questions=frozenset([ref for ref, row in rows.items() if row["body"] and row["body"].rstrip()[-1:] in "?？"]),
        archived=frozenset([ref for ref, row in rows.items() if row.get("is_archived")]),
    )


def turns_before(context: Context) -> dict[int, int]:
    """The turn before each turn, as far as both were read."""
    before: dict[int, int] = {}
    for ref, steps in context.neighbours.items():
        if 1 in steps:
            before[steps[1]] = ref
        if -1 in steps:
            before[ref] = steps[-1]
    return {ref: turn for ref, turn in before.items() if turn in context.rows}


def merge(one: Context, other: Context) -> Context:
    """Both contexts as one."""
    return Context(
        rows={**one.rows, **other.rows},
        neighbours={**one.neighbours, **other.neighbours},
        sequences={**one.sequences, **other.sequences},
        conversation=one.conversation | other.conversation,
        turns=one.turns | other.turns,
        questions=one.questions | other.questions,
        archived=one.archived | other.archived,
    )


def parts(context: Context) -> frozenset[int]:
    """The candidates beside others of the same session or document."""
    members = Counter(context.sequences.values())
    return context.conversation | {ref for ref, sequence in context.sequences.items() if members[sequence] > 1}


def is_turn(row: Row) -> bool:
    """Whether a candidate belongs to a session and to no document."""
    return row["session"] is not None and row["document_id"] is None


def _with_others(every: Mapping[int, Sequence], neighbours: Mapping[int, Mapping[int, int]]) -> dict[int, Sequence]:
    """The sequences that have others. A session with one candidate that has no neighbours is no sequence."""
    members = Counter(every.values())
    reached = {other for steps in neighbours.values() for other in steps.values()}
    return {
        ref: sequence
        for ref, sequence in every.items()
        if sequence[0] == DOCUMENT or members[sequence] > 1 or ref in neighbours or ref in reached
    }


def _sequence(row: Row) -> Sequence | None:
    if row["document_id"] is not None:
        return DOCUMENT, row["document_id"]
    return (SESSION, row["session"]) if row["session"] is not None else None
