"""What stands around the candidates: who said them, when, in which sequence, and what was said beside them.

Pure: `around` reads it, `fuse` and `graph` judge by it.
"""

from __future__ import annotations

from collections import Counter

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    Row = Mapping[str, Any]
    """One row of `search.about`: body, actor, session, document_id, project, date."""
    Sequence = tuple[str, object]

SESSION, DOCUMENT = "session", "document"


class Around(Record):
    """The candidates with what stands beside them. Nothing outside the scope is here."""

    rows: Mapping[int, Row]
    beside: Mapping[int, Mapping[int, int]]  # by reference and step (-2, -1, 1, 2): the reference there
    sequences: Mapping[int, Sequence]  # those that do not stand alone: the session or the document
    conversation: frozenset[int]  # those of a session
    turns: frozenset[int]  # these, and those of which nobody looked whether they stand alone in their session
    questions: frozenset[int]  # those that end with a question mark


def surroundings(
    rows: Mapping[int, Row], beside: Mapping[int, Mapping[int, int]], alone: Collection[int] = ()
) -> Around:
    """What follows from the rows, from what stands beside what, and from beside which turns nothing was found."""
    sequences = _sequences(rows, beside)
    conversation = frozenset(ref for ref, (kind, _) in sequences.items() if kind == SESSION)
    return Around(
        rows=rows,
        beside=beside,
        sequences=sequences,
        conversation=conversation,
        turns=conversation | ({ref for ref, row in rows.items() if is_turn(row)} - {*alone}),
        questions=frozenset(ref for ref, row in rows.items() if row["body"] and row["body"].rstrip()[-1:] in "?？"),
    )


def merged(one: Around, other: Around) -> Around:
    """Both together."""
    return Around(
        rows={**one.rows, **other.rows},
        beside={**one.beside, **other.beside},
        sequences={**one.sequences, **other.sequences},
        conversation=one.conversation | other.conversation,
        turns=one.turns | other.turns,
        questions=one.questions | other.questions,
    )


def is_turn(row: Row) -> bool:
    """Whether it was said in a session, and is no part of a document."""
    return row["session"] is not None and row["document_id"] is None


def _sequences(rows: Mapping[int, Row], beside: Mapping[int, Mapping[int, int]]) -> dict[int, Sequence]:
    """A session of which only one is here, with nothing before or after it, is no sequence."""
    every = {ref: sequence for ref, row in rows.items() if (sequence := _sequence(row))}
    members = Counter(every.values())
    reached = {other for steps in beside.values() for other in steps.values()}
    return {
        ref: sequence
        for ref, sequence in every.items()
        if sequence[0] == DOCUMENT or members[sequence] > 1 or ref in beside or ref in reached
    }


def _sequence(row: Row) -> Sequence | None:
    if row["document_id"] is not None:
        return DOCUMENT, row["document_id"]
    return (SESSION, row["session"]) if row["session"] is not None else None
