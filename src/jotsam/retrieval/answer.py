"""Recall: from a question to an answer that says what it covers. Everything is read in the one snapshot given.

parse, asks     what the question's words are, and what they ask for
scope           where is looked
legs, facts,    candidates: words, ids, vectors, facts, what is of the time asked for,
times           or the newest
around          who said them, when, and what was said beside them
fuse, graph     one order
pack, render    as much of it as fits, and the footer
"""

from __future__ import annotations

from jotsam.answers import Answer, Coverage
from jotsam.errors import JotsamError
from jotsam.given import whole
from jotsam.records import QUEUES
from jotsam.retrieval import facts, graph, legs, times
from jotsam.retrieval.around import around
from jotsam.retrieval.asks import DAY_MS, asks, dated
from jotsam.retrieval.called import called
from jotsam.retrieval.fuse import fuse, prefer, rank
from jotsam.retrieval.hits import BATCH, hits
from jotsam.retrieval.pack import pack
from jotsam.retrieval.parse import parse
from jotsam.retrieval.render import render
from jotsam.retrieval.scope import checked, scope, text
from jotsam.retrieval.weights import WEIGHTS
from jotsam.storage import memories, queue, search, vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.answers import Question
    from jotsam.records import Fact
    from jotsam.retrieval.asks import Asks
    from jotsam.retrieval.fuse import Ranked
    from jotsam.retrieval.legs import Meaning
    from jotsam.retrieval.pack import Packed
    from jotsam.retrieval.parse import Parsed
    from jotsam.retrieval.weights import Weights
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.search import Scope

TOKENS = (20, 200_000)
LIMIT = (1, 1_000)
MOST_UNMATCHED = 8
SPARE = 2
"""So many times the limit are ranked, for what says the same as another hit is left out."""


def recall(
    tx: Transaction,
    question: Question,
    *,
    meaning: Meaning | None = None,
    weights: Weights = WEIGHTS,
) -> Answer:
    """The best hits within the budget, and what they cover. Writes nothing.

    A question without words gets the newest memories. `meaning` holds the question's vectors, if an embedder is there.
    Raises `InvalidInput`.
    """
    question = checked(question)
    tx.enter(question.tenant)
    budget, limit = whole("tokens", question.tokens, *TOKENS), whole("limit", question.limit, *LIMIT)
    parsed = parse(text("question", question.text))
    asked = asks(parsed.text, now=tx.now)
    where = scope(tx, question, as_of=asked.as_of)
    asked = _with_event(tx, asked, where)
    look = _Look(tx, where, weights, depth=max(weights.depth, limit))
    found = look.ask(parsed, question, meaning)
    if parsed.text and asked.periods and weights.period:
        found["period"] = times.found(tx, asked.periods, where, depth=weights.during)
    context = around(tx, where, found, most=weights.beside)
    scores = fuse(found, context, asked, parsed.words, weights, times.fitting(tx, context.rows, asked, weights))
    walked = graph.walk(tx, scores, context, question, where, weights)
    prefer(scores, walked.around, question.prefer, weights)
    ranked = rank(scores, SPARE * limit + BATCH, walked.paths)
    ranked = [item for item in ranked if item.score >= question.min_score]
    settled = graph.settle(tx, ranked, walked.around, where, words=parsed.words, by_date=not asked.periods)
    found_hits = hits(tx, settled.ranked, where, settled.conflicts, look.facts)
    packed = pack(found_hits, words=parsed.words, budget=budget, limit=limit)
    others = {ref for leg, refs in found.items() if leg not in ("words", "newest") for ref in refs} & scores.sums.keys()
    total = look.total(_shown(packed, settled.ranked), others)
    coverage = _coverage(tx, packed, question, total=total, missing=tuple(look.failed))
    return Answer(question=parsed.text, hits=packed.hits, coverage=coverage, text=render(packed.blocks, coverage))


