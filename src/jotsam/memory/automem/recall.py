"""Recall for AutoMem's clients, with what `Jotsam.recall` does not have: several questions, orders, pages, preferences.

Each question is answered by our recall, all from one snapshot. This module merges the answers, and does not know how a
question is answered.
"""

from __future__ import annotations

import re

from jotsam.core.answers import Question
from jotsam.core.names import FOUND_LINK_TYPES
from jotsam.core.records import Record
from jotsam.ingest import spool
from jotsam.memory import allowed_options
from jotsam.memory.reading.listing import stored
from jotsam.memory.reading.show import neighbour
from jotsam.retrieval.answer import recall as answer
from jotsam.retrieval.question.scope import time_range, validated
from jotsam.retrieval.question.terms import search_terms
from jotsam.retrieval.rank.weights import chosen_weights
from jotsam.storage.graph import graph
from jotsam.storage.memories import selection
from jotsam.storage.recall import summaries
from jotsam.storage.transfer import exports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from jotsam.core.answers import Answer, Coverage, Hit
    from jotsam.core.records import Neighbour, StoredMemory
    from jotsam.memory.api.client import Jotsam
    from jotsam.storage.database import Row, Transaction

    Each = Callable[[Callable[[Question], Question]], list[Answer]]

SCORE, TIME_DESC, TIME_ASC, UPDATED_DESC, UPDATED_ASC = ORDERS = (
    *("score", "time_desc", "time_asc", "updated_desc", "updated_asc"),
)
MAX_LIMIT, MAX_OFFSET, MAX_QUERIES = 200, 500, 10
PRECEDED_BY = "PRECEDED_BY"  # the order of turns and chunks
TOKENS, HIT_TOKENS = 200_000, 100  # texts are read from the memories, so an excerpt is enough
SPARE = 3  # hits that are ranked again or sorted, per result
ALL = 1_000  # hits of a question without words that are sorted
PREFERRED = 0.2  # of the best score: added to what the client prefers
MIN_PART = 2  # words of a part of a question
_PARTS = re.compile(r"[?!;\n]+|[.](?=\s|$)|,?\s+(?:and|und|et)\s+|，|。|？", re.IGNORECASE)
_NAMES = re.compile(r"(?<![.?!]\s)(?<!^)\b[A-Z][\w'’-]*[a-z][\w'’-]*(?:\s+[A-Z][\w'’-]+)*")


class RecallRequest(Record):
    """What is asked. `options` are those of `Jotsam.recall`."""

    query: str = ""
    queries: tuple[str, ...] = ()
    decompose: bool = False  # ask the parts of the question too
    limit: int = 5
    per_query: int | None = None  # hits of each of several questions; None: `limit`
    offset: int = 0
    order: str = SCORE
    newest: bool = False  # of similar hits the newer first
    outside: bool = False  # fill up with results without the tags
    prefer_tags: tuple[str, ...] = ()
    prefer_types: tuple[str, ...] = ()
    links: int = 0  # of each result
    explain: bool = False  # list what is hidden because it is not valid now
    tokens: int = TOKENS  # budget of each answer
    hit_tokens: int | None = HIT_TOKENS
    options: Mapping[str, Any] = {}  # Records are frozen.


class Result(Record):
    """One result. `memory` is None for a document that is not split into memories yet."""

    id: str
    hit: Hit
    memory: StoredMemory | None
    score: float
    scores: Mapping[str, float]
    links: tuple[tuple[Neighbour, StoredMemory], ...] = ()  # each with the memory at its other end
    is_outside: bool = False  # it has none of the tags


class Hidden(Record):
    """A memory that matches and is not shown."""

    id: str
    reason: str  # superseded, expired, not_yet_valid
    replaced_by: str | None = None


class RecallResult(Record):
    """The results and how they were found."""

    results: tuple[Result, ...]
    coverage: Coverage  # of the first question; `total` is the highest of all
    footer: str  # the same in words, of the last question
    queries: tuple[str, ...]
    words: tuple[str, ...]  # of the first question
    period: tuple[int | None, int | None]
    duplicates: int  # hits of several questions
    hidden: tuple[Hidden, ...]
    is_by_vectors: bool
    is_preferred: bool  # a result has one of the preferred tags or types


