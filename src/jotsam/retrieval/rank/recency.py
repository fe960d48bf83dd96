"""Rank the newer of two contradicting or nearly equal hits first, if both match about as well, and of equal texts the
one that was said last, because equal texts are shown once.

Contradictions come from links, from facts with one value at a time, and from what both texts state. A guess never goes
ahead of a definite statement.
"""

from __future__ import annotations

from itertools import combinations

from jotsam.core.predicates import FUNCTIONAL
from jotsam.core.records import Record
from jotsam.pipeline.facts.predicates import MIN_CONFIDENCE, competing_predicates, functional
from jotsam.retrieval.rank.contradictions import are_near_duplicates, compared_text, covers, find_contradiction
from jotsam.storage.graph import facts
from jotsam.storage.memories import changes
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.retrieval.rank.context import Context
    from jotsam.retrieval.rank.contradictions import ComparedText
    from jotsam.retrieval.rank.fuse import Ranked
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.recall.search import Scope

MAX_COMPARED = 24
MAX_SHOWN = 100  # hits of which it is looked up whether a newer text replaces them

# Parts of the older hit's score that the newer one needs to be moved ahead. Parts, because scores have no fixed scale.
DUPLICATE_SCORE = 0.8
CONTRADICTION_SCORE = 0.5  # less, because being up to date matters more than matching best


DAY_MS = 86_400_000


class Ordered(Record):
    """The hits in their final order, and their conflicts."""

    ranked: list[Ranked]
    conflicts: Mapping[int, tuple[int, ...]]  # by reference: other results that cast doubt on it
    reasons: Mapping[int, list[Row]]  # by reference: the newer texts that replace it or cast doubt on it


class Conflicts(Record):
    """Contradictions between results. They are filled while they are found."""

    doubts: dict[int, dict[int, None]]  # by reference: the results that cast doubt on it
    ahead: set[tuple[int, int]]  # which goes ahead of which


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
    texts = {item.ref: compared_text(rows[item.ref]["body"]) for item in first}
    conflicts = _conflicts(tx, texts, context, scope)
    reasons = changes.reasons(tx, refs=[item.ref for item in ranked[:MAX_SHOWN] if item.ref > 0], at=scope.at)
    replaced = {(row["other"], ref) for ref, newer in reasons.items() for row in newer}
    has_pinned = any("pinned" in item.scores for item in first)
    for later in range(1, len(first) if reorder else 0):
        new = first[later]
        for earlier in range(later):
            old, passed = first[earlier], first[earlier:later]
            if has_pinned and any("pinned" in item.scores for item in passed):
                continue
            is_replaced = (new.ref, old.ref) in replaced
            is_conflict = is_replaced or (new.ref, old.ref) in conflicts.ahead
            is_newer = rows[new.ref]["date"] > rows[old.ref]["date"]
            if not is_conflict and not (is_newer and _gives_way(old, new, texts, conflicts, context, stems)):
                continue
            needed = 0.0 if is_replaced else CONTRADICTION_SCORE if is_conflict else DUPLICATE_SCORE
            if new.score >= needed * max(item.score for item in passed):
                first.insert(earlier, first.pop(later))
                break
    conflicting = {ref: tuple(others) for ref, others in conflicts.doubts.items()}
    return Ordered(ranked=first + ranked[MAX_COMPARED:], conflicts=conflicting, reasons=reasons)


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
        if len(equal) == 1:
            continue
        newest = sorted(equal, key=lambda place: context.rows[ranked[place].ref]["date"], reverse=True)
        for place, other in zip(equal, newest, strict=True):
            ordered[place] = ranked[other]
    return ordered


def _gives_way(
    old: Ranked,
    new: Ranked,
    texts: Mapping[int, ComparedText],
    conflicts: Conflicts,
    context: Context,
    stems: Iterable[str],
) -> bool:
    """Whether two single memories are near-duplicates, and the newer covers as much of the question as the older."""
    if old.ref in context.conversation or new.ref in context.conversation:
        return False
    if "facts" in old.scores and "facts" not in new.scores:
        return False
    if not _is_same_project(context, old.ref, new.ref) or (old.ref, new.ref) in conflicts.ahead:
        return False
    one, other = texts[old.ref], texts[new.ref]
    return are_near_duplicates(one, other) and covers(other, one, stems)


def _conflicts(tx: Transaction, texts: Mapping[int, ComparedText], context: Context, scope: Scope) -> Conflicts:
    """Contradictions by links, by facts with one value at a time, by what the texts state."""
    found = Conflicts(doubts={}, ahead=set())
    refs = [ref for ref in texts if ref > 0]
    pairs = [(row["ref"], row["other"]) for row in search.contradicting(tx, refs=refs)]
    for one, other in [*pairs, *_conflicting_facts(tx, refs, scope)]:
        _doubt(found, one, other)
        _doubt(found, other, one)
        if one in context.rows and other in context.rows:
            _put_newer_ahead(found, one, other, context)
    stating = [ref for ref, text in texts.items() if text.stating]
    for one, other in combinations(stating, 2):
        _compare_statements(found, one, other, texts, context)
    return found


def _compare_statements(
    found: Conflicts, one: int, other: int, texts: Mapping[int, ComparedText], context: Context
) -> None:
    """Note that two texts give one thing different values, and which of the two is in doubt.

    The older one is, or both if two people said them on one day or the newer one is a guess.
    """
    mine, theirs = context.rows[one], context.rows[other]
    is_same_document = mine["document_id"] is not None and mine["document_id"] == theirs["document_id"]
    if is_same_document or not _is_same_project(context, one, other):
        return
    is_same_speaker = mine["actor"] == theirs["actor"]
    is_one_day = mine["date"] // DAY_MS == theirs["date"] // DAY_MS
    contradiction = find_contradiction(texts[one], texts[other], is_same_speaker=is_same_speaker, is_one_day=is_one_day)
    if contradiction is None:
        return
    older, newer = (one, other) if mine["date"] <= theirs["date"] else (other, one)
    hedged = {one: contradiction.one_hedged, other: contradiction.other_hedged}
    _doubt(found, older, newer)
    if mine["date"] == theirs["date"] or (is_one_day and not is_same_speaker) or hedged[newer]:
        _doubt(found, newer, older)
    if hedged[one] != hedged[other]:
        found.ahead.add((other, one) if hedged[one] else (one, other))
    else:
        _put_newer_ahead(found, one, other, context)


def _doubt(found: Conflicts, doubtful: int, by: int) -> None:
    found.doubts.setdefault(doubtful, {})[by] = None


def _put_newer_ahead(found: Conflicts, one: int, other: int, context: Context) -> None:
    """Neither goes ahead if both are of one time."""
    dates = context.rows[one]["date"], context.rows[other]["date"]
    if dates[0] != dates[1]:
        found.ahead.add((one, other) if dates[0] > dates[1] else (other, one))


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
