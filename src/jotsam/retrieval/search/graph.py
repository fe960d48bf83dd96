"""The graph leg: from the best of an order, along what joins them to others, to a better order.

What stands alone, or was cut from a document, is joined by the rare entities that it shares: a question of two steps
finds its second step that way. What was said in a session is joined only when the caller asks for it; there it was
measured to bring nothing.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.retrieval.present.render import SHORT_ID
from jotsam.retrieval.rank.context import merged
from jotsam.retrieval.rank.load_context import around
from jotsam.retrieval.search import text
from jotsam.storage import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from jotsam.core.answers import Question
    from jotsam.retrieval.rank.context import Around
    from jotsam.retrieval.rank.scores import Scores
    from jotsam.retrieval.rank.weights import Weights
    from jotsam.retrieval.search.text import Joined
    from jotsam.storage.database import Transaction
    from jotsam.storage.search import Scope

    Strongest = Mapping[int, tuple[float, Joined]]
    """By reference: the gain, and what joins it."""


class Walked(Record):
    """What the graph adds: the candidates with those it came to, and how it came to them."""

    around: Around
    paths: Mapping[int, str]


def walk(
    tx: Transaction, scores: Scores, context: Around, question: Question, scope: Scope, weights: Weights
) -> Walked:
    """Add to the scores what is joined to the best of them: it gains a part of their score."""
    seeds = [ref for ref in scores.best(weights.seeds) if ref > 0]
    everywhere = "entities" in question.expand
    joined: list[Joined] = []
    if everywhere or any(ref not in context.conversation for ref in seeds):
        joined += text.sharing(tx, seeds, scope, weights) if weights.hop else ()
        joined += text.titled(tx, seeds, scope, weights) if weights.title else ()
    if "relations" in question.expand and seeds:
        joined += text.related(tx, seeds, least=question.min_weight)
    unknown = {one.ref for one in joined} - context.rows.keys()
    whole = merged(context, around(tx, scope, {"hop": dict.fromkeys(unknown, 0.0)}, most=0)) if unknown else context
    allowed = [
        one
        for one in joined
        if one.ref in whole.rows and (one.by == "relation" or everywhere or one.ref not in whole.conversation)
    ]
    strongest = _strongest(scores, allowed, weights)
    if question.expand:
        strongest = _limited(tx, strongest, unknown, question)
    _gain(scores, strongest)
    return Walked(around=whole, paths=_paths(tx, strongest))


def _strongest(scores: Scores, joined: Iterable[Joined], weights: Weights) -> Strongest:
    """The strongest of what joins each, and what that gains by it."""
    strongest: dict[int, tuple[float, Joined]] = {}
    for one in joined:
        gain = getattr(weights, one.by) * one.strength * scores.sums[one.seed]
        if gain > (strongest[one.ref][0] if one.ref in strongest else 0.0):
            strongest[one.ref] = gain, one
    return strongest


def _limited(tx: Transaction, strongest: Strongest, unknown: Collection[int], question: Question) -> Strongest:
    """Of what the graph alone brings, as much as the question wants; what was found without it stays."""
    brought = sorted((ref for ref in strongest if ref in unknown), key=lambda ref: (-strongest[ref][0], -ref))
    if question.min_importance:
        rows = search.rows(tx, refs=brought)
        important = {row["ref"] for row in rows if (row["importance"] or 0.0) >= question.min_importance}
        brought = [ref for ref in brought if ref in important]
    wanted = {*brought[: question.expand_limit]}
    return {ref: one for ref, one in strongest.items() if ref in wanted or ref not in unknown}


def _gain(scores: Scores, strongest: Strongest) -> None:
    scores.admit(strongest)
    for by in {one.by: None for _, one in strongest.values()}:
        scores.add(by, {ref: gain for ref, (gain, one) in strongest.items() if one.by == by})


def _paths(tx: Transaction, strongest: Strongest) -> dict[int, str]:
    """How each was reached, and from which memory, by the beginning of its id."""
    seeds = {one.seed for _, one in strongest.values()}
    ids = {row["ref"]: row["uuid"][:SHORT_ID] for row in search.rows(tx, refs=seeds)} if seeds else {}
    return {ref: f"{one.path} {ids.get(one.seed, '')}".rstrip() for ref, (_, one) in strongest.items()}