def search(jot: Jotsam, wanted: RecallRequest) -> RecallResult:
    """Answer every question from one snapshot, and merge the answers. Raises `InvalidInput`."""
    queries = questions(wanted)
    asked = [_question(jot, wanted, query, several=len(queries) > 1) for query in queries]
    pairs = [(one, jot._embed_question(one.text)) for one in asked]
    weights = chosen_weights(jot.settings)

    def of(tx: Transaction) -> RecallResult:
        def each(change: Callable[[Question], Question]) -> list[Answer]:
            return [answer(tx, change(one), question_vectors=vector, weights=weights) for one, vector in pairs]

        return _merged(tx, wanted, asked, each)

    found = jot._search(of)
    jot._recall_counter.add(jot.settings.tenant, [one.id for one in found.results if one.memory])
    return found


def _merged(tx: Transaction, wanted: RecallRequest, asked: Sequence[Question], each: Each) -> RecallResult:
    """`each` answers all questions, each of them changed."""
    queries = [one.text for one in asked]
    answers = each(lambda one: one)
    ranked = _ranked(wanted, answers)
    if wanted.order in (UPDATED_DESC, UPDATED_ASC):
        loaded = _loaded(tx, ranked, links=0)
        ranked = sorted(loaded, key=_updated_at, reverse=wanted.order == UPDATED_DESC)
    page = ranked[wanted.offset : wanted.offset + wanted.limit]
    if wanted.outside and len(page) < wanted.limit and asked[0].tags and queries[0]:
        more = _ranked(wanted, each(lambda one: one.replace(tags=())))
        known = {one.id for one in ranked}
        page += [one.replace(is_outside=True) for one in more if one.id not in known][: wanted.limit - len(page)]
    hidden: tuple[Hidden, ...] = ()
    if wanted.explain and not asked[0].history:
        hidden = _hidden(each(lambda one: one.replace(history=True)), shown=ranked, now=tx.now)
    results = _loaded(tx, page, links=wanted.links)
    period = time_range(tx, validated(asked[0]))
    hits = [hit for one in answers for hit in one.hits if hit.path != (summaries.SUMMARIZES,)]
    return RecallResult(
        results=results,
        coverage=answers[0].coverage.replace(total=max(one.coverage.total for one in answers)),
        footer=answers[-1].text.rpartition("\n")[2],
        queries=tuple(queries),
        words=search_terms(queries[0]).words,
        period=period,
        duplicates=len(hits) - len(ranked),
        hidden=hidden,
        is_by_vectors=any(hit.scores.get("vectors") for hit in hits),
        is_preferred=any(_is_preferred(one.hit, wanted) for one in results),
    )


def questions(wanted: RecallRequest) -> list[str]:
    """The questions to ask, each once: a question before its parts."""
    found = [text for text in (wanted.query, *wanted.queries) if text.strip()]
    if wanted.decompose and len(found) == 1:
        found += _parts(found[0])
    return list(dict.fromkeys(found))[:MAX_QUERIES] or [""]


def is_time(text: str, *, now: int) -> bool:
    """Whether a text names a time."""
    from jotsam.pipeline.dates.parse_dates import find_dates  # slow to import

    return bool(find_dates(text, said_at=now, limit=1))


def _parts(question: str) -> list[str]:
    """Sentences and clauses of a question, and the names in it."""
    parts = [part.strip() for part in _PARTS.split(question)]
    clauses = [part for part in parts if part != question.strip(" ?.!") and len(part.split()) >= MIN_PART]
    return [*clauses, *_NAMES.findall(question)]


def _question(jot: Jotsam, wanted: RecallRequest, query: str, *, several: bool) -> Question:
    each = wanted.per_query if several and wanted.per_query else wanted.limit + wanted.offset
    sorts = wanted.order != SCORE
    if sorts or wanted.newest or wanted.prefer_tags or wanted.prefer_types:
        each = ALL if sorts and not query else min(ALL, max(50, SPARE * each))
    asked = Question(
        text=query,
        tenant=jot.settings.tenant,
        tokens=wanted.tokens,
        hit_tokens=wanted.hit_tokens,
        limit=each,
        spooled=len(spool.waiting(jot.database.url)),
        **allowed_options.recall_fields({"min_score": 0.0, **wanted.options}, prefer=jot.settings.project or None),
    )
    return jot._of_projects(asked)


