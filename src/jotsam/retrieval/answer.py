"""Answer a question from one snapshot: parse, retrieve, fuse, rank, pack, footer.

question/  parses the question once, and resolves where to search
search/    retrievers: text, vectors, facts, titles, dates, ids, graph
rank/      fuses their scores, and ranks the newer of two contradicting hits first
present/   loads the hits, packs them into the token budget, and renders them with the footer
"""

from __future__ import annotations

from jotsam.core.answers import Answer, Coverage
from jotsam.core.names import QUEUES
from jotsam.core.records import Record
from jotsam.retrieval.present.hits import BATCH, Summaries, load_hits
from jotsam.retrieval.present.layout import Layout
from jotsam.retrieval.present.pack import pack
from jotsam.retrieval.present.render import render
from jotsam.retrieval.question import pages
from jotsam.retrieval.question.parse import parse
from jotsam.retrieval.question.scope import resolve_scope, validated
from jotsam.retrieval.rank.absence import Asked
from jotsam.retrieval.rank.fuse import fuse, prefer_kinds, prefer_noted, prefer_places, prefer_project, rank
from jotsam.retrieval.rank.judge import Judge
from jotsam.retrieval.rank.load_context import load_context, load_words, rarities
from jotsam.retrieval.rank.recency import Ordered, newer_first
from jotsam.retrieval.rank.scores import prefer_important, prefer_relevant
from jotsam.retrieval.rank.weights import WEIGHTS
from jotsam.retrieval.search import graph
from jotsam.retrieval.search.dates import date_scores, resolve_event
from jotsam.retrieval.search.facts import is_current
from jotsam.retrieval.search.failures import Failures
from jotsam.retrieval.search.retrieve import retrieve
from jotsam.retrieval.search.text import count, count_archived
from jotsam.storage import queue
from jotsam.storage.memories import memories
from jotsam.storage.recall import vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.core.answers import Hit, Question
    from jotsam.core.records import Fact
    from jotsam.retrieval.present.pack import Packed
    from jotsam.retrieval.question.parse import ParsedQuestion
    from jotsam.retrieval.rank.context import Context
    from jotsam.retrieval.rank.evidence import Word
    from jotsam.retrieval.rank.fuse import Ranked
    from jotsam.retrieval.rank.rerank import Reranking
    from jotsam.retrieval.rank.scores import Scores
    from jotsam.retrieval.rank.weights import Weights
    from jotsam.retrieval.search.retrieve import Retrieved, VectorSearch
    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope

# Hits ranked per hit of the limit: packing leaves out duplicates.
SPARE = 2


class Found(Record):
    """What answers a question, before it is loaded and packed."""

    parsed: ParsedQuestion
    scope: Scope
    retrieved: Retrieved
    scores: Scores
    context: Context
    ordered: Ordered
    failures: Failures


