"""The graph leg: from the best of an order, along what joins them to others, to a better order.

What stands alone, or was cut from a document, is joined by the rare entities that it shares: a question of two steps
finds its second step that way. What was said in a session is joined only when the caller asks for it; there it was
measured to bring nothing.
"""

from __future__ import annotations

import re

from jotsam.pipeline.words import STOP_WORDS
from jotsam.records import Record
from jotsam.retrieval import legs
from jotsam.retrieval.around import around, merged
from jotsam.retrieval.fuse import best

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.records import Question
    from jotsam.retrieval.around import Around
    from jotsam.retrieval.fuse import Ranked, Scores
    from jotsam.retrieval.legs import Joined
    from jotsam.retrieval.weights import Weights
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.search import Scope

COMPARED = 24
ALIKE = 0.6
LONGEST_TWIN = 400

_WORD = re.compile(r"\w+")


class Walked(Record):
    """What the graph adds: the candidates with those it came to, and how it came to them."""

    around: Around
    paths: Mapping[int, str]


def walk(
    tx: Transaction, scores: Scores, context: Around, question: Question, scope: Scope, weights: Weights
) -> Walked:
    """Add to the scores what is joined to the best of them: it gains a part of their score."""
    seeds = [ref for ref in best(scores, weights.seeds) if ref > 0]
    everywhere = "entities" in question.expand
    joined: list[Joined] = []
    if weights.hop and (everywhere or any(ref not in context.conversation for ref in seeds)):
        joined += legs.sharing(tx, seeds, scope, weights)
    if "relations" in question.expand and seeds:
        joined += legs.related(tx, seeds, least=question.min_weight)
    unknown = {one.ref for one in joined} - context.rows.keys()
    whole = merged(context, around(tx, scope, unknown)) if unknown else context
    allowed = [
        one
        for one in joined
        if one.ref in whole.rows and (one.by != "hop" or everywhere or one.ref not in whole.conversation)
    ]
    return Walked(around=whole, paths=_gain(scores, allowed, weights))


def _gain(scores: Scores, joined: Iterable[Joined], weights: Weights) -> dict[int, str]:
    """Each gains by the strongest of what joins it. Returns how each was reached."""
    sums = {ref: sum(parts.values()) for ref, parts in scores.items()}
    paths: dict[int, str] = {}
    gained: dict[int, float] = {}
    for one in joined:
        gain = getattr(weights, one.by) * one.strength * sums[one.seed]
        if gain > gained.get(one.ref, 0.0):
            parts = scores.setdefault(one.ref, {})
            parts.pop("hop", None)
            parts.pop("relation", None)
            parts[one.by], gained[one.ref], paths[one.ref] = gain, gain, one.path
    return paths


def newest_first(ranked: list[Ranked], rows: Mapping[int, Row]) -> list[Ranked]:
    """Of two that say the same but for a value, the newer stands first."""
    order = [*ranked]
    said = [_said(rows[item.ref]) for item in order[:COMPARED]]
    for later in range(1, len(said)):
        for earlier in range(later):
            if _are_twins(said[earlier], said[later]) and _date(order[later], rows) > _date(order[earlier], rows):
                order.insert(earlier, order.pop(later))
                said.insert(earlier, said.pop(later))
                break
    return order


def _date(item: Ranked, rows: Mapping[int, Row]) -> int:
    date: int = rows[item.ref]["date"]
    return date


def _said(row: Row) -> frozenset[str]:
    body = row["body"]
    if body is None or len(body) > LONGEST_TWIN:
        return frozenset()
    return frozenset(_WORD.findall(body.lower())) - STOP_WORDS


def _are_twins(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    return shared >= 2 and one != other and shared / len(one | other) >= ALIKE
