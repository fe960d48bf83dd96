"""Run all retrievers for a question, in one transaction. An unavailable retriever is recorded, and the others run."""

from __future__ import annotations

from itertools import chain

from jotsam.core.answers import Terms
from jotsam.core.records import Record
from jotsam.retrieval.search import text
from jotsam.retrieval.search.dates import by_dates
from jotsam.retrieval.search.facts import by_facts
from jotsam.retrieval.search.hints import by_hints
from jotsam.retrieval.search.ids import by_id, by_title, pinned
from jotsam.retrieval.search.text import Matches
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Protocol

    from jotsam.core.answers import Question
    from jotsam.core.records import Fact
    from jotsam.retrieval.question.parse import ParsedQuestion
    from jotsam.retrieval.rank.weights import Weights
    from jotsam.retrieval.search.failures import Failures
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.recall.search import Scope

    class VectorSearch(Protocol):
        """The question's embeddings, made before the transaction, because a model may take long."""

        @property
        def failures(self) -> tuple[str, ...]:
            """What could not be embedded, each with its reason."""
            ...

        def search(self, tx: Transaction, scope: Scope, *, limit: int) -> Mapping[int, float]:
            """The nearest memories within the scope, each above 0; more is nearer. Raises `JotsamError`."""
            ...

        def compare(self, tx: Transaction, refs: Collection[int]) -> Mapping[int, float]:
            """How near each of these memories is, 0 for too far; those without a vector are left out."""
            ...


MAX_OF_KINDS = 100  # texts with something of a kind


class Retrieved(Record):
    """The candidates of all retrievers, by reference."""

    candidates: Mapping[str, Mapping[int, float]]  # by retriever, as named in `Weights`
    matches: Matches  # of the text index; or the newest
    query: Row | None  # of the text index
    facts: Mapping[int, tuple[Fact, ...]]  # that match the question, most certain first
    kinds: frozenset[str] = frozenset()  # words by which it asks for something of a kind, such as "instrument"

    @property
    def of_kind(self) -> dict[int, frozenset[str]]:
        """The texts with something of a kind that is asked for, each with those words."""
        return dict.fromkeys(self.candidates.get("hyponyms", ()), self.kinds)


def retrieve(
    tx: Transaction,
    parsed: ParsedQuestion,
    question: Question,
    scope: Scope,
    *,
    vectors: VectorSearch | None,
    weights: Weights,
    failures: Failures,
) -> Retrieved:
    """Candidates from every retriever; if only the newest is asked for, the newest and those of a named time."""
    limit = max(weights.candidates, question.limit)
    candidates: dict[str, Mapping[int, float]] = {}
    if question.pinned:
        candidates["pinned"], notes = pinned(tx, question.pinned, scope, limit=limit)
        for note in notes:
            failures.note(note)
    newest = _newest(tx, parsed, scope, limit=limit)
    if newest is not None:
        found = Retrieved(candidates={"newest": newest.scores}, matches=newest, query=None, facts={})
    else:
        found = _search(tx, parsed, scope, weights=weights, failures=failures, limit=limit)
    candidates |= found.candidates
    if newest is None and weights.notes:
        from jotsam.retrieval.search.notes import by_notes  # no prompt's hook needs it

        with failures.of("notes"):
            candidates["notes"] = by_notes(tx, parsed.text, scope.project or question.prefer)
    if newest is None and vectors is not None:
        for failure in vectors.failures:
            failures.note(failure)
        with failures.of("vectors"):
            candidates["vectors"] = vectors.search(tx, scope, limit=limit)
    periods = parsed.intent.periods
    if periods and weights.period:
        with failures.of("dates"):
            candidates["period"] = by_dates(tx, periods, scope, limit=weights.per_period)
    return found.replace(candidates=candidates)


def _newest(tx: Transaction, parsed: ParsedQuestion, scope: Scope, *, limit: int) -> Matches | None:
    """The newest memories, or the newest of one type, if nothing else is asked; None otherwise.

    A question that consists of a time gets no newest memories, because the time finds its own.
    """
    if not parsed.text:
        return Matches(scores={}, total=0) if parsed.intent.periods else text.newest(tx, scope, limit=limit)
    typed = text.newest_of_type(tx, parsed.intent.type, scope, limit=limit) if parsed.intent.type else None
    return typed if typed and typed.scores else None


def _search(
    tx: Transaction, parsed: ParsedQuestion, scope: Scope, *, weights: Weights, failures: Failures, limit: int
) -> Retrieved:
    """Text, phrases, ids, titles, facts and hints."""
    candidates: dict[str, Mapping[int, float]] = {}
    matches, query = Matches(scores={}, total=0), None
    facts: Mapping[int, tuple[Fact, ...]] = {}
    with failures.of("text"):
        query = search.expression(tx, parsed.terms)
        matches = text.by_text(tx, query, scope, limit=limit, with_archived=True)
        candidates["text"] = matches.scores
        candidates["phrase"] = text.by_phrases(tx, parsed.phrases, scope, limit=limit)
    with failures.of("ids"):
        candidates["id"] = by_id(tx, parsed, scope, limit=limit)
    with failures.of("titles"):
        candidates["title"] = by_title(tx, parsed.titles, scope, max_same=weights.max_same_title)
    with failures.of("facts"):
        stated = by_facts(tx, parsed.facts, scope, limit=limit)
        candidates["facts"], facts = stated.scores, stated.facts
    with failures.of("hints"):
        candidates["hints"] = by_hints(tx, parsed.text, scope, limit=limit)
    kinds: frozenset[str] = frozenset()
    if weights.hyponyms:
        with failures.of("text"):
            kinds, candidates["hyponyms"] = _of_kinds(tx, parsed.text, scope)
    return Retrieved(candidates=candidates, matches=matches, query=query, facts=facts, kinds=kinds)


def _of_kinds(tx: Transaction, question: str, scope: Scope) -> tuple[frozenset[str], Mapping[int, float]]:
    """The words by which a question asks for something of a kind, and the texts that contain something of it."""
    from jotsam.retrieval.question.hyponyms import kinds_of  # no prompt's hook needs the list

    kinds = kinds_of(question)
    if not kinds:
        return frozenset(), {}
    words = tuple(dict.fromkeys(chain(*kinds.values())))
    found = text.by_text(tx, search.expression(tx, Terms(words=words)), scope, limit=MAX_OF_KINDS).scores
    return frozenset(kinds), dict.fromkeys(found, 1.0)