def recall(
    tx: Transaction,
    question: Question,
    *,
    question_vectors: VectorSearch | None = None,
    weights: Weights = WEIGHTS,
    reranking: Reranking | None = None,
) -> Answer:
    """The best hits within the token budget, and what they cover. Writes nothing. Raises `InvalidInput`.

    A question without words, or with none but those that ask for the latest, returns the newest memories.
    `question_vectors` are the question's embeddings, if there is an embedder; `reranking` is what a reranker returned
    for `best_texts`.
    """
    question = validated(question)
    seen = pages.seen(question)
    found = find(tx, question, question_vectors=question_vectors, weights=weights, reranking=reranking, seen=len(seen))
    judge = judge_of(tx, found)
    is_absent = judge.is_absent(found.ordered.ranked)
    if is_absent and question.min_score is None:
        found = found.replace(ordered=found.ordered.replace(ranked=judge.partly(found.ordered.ranked)))
    before = {found.context.rows[ref]["uuid"] for ref in seen if ref in found.context.rows}
    layout = Layout(home=question.project or question.prefer, before=before)
    hits = load_hits(tx, found.ordered, found.scope, found.retrieved.facts, found.failures, judge, layout)
    packed = pack(
        (hit for hit in hits if hit.evidence >= (question.min_score or 0)),
        words=rarities(judge.words, found.parsed.stems),
        budget=question.tokens,
        limit=question.limit,
        hit_tokens=question.hit_tokens,
        layout=layout,
        after=Summaries(tx, found.scope, judge),
    )
    is_left = packed.is_left or len(found.ordered.ranked) < len(found.scores.totals)
    total = _total(tx, found.retrieved, found.scores, shown=found.ordered.ranked[: len(packed.hits)])
    embedded = vectors.count_embedded(tx)
    if found.parsed.text and question_vectors is None:
        _note_unused_vectors(embedded, found.failures)
    unavailable = found.failures.unavailable
    coverage = _coverage(tx, packed, question, total=total, embedded=embedded, unavailable=unavailable)
    if seen:
        coverage = coverage.replace(before=len(seen), total=max(total, len(seen) + len(packed.hits)))
    else:
        coverage = _with_absence(coverage, judge, packed.hits, is_absent=is_absent)
    coverage = coverage.replace(reranked=len(reranking.scores) if reranking else 0)
    query = found.retrieved.query
    if query is not None and not found.scope.archived and not seen and (coverage.nothing or not packed.hits):
        coverage = coverage.replace(archived=count_archived(tx, query, found.scope))
    return Answer(
        question=found.parsed.text,
        hits=packed.hits,
        facts=_facts(found.ordered.ranked, found.retrieved.facts, found.scope),
        coverage=coverage,
        text=render(packed.blocks, coverage),
        next=_next_page(question, found, seen, packed) if is_left and packed.hits else None,
    )


def best_texts(
    tx: Transaction, question: Question, *, question_vectors: VectorSearch | None, weights: Weights
) -> dict[int, str]:
    """By reference the texts of the best hits, as a reranker reads them. Empty if there is nothing to search for."""
    from jotsam.retrieval.rank.rerank import reranked_texts

    found = find(tx, validated(question), question_vectors=question_vectors, weights=weights)
    return reranked_texts(found.ordered.ranked, found.context.rows) if found.parsed.text else {}


def find(
    tx: Transaction,
    question: Question,
    *,
    question_vectors: VectorSearch | None,
    weights: Weights = WEIGHTS,
    reranking: Reranking | None = None,
    seen: int = 0,
) -> Found:
    """Parse a validated question, retrieve, fuse and rank. `seen`: how many results are on the pages before."""
    tx.set_tenant(question.tenant)
    parsed = parse(question.text, now=tx.now)
    scope = resolve_scope(tx, question, as_of=parsed.intent.as_of)
    failures = Failures(tx)
    with failures.of("text"):
        parsed = parsed.replace(intent=resolve_event(tx, parsed.intent, scope))
    retrieved = retrieve(tx, parsed, question, scope, vectors=question_vectors, weights=weights, failures=failures)
    context = load_context(tx, scope, retrieved.candidates, with_neighbours=weights.with_neighbours)
    dates: Mapping[int, float] = {}
    with failures.of("dates"):
        dates = date_scores(tx, context.rows, parsed.intent, weights)
    similar: Mapping[int, float] = {}
    if question_vectors is not None and retrieved.candidates.get("vectors"):
        with failures.of("vectors"):
            similar = question_vectors.compare(tx, [ref for ref in context.rows if ref > 0])
    scores = fuse(retrieved.candidates, context, parsed, weights, dates, similar)
    expansion = graph.Expansion(context=context, paths={})
    with failures.of("graph"):
        expansion = graph.expand(tx, scores, context, question, scope, weights)
    context = expansion.context
    prefer_kinds(scores, context, parsed, retrieved.of_kind, weights)
    prefer_noted(scores, context, retrieved.candidates.get("notes", {}), weights)
    prefer_project(scores, context, question.prefer, weights)
    prefer_places(scores, context, parsed.places, weights)
    prefer_important(scores, context, weights)
    prefer_relevant(scores, context, weights)
    ranked = rank(scores, SPARE * (seen + question.limit) + BATCH, expansion.paths)
    if reranking is not None:
        from jotsam.retrieval.rank.rerank import rerank

        ranked = rerank(ranked, reranking.scores)
        if reranking.failure and len(ranked) > 1:
            failures.note(reranking.failure)
    ordered = Ordered(ranked=ranked, conflicts={}, reasons={})
    with failures.of("graph"):
        reorder = not parsed.intent.periods
        ordered = newer_first(tx, ordered.ranked, context, scope, stems=parsed.stems, reorder=reorder)
    return Found(
        parsed=parsed,
        scope=scope,
        retrieved=retrieved,
        scores=scores,
        context=context,
        ordered=ordered,
        failures=failures,
    )