def _with_event(tx: Transaction, asked: Asks, where: Scope) -> Asks:
    """ "Before the migration": when what matches these words best says that it is, is the time that is named; else when
    that was said, if the question is surely about something that happened.
    """
    terms = parse(asked.event.text).terms if asked.event else None
    if asked.event is None or terms is None or not (terms.words or terms.grams):
        return asked
    found = legs.words(tx, search.expression(tx, terms), where, depth=1).scores
    rows = search.about(tx, where, refs=found) if found else []
    told = times.shortest(search.named(tx, refs=[row["ref"] for row in rows])) if rows else None
    if told is not None:
        return dated(asked, first=told[0], until=told[1])
    if not rows or not asked.event.is_certain:
        return asked
    day = rows[0]["date"] // DAY_MS * DAY_MS
    return dated(asked, first=day, until=day + DAY_MS)


def _shown(packed: Packed, ranked: Sequence[Ranked]) -> set[int]:
    """The references of what is shown: the first of the order, as many as there are."""
    return {item.ref for item in ranked[: len(packed.hits)]}


class _Look:
    """Asks the legs, and keeps what is needed to say how many there are."""

    def __init__(self, tx: Transaction, where: Scope, weights: Weights, *, depth: int) -> None:
        self._weights = weights
        self._tx = tx
        self._where = where
        self._depth = depth
        self._asked: Row | None = None
        self._total = 0
        self._brought: set[int] = set()
        self.failed: list[str] = []
        self.facts: Mapping[int, tuple[Fact, ...]] = {}

    def ask(self, parsed: Parsed, question: Question, meaning: Meaning | None) -> dict[str, legs.Scores]:
        tx, where, depth = self._tx, self._where, self._depth
        found: dict[str, legs.Scores] = {}
        if question.pinned:
            found["pinned"], missing = legs.pinned(tx, question.pinned, where, depth=depth)
            self.failed += missing
        if not parsed.text:
            return found | {"newest": self._kept(legs.newest(tx, where, depth=depth))}
        self._asked = search.expression(tx, parsed.terms)
        found["words"] = self._kept(legs.words(tx, self._asked, where, depth=depth))
        found["id"] = legs.named(tx, parsed, where, depth=depth)
        found["named"] = called(tx, parsed.text, where, most=self._weights.bearers)
        said = facts.asked(tx, parsed.text, where, depth=depth)
        found["facts"], self.facts = said.scores, said.facts
        if meaning is not None:
            self.failed += meaning.missing
            try:
                found["vectors"] = meaning.near(tx, where, depth=depth)
            except JotsamError as error:
                self.failed.append(f"vectors ({error})")
        return found

    def total(self, shown: Iterable[int], others: Iterable[int]) -> int:
        """How many there are: all that share words, however deep the leg looked, what other legs found, and what is
        shown because of what was said beside it.

        Where more share words than were brought, what is shown besides may be one of them, and only a few `others`
        are worth the question whether they are.
        """
        if self._total <= len(self._brought):
            return self._total + len({*shown, *others} - self._brought)
        few = [ref for ref in others if ref not in self._brought][:MOST_UNMATCHED]
        found = search.unmatched(self._tx, asked=self._asked, refs=few) if few and self._asked else few
        return self._total + len([*found])

    def _kept(self, found: legs.Found) -> legs.Scores:
        self._total, self._brought = found.total, {*found.scores}
        return found.scores


def _coverage(tx: Transaction, packed: Packed, question: Question, *, total: int, missing: tuple[str, ...]) -> Coverage:
    depth = queue.depth(tx, queues=QUEUES, tenant=question.tenant)
    return Coverage(
        returned=len(packed.hits),
        total=max(total, len(packed.hits)),
        tokens=packed.tokens,
        budget=question.tokens,
        more=packed.more,
        pending=depth.pending + question.set_aside,
        in_progress=depth.in_progress,
        failed=depth.failed,
        dead=depth.dead,
        oldest_pending_ms=None if depth.oldest is None else max(0, tx.now - depth.oldest),
        not_enriched=memories.not_enriched(tx, tenant=question.tenant),
        missing_legs=missing,
        embedded=vectors.embedded(tx, tenant=question.tenant),
        unembedded=vectors.wanting(tx, tenant=question.tenant),
    )
