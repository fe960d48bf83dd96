"""Recall: from a question to an answer that says what it covers. Everything is read in the one snapshot given.

parse, asks     what the question's words are, and what they ask for
scope           where is looked
legs, facts,    candidates: words, ids, vectors, facts, what is of the time asked for,
times           or the newest
around          who said them, when, and what was said beside them
fuse, graph,    one order
settle
pack, render    as much of it as fits, and the footer
"""

from __future__ import annotations

from jotsam.core.answers import Answer, Coverage
from jotsam.core.names import QUEUES
from jotsam.core.validate import check_int
from jotsam.retrieval.present.hits import BATCH, hits
from jotsam.retrieval.present.pack import pack
from jotsam.retrieval.present.render import render
from jotsam.retrieval.question.intent import DAY_MS, asks, dated
from jotsam.retrieval.question.scope import checked, scope, text
from jotsam.retrieval.question.terms import parse
from jotsam.retrieval.rank.fuse import fuse, prefer, rank
from jotsam.retrieval.rank.load_context import around
from jotsam.retrieval.rank.recency import Settled, settle
from jotsam.retrieval.rank.weights import WEIGHTS
from jotsam.retrieval.search import dates, facts, graph
from jotsam.retrieval.search import text as legs
from jotsam.retrieval.search.failures import Missing
from jotsam.retrieval.search.titles import called
from jotsam.storage import memories, queue, search, vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.core.answers import Question
    from jotsam.core.records import Fact
    from jotsam.retrieval.present.pack import Packed
    from jotsam.retrieval.question.intent import Asks
    from jotsam.retrieval.question.terms import Parsed
    from jotsam.retrieval.rank.fuse import Ranked
    from jotsam.retrieval.rank.weights import Weights
    from jotsam.retrieval.search.text import Meaning
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

    A question without words, or with none but those that ask for the latest, gets the newest memories. `meaning` holds
    the question's vectors, if an embedder is there. Raises `InvalidInput`.
    """
    question = checked(question)
    tx.set_tenant(question.tenant)
    budget, limit = check_int("tokens", question.tokens, *TOKENS), check_int("limit", question.limit, *LIMIT)
    words = text("question", question.text)
    parsed, asked = parse(words), asks(words, now=tx.now)
    asked = asked.replace(latest=asked.latest or not parsed.text)
    where = scope(tx, question, as_of=asked.as_of)
    missing = Missing(tx)
    with missing.leg("words"):
        asked = _with_event(tx, asked, where)
    look = _Look(tx, where, weights, missing, depth=max(weights.depth, limit))
    found = look.ask(parsed, asked, question, meaning)
    if asked.periods and weights.period:
        with missing.leg("times"):
            found["period"] = dates.found(tx, asked.periods, where, depth=weights.during)
    context = around(tx, where, found, most=weights.beside)
    fitting: dict[int, float] = {}
    with missing.leg("times"):
        fitting = dates.fitting(tx, context.rows, asked, weights)
    scores = fuse(found, context, asked, parsed.words, weights, fitting)
    walked = graph.Walked(around=context, paths={})
    with missing.leg("graph"):
        walked = graph.walk(tx, scores, context, question, where, weights)
    prefer(scores, walked.around, question.prefer, weights)
    ranked = rank(scores, SPARE * limit + BATCH, walked.paths)
    ranked = [item for item in ranked if item.score >= question.min_score]
    settled = Settled(ranked=ranked, conflicts={})
    with missing.leg("graph"):
        settled = settle(tx, ranked, walked.around, where, words=parsed.words, by_date=not asked.periods)
    found_hits = hits(tx, settled.ranked, where, settled.conflicts, look.facts, missing)
    packed = pack(found_hits, words=parsed.words, budget=budget, limit=limit)
    others = {ref for leg, refs in found.items() if leg not in ("words", "newest") for ref in refs} & scores.sums.keys()
    total = look.total(_shown(packed, settled.ranked), others)
    if parsed.text and meaning is None:
        _tell_unused(tx, question, missing)
    coverage = _coverage(tx, packed, question, total=total, missing=missing.told)
    return Answer(
        question=parsed.text,
        hits=packed.hits,
        facts=_said(settled.ranked, look.facts, where),
        coverage=coverage,
        text=render(packed.blocks, coverage),
    )


def _said(ranked: Sequence[Ranked], said: Mapping[int, tuple[Fact, ...]], scope: Scope) -> tuple[Fact, ...]:
    """The facts that were asked for and hold, of what may be shown, each once: what is found first says it."""
    found: dict[tuple[str, str, str], Fact] = {}
    for item in ranked:
        for fact in said.get(item.ref, ()):
            if facts.holds(fact.superseded_at, scope):
                found.setdefault((fact.subject.casefold(), fact.predicate, fact.object.casefold()), fact)
    return tuple(found.values())


def _with_event(tx: Transaction, asked: Asks, where: Scope) -> Asks:
    """ "Before the migration": when what matches these words best says that it is, is the time that is named; else when
    that was said, if the question is surely about something that happened.
    """
    terms = parse(asked.event.text).terms if asked.event else None
    if asked.event is None or terms is None or not (terms.words or terms.grams):
        return asked
    found = legs.words(tx, search.expression(tx, terms), where, depth=1).scores
    rows = search.about(tx, where, refs=found) if found else []
    told = dates.shortest(search.named(tx, refs=[row["ref"] for row in rows])) if rows else None
    if told is not None:
        return dated(asked, first=told[0], until=told[1])
    if not rows or not asked.event.is_certain:
        return asked
    day = rows[0]["date"] // DAY_MS * DAY_MS
    return dated(asked, first=day, until=day + DAY_MS)


def _tell_unused(tx: Transaction, question: Question, missing: Missing) -> None:
    """Vectors that are here and cannot be compared with a question, for no embedder is chosen to embed it."""
    embedded = vectors.embedded(tx)
    if embedded:
        memories_are = "memory is" if embedded == 1 else "memories are"
        missing.tell(f"vectors (no embedder is set; {embedded:,} {memories_are} embedded)")


def _shown(packed: Packed, ranked: Sequence[Ranked]) -> set[int]:
    """The references of what is shown: the first of the order, as many as there are."""
    return {item.ref for item in ranked[: len(packed.hits)]}


class _Look:
    """Asks the legs, and keeps what is needed to say how many there are."""

    def __init__(self, tx: Transaction, where: Scope, weights: Weights, missing: Missing, *, depth: int) -> None:
        self._weights = weights
        self._tx = tx
        self._where = where
        self._depth = depth
        self._asked: Row | None = None
        self._total = 0
        self._brought: set[int] = set()
        self._missing = missing
        self.facts: Mapping[int, tuple[Fact, ...]] = {}

    def ask(self, parsed: Parsed, asked: Asks, question: Question, meaning: Meaning | None) -> dict[str, legs.Scores]:
        tx, where, depth, leg = self._tx, self._where, self._depth, self._missing.leg
        found: dict[str, legs.Scores] = {}
        if question.pinned:
            found["pinned"], hidden = legs.pinned(tx, question.pinned, where, depth=depth)
            for reason in hidden:
                self._missing.tell(reason)
        newest = self._newest(parsed, asked)
        if newest is not None:
            return found | {"newest": newest}
        with leg("words"):
            self._asked = search.expression(tx, parsed.terms)
            found["words"] = self._kept(legs.words(tx, self._asked, where, depth=depth))
        with leg("words"):
            found["quoted"] = legs.quoted(tx, parsed, where, depth=depth)
        with leg("ids"):
            found["id"] = legs.named(tx, parsed, where, depth=depth)
        with leg("names"):
            found["named"] = called(tx, parsed.text, where, most=self._weights.bearers)
        with leg("facts"):
            said = facts.asked(tx, parsed.text, where, depth=depth)
            found["facts"], self.facts = said.scores, said.facts
        if meaning is not None:
            for reason in meaning.missing:
                self._missing.tell(reason)
            with leg("vectors"):
                found["vectors"] = meaning.near(tx, where, depth=depth)
        return found

    def _newest(self, parsed: Parsed, asked: Asks) -> legs.Scores | None:
        """The newest, where that is all that is asked: of everything, or of one type; None where more is asked.

        What a question names a time for is found by the time.
        """
        if not parsed.text:
            return {} if asked.periods else self._kept(legs.newest(self._tx, self._where, depth=self._depth))
        typed = legs.typed(self._tx, asked.type, self._where, depth=self._depth) if asked.type else None
        return self._kept(typed) if typed and typed.scores else None

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
        pending=depth.pending + question.spooled,
        in_progress=depth.in_progress,
        failed=depth.failed,
        dead=depth.dead,
        oldest_pending_ms=None if depth.oldest is None else max(0, tx.now - depth.oldest),
        not_enriched=memories.not_enriched(tx),
        degraded=memories.degraded(tx),
        unavailable=missing,
        embedded=vectors.embedded(tx),
        unembedded=vectors.wanting(tx),
    )