def judge_of(tx: Transaction, found: Found) -> Judge:
    """What judges the hits of a question. A time that it names is not a word that they should contain."""
    words: Sequence[Word] = ()
    with found.failures.of("text"):
        words = load_words(tx, found.parsed)
    asked = Asked(found.parsed.text, words, found.context, found.retrieved.of_kind)
    return Judge(asked, found.context, found.retrieved.candidates.get("vectors", {}))


def _with_absence(coverage: Coverage, judge: Judge, hits: Sequence[Hit], *, is_absent: bool) -> Coverage:
    """The coverage with what is asked for and in no hit."""
    if not judge.words:
        return coverage
    if not hits and not is_absent:
        return coverage.replace(nothing=not coverage.is_incomplete, missing=judge.unknown())
    if is_absent or judge.finds_nothing(hits):
        return coverage.replace(nothing=True, missing=judge.unknown(), about=judge.subjects)
    return coverage.replace(missing=judge.missing(hits))


def _next_page(question: Question, found: Found, seen: Sequence[int], packed: Packed) -> str:
    rows = found.context.rows
    refs = {rows[item.ref]["uuid"]: item.ref for item in found.ordered.ranked}
    return pages.next_page(question, [*seen, *(refs[id] for id in packed.used)])


def _facts(ranked: Sequence[Ranked], found: Mapping[int, tuple[Fact, ...]], scope: Scope) -> tuple[Fact, ...]:
    """The requested facts that are current, each once, in the order of their memories."""
    facts: dict[tuple[str, str, str], Fact] = {}
    for item in ranked:
        for fact in found.get(item.ref, ()):
            if is_current(fact.superseded_at, scope):
                facts.setdefault((fact.subject.casefold(), fact.predicate, fact.object.casefold()), fact)
    return tuple(facts.values())


def _total(tx: Transaction, retrieved: Retrieved, scores: Scores, *, shown: Iterable[Ranked]) -> int:
    """How many results there are. Hits reached through their neighbours count once they are shown."""
    others = {
        ref for name, found in retrieved.candidates.items() if name not in ("text", "newest") for ref in found
    } & scores.totals.keys()
    return count(tx, retrieved.query, retrieved.matches, shown={item.ref for item in shown}, others=others)


def _note_unused_vectors(embedded: int, failures: Failures) -> None:
    """Report that memories have vectors, but no embedder is set that could embed the question."""
    if embedded:
        memories_are = "memory is" if embedded == 1 else "memories are"
        failures.note(f"vectors (no embedder is set; {embedded:,} {memories_are} embedded)")


def _coverage(
    tx: Transaction, packed: Packed, question: Question, *, total: int, embedded: int, unavailable: tuple[str, ...]
) -> Coverage:
    depth = queue.depth(tx, queues=QUEUES, tenant=question.tenant)
    return Coverage(
        returned=len(packed.hits),
        total=max(total, len(packed.hits)),
        tokens=packed.tokens,
        budget=question.tokens,
        more=packed.more,
        pending=depth.pending + question.spooled,
        in_progress=depth.in_progress,
        failed=depth.failed,
        dead=depth.dead,
        oldest_pending_ms=None if depth.oldest is None else max(0, tx.now - depth.oldest),
        not_enriched=memories.not_enriched(tx),
        degraded=memories.degraded(tx),
        unavailable=unavailable,
        embedded=embedded,
        unembedded=vectors.count_wanted(tx),
        replica_lag_ms=tx.replica.lag_ms if tx.replica else None,
        replica_problem=f"{tx.replica.name}: {tx.replica.problem}" if tx.replica and tx.replica.problem else "",
    )
