"""The graph leg: from the best of an order, along what joins them to others, to a better order.

What stands alone, or was cut from a document, is joined by the rare entities that it shares: a question of two steps
finds its second step that way. What was said in a session is joined only when the caller asks for it; there it was
measured to bring nothing. What contradicts another hit is put in order, the newest first, and marked.
"""

from __future__ import annotations

from jotsam.pipeline.words import STOP_WORDS
from jotsam.retrieval import legs
from jotsam.retrieval.around import around
from jotsam.retrieval.fuse import join
from jotsam.retrieval.parse import split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.records import Question
    from jotsam.retrieval.around import Around
    from jotsam.retrieval.fuse import Ranked
    from jotsam.retrieval.weights import Weights
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.search import Scope

COMPARED = 24
ALIKE = 0.6
LONGEST_TWIN = 400
CONTRADICTS = "CONTRADICTS"


def walk(
    tx: Transaction, ranked: Sequence[Ranked], context: Around, question: Question, scope: Scope, weights: Weights
) -> list[Ranked]:
    """The order with what the graph joins to the best of it."""
    seeds = [item.ref for item in ranked[: weights.seeds] if item.ref > 0]
    if not seeds:
        return [*ranked]
    everywhere = "entities" in question.expand
    joined = []
    if weights.hop and (everywhere or any(ref not in context.conversation for ref in seeds)):
        joined += legs.sharing(tx, seeds, weights)
    if "relations" in question.expand:
        joined += legs.related(tx, seeds, least=question.min_weight)
    unknown = {one.ref for one in joined} - context.rows.keys()
    beyond = around(tx, scope, unknown)
    rows = {**context.rows, **beyond.rows}
    said = context.conversation | beyond.conversation
    allowed = [one for one in joined if one.ref in rows and (one.by != "hop" or everywhere or one.ref not in said)]
    return _newest_first(join(ranked, allowed, weights), rows)


def _newest_first(ranked: Sequence[Ranked], rows: Mapping[int, Row]) -> list[Ranked]:
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
    return frozenset(split(body.lower())) - STOP_WORDS


def _are_twins(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    return shared >= 2 and one != other and shared / len(one | other) >= ALIKE