def _ranked(wanted: RecallRequest, answers: Sequence[Answer]) -> list[Result]:
    """The hits of all answers, each once with its best score, in the wanted order."""
    best: dict[str, Hit] = {}
    for hit in (hit for one in answers for hit in one.hits if hit.path != (summaries.SUMMARIZES,)):
        id = _id(hit)
        if id not in best or hit.score > best[id].score:
            best[id] = hit
    top = max((hit.score for hit in best.values()), default=0.0)
    dates = [hit.date for hit in best.values() if hit.date is not None]
    results = []
    for id, hit in best.items():
        more = {}
        if wanted.newest and hit.date is not None and max(dates) > min(dates):
            more["temporal"] = PREFERRED * top * (hit.date - min(dates)) / (max(dates) - min(dates))
        if _is_preferred(hit, wanted):
            more["context"] = PREFERRED * top
        scores = {**hit.scores, **more}
        results.append(Result(id=id, hit=hit, memory=None, score=hit.score + sum(more.values()), scores=scores))
    if len(answers) > 1 or wanted.newest or wanted.prefer_tags or wanted.prefer_types:
        # Rounded as in a reply: what differs by a rounding error is equal, and then the newer one comes first.
        results.sort(key=lambda one: (round(one.score, 4), one.hit.date or 0), reverse=True)
    if wanted.order in (TIME_DESC, TIME_ASC):
        results.sort(key=lambda one: one.hit.date or 0, reverse=wanted.order == TIME_DESC)
    return results


def _is_preferred(hit: Hit, wanted: RecallRequest) -> bool:
    tags, types = ({name.lower() for name in names} for names in (wanted.prefer_tags, wanted.prefer_types))
    return (hit.type or "").lower() in types or any(tag.lower() in tags for tag in hit.tags)


def _hidden(answers: Sequence[Answer], *, shown: Sequence[Result], now: int) -> tuple[Hidden, ...]:
    """The hits that are hidden because they are not valid now."""
    known, found = {one.id for one in shown}, {}
    for hit in (hit for one in answers for hit in one.hits):
        if _id(hit) not in known and (reason := _reason(hit, now)):
            found[_id(hit)] = Hidden(id=_id(hit), reason=reason, replaced_by=hit.superseded_by)
    return tuple(found.values())


def _reason(hit: Hit, now: int) -> str | None:
    if hit.valid_from is not None and hit.valid_from > now:
        return "not_yet_valid"
    if hit.superseded_at is not None or hit.superseded_by is not None:
        return "superseded"
    return "expired" if hit.valid_until is not None and hit.valid_until <= now else None


def _loaded(tx: Transaction, page: Iterable[Result], *, links: int) -> tuple[Result, ...]:
    """The results with their memories and links."""
    results = tuple(page)
    numbers = exports.numbers(tx, "memory", [one.id for one in results])
    near = {number: _near(tx, number, links) for number in numbers.values()} if links else {}
    ends = exports.numbers(tx, "memory", [row["uuid"] for rows in near.values() for row in rows]) if links else {}
    rows = selection.rows(tx, {*numbers.values(), *ends.values()})
    found = {uuid: stored(*rows[number]) for uuid, number in (*ends.items(), *numbers.items()) if number in rows}
    loaded = []
    for one in results:
        linked = [row for row in near.get(numbers.get(one.id, 0), ()) if row["uuid"] in found]
        pairs = tuple((neighbour(row), found[row["uuid"]]) for row in linked)
        loaded.append(one.replace(memory=found.get(one.id), links=pairs))
    return tuple(loaded)


def _near(tx: Transaction, number: int, links: int) -> list[Row]:
    """The strongest links of a memory, without those that tell the order and those that `creative` found."""
    near = [row for row in graph.neighbours(tx, number) if row["type"] not in (PRECEDED_BY, *FOUND_LINK_TYPES)]
    near.sort(key=lambda row: -row["weight"])
    return near[:links]


def _updated_at(one: Result) -> int:
    return 0 if one.memory is None else one.memory.changed_at or one.memory.created_at


def _id(hit: Hit) -> str:
    """The memory of a hit; a document that is not split yet is its own."""
    return hit.facts[0].memory if hit.kind == "fact" else hit.id
