"""Graph retriever: from the top candidates along rare shared entities, mentioned titles and links to other memories.

A multi-hop question finds its second hop this way. Turns of a session, and chunks of a document of which several are
candidates, are connected only if the caller asks for it. For turns it brought nothing. Documents about one subject
name the same things all over, also those that the question is not about, so there it did harm.
"""

from __future__ import annotations

from math import log

from jotsam.core.records import Record
from jotsam.retrieval.question.terms import SHORT_ID
from jotsam.retrieval.rank.context import merge, parts
from jotsam.retrieval.rank.load_context import load_context
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from jotsam.core.answers import Question
    from jotsam.retrieval.rank.context import Context
    from jotsam.retrieval.rank.scores import Scores
    from jotsam.retrieval.rank.weights import Weights
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.recall.search import Scope

    # The score that a reference gains, and the edge that it gains it by.
    Gains = Mapping[int, tuple[float, "Edge"]]

ENTITY, TITLE, RELATION = "shared_entity", "mentioned_title", "relation"  # names of weights


class Edge(Record):
    """A connection from one of the top candidates, the seed, to another memory."""

    seed: int
    ref: int
    strength: float  # 0 to 1
    by: str  # the name of its weight
    path: str


class Expansion(Record):
    """The context including the memories that the graph reached, and how it reached them."""

    context: Context
    paths: Mapping[int, str]


def expand(
    tx: Transaction, scores: Scores, context: Context, question: Question, scope: Scope, weights: Weights
) -> Expansion:
    """Add to the scores of memories connected to the top candidates a part of the candidate's score."""
    seeds = [ref for ref in scores.top(weights.seeds) if ref > 0]
    also_parts = "entities" in question.expand
    left_out = frozenset[int]() if also_parts else parts(context)
    edges: list[Edge] = []
    named = [ref for ref in seeds if ref not in left_out or ref in context.conversation]
    if not left_out.issuperset(seeds):
        edges += _shared_entities(tx, named, scope, weights) if weights.shared_entity else ()
        edges += _mentioned_titles(tx, named, scope, weights) if weights.mentioned_title else ()
    if "relations" in question.expand and seeds:
        edges += _links(tx, seeds, min_weight=question.min_weight)
    new = {edge.ref for edge in edges} - context.rows.keys()
    if new:
        reached = load_context(tx, scope, {"graph": dict.fromkeys(new, 0.0)}, with_neighbours=0)
        context = merge(context, reached)
        left_out = left_out if also_parts else parts(context)
    shown = context.rows.keys() - context.archived
    allowed = [edge for edge in edges if edge.ref in shown and (edge.by == RELATION or edge.ref not in left_out)]
    gains = _strongest(scores, allowed, weights)
    if question.expand:
        gains = _limited(tx, gains, new, question)
    _add(scores, gains)
    return Expansion(context=context, paths=_paths(tx, gains))


def _shared_entities(tx: Transaction, seeds: Sequence[int], scope: Scope, weights: Weights) -> Iterator[Edge]:
    """Memories that share a rare entity with a seed; the rarer it is, the stronger the edge."""
    for row in search.sharing_entity(tx, refs=seeds, most=weights.max_mentions):
        strength = 1 / (1 + log(row["mentions"]))
        path = f"shares {row['entity']} with"
        yield Edge(seed=row["seed"], ref=row["ref"], strength=strength, by=ENTITY, path=path)


def _mentioned_titles(tx: Transaction, seeds: Sequence[int], scope: Scope, weights: Weights) -> Iterator[Edge]:
    """Memories whose title a seed mentions."""
    for row in search.titled_as_entity(tx, refs=seeds, most=weights.max_same_title):
        strength = 1 / (1 + log(row["bearers"]))
        path = f"titled {row['entity']}, mentioned in"
        yield Edge(seed=row["seed"], ref=row["ref"], strength=strength, by=TITLE, path=path)


def _links(tx: Transaction, seeds: Sequence[int], *, min_weight: float) -> Iterator[Edge]:
    """Memories linked to a seed, in either direction."""
    for row in search.linked(tx, refs=seeds, least=min_weight):
        strength = min(1.0, max(0.0, row["weight"]))
        yield Edge(seed=row["seed"], ref=row["ref"], strength=strength, by=RELATION, path=_link_path(row))


def _link_path(row: Row) -> str:
    """The path along a link. Of "a LEADS_TO b", a is reached by "LEADS_TO b", and b by "LEADS_TO from a"."""
    return row["type"] if row["outgoing"] else f"{row['type']} from"


def _strongest(scores: Scores, edges: Iterable[Edge], weights: Weights) -> Gains:
    """The edge by which each memory gains most.

    By an entity or a title it gains less the better it matches by itself. What the question needs and does not name
    matches little. What matches well and shares an entity with the best is about the same subject, and has its score
    for that already.
    """
    best = max(scores.totals.values(), default=0.0)
    gains: dict[int, tuple[float, Edge]] = {}
    for edge in edges:
        gain = getattr(weights, edge.by) * edge.strength * scores.totals[edge.seed]
        if edge.by != RELATION and best > 0:
            gain *= 1 - max(0.0, scores.totals.get(edge.ref, 0.0)) / best
        if gain > (gains[edge.ref][0] if edge.ref in gains else 0.0):
            gains[edge.ref] = gain, edge
    return gains


def _limited(tx: Transaction, gains: Gains, new: Collection[int], question: Question) -> Gains:
    """Apply `expand_limit` and `min_importance` to memories that only the graph found."""
    added = sorted((ref for ref in gains if ref in new), key=lambda ref: (-gains[ref][0], -ref))
    if question.min_importance:
        rows = search.details(tx, refs=added)
        important = {row["ref"] for row in rows if (row["importance"] or 0.0) >= question.min_importance}
        added = [ref for ref in added if ref in important]
    kept = {*added[: question.expand_limit]}
    return {ref: gain for ref, gain in gains.items() if ref in kept or ref not in new}


def _add(scores: Scores, gains: Gains) -> None:
    scores.add_candidates(gains)
    for name in {edge.by: None for _, edge in gains.values()}:
        scores.add(name, {ref: gain for ref, (gain, edge) in gains.items() if edge.by == name})


def _paths(tx: Transaction, gains: Gains) -> dict[int, str]:
    """How each memory was reached, and the start of the id of its seed."""
    seeds = {edge.seed for _, edge in gains.values()}
    ids = {row["ref"]: row["uuid"][:SHORT_ID] for row in search.details(tx, refs=seeds)} if seeds else {}
    return {ref: f"{edge.path} {ids.get(edge.seed, '')}".rstrip() for ref, (_, edge) in gains.items()}
