"""Which of two that cannot both be the last word stands first: the newer, where both match about as well.

What contradicts what is known by a link, by a fact of which there can be one, or by the words of both, see `rivals`.
"""

from __future__ import annotations

from itertools import combinations

from jotsam.core.records import Record
from jotsam.pipeline.facts.predicates import FUNCTIONAL, MIN_CONFIDENCE, competing_predicates, functional
from jotsam.retrieval.present.excerpt import roots
from jotsam.retrieval.rank.contradictions import answers, are_alike, contradict, said
from jotsam.storage import facts, search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.retrieval.rank.context import Around
    from jotsam.retrieval.rank.contradictions import Said
    from jotsam.retrieval.rank.fuse import Ranked
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.search import Scope

COMPARED = 24
CLOSE = 0.8
"""What says nearly the same and is newer passes what matches the question better only if it has this part of its score;
a share, for scores are on no scale."""

AT_LEAST = 0.5
"""The same of what contradicts it: which of the two is the last word matters more than which matches best."""


class Settled(Record):
    """An order in which, of what cannot both hold, the newer stands first."""

    ranked: list[Ranked]
    conflicts: Mapping[int, tuple[int, ...]]  # by reference: what contradicts it, and is found too


def settle(
    tx: Transaction, ranked: list[Ranked], context: Around, scope: Scope, *, words: Sequence[str], by_date: bool
) -> Settled:
    """Of two that contradict each other, or say nearly the same, put the newer first where both match about as well.

    Only what belongs to one project is compared, no project being one too; what somebody has linked contradicts
    wherever it is. Turns of a conversation often sound alike, and are moved only when they contradict each other; what
    says a fact that was asked for does not give way to what only sounds like it, and what is pinned to nothing. With
    `by_date` false the question names a time itself, and nothing is moved. `words` are those of the question.
    """
    rows = context.rows
    first = ranked[:COMPARED]
    texts = {item.ref: said(rows[item.ref]["body"]) for item in first}
    conflicts = _conflicts(tx, texts, context, scope)
    wanted = roots(words)
    for later in range(1, len(first) if by_date else 0):
        new = first[later]
        for earlier in range(later):
            old, passed = first[earlier], first[earlier:later]
            if rows[new.ref]["date"] <= rows[old.ref]["date"] or any("pinned" in item.scores for item in passed):
                continue
            is_rival = new.ref in conflicts.get(old.ref, ())
            if not is_rival and not _gives_way(old, new, texts, context, wanted):
                continue
            if new.score >= (AT_LEAST if is_rival else CLOSE) * max(item.score for item in passed):
                first.insert(earlier, first.pop(later))
                break
    return Settled(ranked=first + ranked[COMPARED:], conflicts={ref: (*others,) for ref, others in conflicts.items()})


def _gives_way(old: Ranked, new: Ranked, texts: Mapping[int, Said], context: Around, wanted: Iterable[str]) -> bool:
    """Whether both stand alone, say nearly the same, and the newer has all that was asked for and the older has."""
    is_alone = old.ref not in context.conversation and new.ref not in context.conversation
    is_fact = "facts" in old.scores and "facts" not in new.scores
    one, other = texts[old.ref], texts[new.ref]
    is_alike = is_alone and not is_fact and _is_of_one_project(context, old.ref, new.ref) and are_alike(one, other)
    return is_alike and answers(other, one, wanted)


def _conflicts(tx: Transaction, texts: Mapping[int, Said], context: Around, scope: Scope) -> dict[int, dict[int, None]]:
    """What contradicts what, in both directions: by a link, by a fact of which there can be one, by its words."""
    refs = [ref for ref in texts if ref > 0]
    conflicts: dict[int, dict[int, None]] = {}
    for row in search.contradicting(tx, refs=refs):
        conflicts.setdefault(row["ref"], {})[row["other"]] = None
    pairs = [*_facts_that_differ(tx, refs, scope)]
    pairs += [
        (old, new)
        for old, new in combinations(texts, 2)
        if _is_of_one_project(context, old, new) and contradict(texts[old], texts[new])
    ]
    for old, new in pairs:
        conflicts.setdefault(old, {})[new] = None
        conflicts.setdefault(new, {})[old] = None
    return conflicts


def _facts_that_differ(tx: Transaction, refs: Sequence[int], scope: Scope) -> Iterator[tuple[int, int]]:
    """Memories that say different things of which a subject has one at a time, and both stand: no date told which."""
    held: dict[object, list[Row]] = {}
    for row in facts.standing(tx, refs=refs, predicates=FUNCTIONAL, at=scope.at):
        if row["confidence"] >= MIN_CONFIDENCE and functional([(row["subject_key"], row["predicate"])]):
            key = row["project"], row["subject_key"], competing_predicates(row["predicate"])
            held.setdefault(key, []).append(row)
    for rows in held.values():
        for old, new in combinations(rows, 2):
            is_one_text = old["document_id"] is not None and old["document_id"] == new["document_id"]
            if old["ref"] != new["ref"] and old["object_key"] != new["object_key"] and not is_one_text:
                yield old["ref"], new["ref"]


def _is_of_one_project(context: Around, one: int, other: int) -> bool:
    return bool(context.rows[one]["project"] == context.rows[other]["project"])
