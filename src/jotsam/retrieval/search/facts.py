"""Fact retriever: memories with a fact of which the question names enough parts.

One part is not a match: a question about Ann names a hundred facts. Two of the three parts are a match, and so is a
subject of several words ("billing service"). The more facts match in the same way, the less each of them scores.
"""

from __future__ import annotations

from collections import Counter
from math import log

from jotsam.core.records import Fact, Record
from jotsam.storage.graph import facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.graph.facts import Asked
    from jotsam.storage.recall.search import Scope

# The score of a fact by the parts that the question names: subject, predicate, object.
STRENGTH = {
    (True, True, True): 1.0,
    (True, True, False): 1.0,  # "where does Ann live": asks for the object
    (False, True, True): 1.0,  # "who works at Acme": asks for the subject
    (True, False, True): 0.8,  # "what has Ann to do with Acme"
    (True, False, False): 0.4,  # "what about the billing service": only for a subject of several words
}


class FactMatches(Record):
    """Scores by reference, and the matching facts of each, most certain first."""

    scores: Mapping[int, float]
    facts: Mapping[int, tuple[Fact, ...]]


def by_facts(tx: Transaction, parts: Asked, scope: Scope, *, limit: int) -> FactMatches:
    """Memories whose facts match the question, at most `limit` facts. Scores are at most 1.

    Superseded facts are returned, but score nothing.
    """
    rows = facts.by_terms(tx, parts, scope._values(), limit=limit) if parts.keys else []
    counts = Counter(_named_parts(row, parts) for row in rows)
    scores: dict[int, float] = {}
    found: dict[int, list[Fact]] = {}
    for row in rows:
        named = _named_parts(row, parts)
        strength = STRENGTH[tuple(part is not None for part in named)] / (1 + log(counts[named]))  # type: ignore[index]
        if is_current(row["superseded_at"], scope):
            scores[row["ref"]] = max(scores.get(row["ref"], 0.0), row["confidence"] * strength)
        fields = {field: row[field] for field in Fact._fields if field != "free"}
        found.setdefault(row["ref"], []).append(facts.from_row(fields))
    return FactMatches(
        scores=scores,
        facts={ref: tuple(sorted(each, key=lambda fact: -fact.confidence)) for ref, each in found.items()},
    )


def is_current(superseded_at: int | None, scope: Scope) -> bool:
    """Whether a fact is not superseded at the time of the scope. With history, every fact is current."""
    return superseded_at is None or superseded_at > scope.at or bool(scope.history)


def _named_parts(row: Row, parts: Asked) -> tuple[str | None, str | None, str | None]:
    """Subject, predicate and object; None for those that the question does not name."""
    return (
        row["subject_key"] if row["subject_key"] in parts.keys else None,
        row["predicate"] if row["predicate"] in parts.predicates else None,
        row["object_key"] if row["object_key"] in parts.keys else None,
    )
