"""Rank the newer of two contradicting or nearly equal hits first, if both match about as well, and of equal texts the
one that was said last, because equal texts are shown once.

Contradictions come from links, from facts with one value at a time, and from the words of both texts.
"""

from __future__ import annotations

from itertools import combinations

from jotsam.core.records import Record
from jotsam.pipeline.facts.predicates import FUNCTIONAL, MIN_CONFIDENCE, competing_predicates, functional
from jotsam.retrieval.rank.contradictions import are_near_duplicates, contradict, covers, read_statement
from jotsam.storage import facts, search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.retrieval.rank.context import Context
    from jotsam.retrieval.rank.contradictions import Statement
    from jotsam.retrieval.rank.fuse import Ranked
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.search import Scope

MAX_COMPARED = 24

# Parts of the older hit's score that the newer one needs to be moved ahead. Parts, because scores have no fixed scale.
DUPLICATE_SCORE = 0.8
CONTRADICTION_SCORE = 0.5  # less, because being up to date matters more than matching best


class Ordered(Record):
    """The hits in their final order, and their conflicts."""

    ranked: list[Ranked]
    conflicts: Mapping[int, tuple[int, ...]]  # by reference: other results that contradict it


def newer_first(
    tx: Transaction, ranked: list[Ranked], context: Context, scope: Scope, *, stems: Sequence[str], reorder: bool
) -> Ordered:
    """Move the newer of two contradicting hits or near-duplicates ahead. `reorder=False` only finds the conflicts.

    Of equal texts the newest takes the place of the best. Hits are compared within one project, or among those without
    one; contradicting links apply across projects. Turns
    of a conversation often sound alike, so they move only for a contradiction. A hit that states a requested fact does
    not give way to a near-duplicate without it, and no hit moves ahead of a pinned one. `stems` are the question's.
    """
    rows = context.rows
    ranked = _newest_of_equal(ranked, context)
    first = ranked[:MAX_COMPARED]
    statements = {item.ref: read_statement(rows[item.ref]["body"]) for item in first}
    conflicts = _conflicts(tx, statements, context, scope)
    for later in range(1, len(first) if reorder else 0):
        new = first[later]
        for earlier in range(later):
            old, passed = first[earlier], first[earlier:later]
            if rows[new.ref]["date"] <= rows[old.ref]["date"] or any("pinned" in item.scores for item in passed):
                continue
            is_conflict = new.ref in conflicts.get(old.ref, ())
            if not is_conflict and not _gives_way(old, new, statements, context, stems):
                continue
            needed = CONTRADICTION_SCORE if is_conflict else DUPLICATE_SCORE
            if new.score >= needed * max(item.score for item in passed):
                first.insert(earlier, first.pop(later))
                break
    conflicting = {ref: tuple(others) for ref, others in conflicts.items()}
    return Ordered(ranked=first + ranked[MAX_COMPARED:], conflicts=conflicting)


def _newest_of_equal(ranked: Sequence[Ranked], context: Context) -> list[Ranked]:
    """The hits, with those of equal text and project ordered by date within their places.

    Pinned hits keep theirs, and hits of the time that the question names keep those before all others.
    """
    places: dict[object, list[int]] = {}
    for place, item in enumerate(ranked):
        row = context.rows[item.ref]
        if row["body"] and "pinned" not in item.scores:
            key = row["body"].strip(), row["project"], item.scores.get("period")
            places.setdefault(key, []).append(place)
    ordered = list(ranked)
    for equal in places.values():
        newest = sorted(equal, key=lambda place: context.rows[ranked[place].ref]["date"], reverse=True)
        for place, other in zip(equal, newest, strict=True):
            ordered[place] = ranked[other]
    return ordered


def _gives_way(
    old: Ranked, new: Ranked, statements: Mapping[int, Statement], context: Context, stems: Iterable[str]
) -> bool:
    """Whether two single memories are near-duplicates, and the newer covers as much of the question as the older."""
    if old.ref in context.conversation or new.ref in context.conversation:
        return False
    if "facts" in old.scores and "facts" not in new.scores:
        return False
    if not _is_same_project(context, old.ref, new.ref):
        return False
    one, other = statements[old.ref], statements[new.ref]
    return are_near_duplicates(one, other) and covers(other, one, stems)


def _conflicts(
    tx: Transaction, statements: Mapping[int, Statement], context: Context, scope: Scope
) -> dict[int, dict[int, None]]:
    """Contradictions in both directions: by links, by facts with one value at a time, by the texts' words."""
    refs = [ref for ref in statements if ref > 0]
    conflicts: dict[int, dict[int, None]] = {}
    for row in search.contradicting(tx, refs=refs):
        conflicts.setdefault(row["ref"], {})[row["other"]] = None
    pairs = [*_conflicting_facts(tx, refs, scope)]
    pairs += [
        (old, new)
        for old, new in combinations(statements, 2)
        if _is_same_project(context, old, new) and contradict(statements[old], statements[new])
    ]
    for old, new in pairs:
        conflicts.setdefault(old, {})[new] = None
        conflicts.setdefault(new, {})[old] = None
    return conflicts


def _conflicting_facts(tx: Transaction, refs: Sequence[int], scope: Scope) -> Iterator[tuple[int, int]]:
    """Pairs of memories with different values for a fact that has one at a time, neither superseded by the other."""
    by_key: dict[object, list[Row]] = {}
    for row in facts.valid_at(tx, refs=refs, predicates=FUNCTIONAL, at=scope.at):
        if row["confidence"] >= MIN_CONFIDENCE and functional([(row["subject_key"], row["predicate"])]):
            key = row["project"], row["subject_key"], competing_predicates(row["predicate"])
            by_key.setdefault(key, []).append(row)
    for rows in by_key.values():
        for old, new in combinations(rows, 2):
            is_same_document = old["document_id"] is not None and old["document_id"] == new["document_id"]
            if old["ref"] != new["ref"] and old["object_key"] != new["object_key"] and not is_same_document:
                yield old["ref"], new["ref"]


def _is_same_project(context: Context, one: int, other: int) -> bool:
    return bool(context.rows[one]["project"] == context.rows[other]["project"])
