"""Recall: from a question to an answer that says what it covers. Everything is read in the one snapshot given."""

from __future__ import annotations

import json

from jotsam.errors import InvalidInput
from jotsam.records import QUEUES, Answer, Coverage, Hit
from jotsam.retrieval import legs
from jotsam.retrieval.fuse import fuse
from jotsam.retrieval.pack import pack
from jotsam.retrieval.parse import parse
from jotsam.retrieval.render import render
from jotsam.retrieval.weights import WEIGHTS, Weights
from jotsam.storage import documents, queue, search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jotsam.records import Question
    from jotsam.retrieval.fuse import Ranked
    from jotsam.retrieval.legs import Scope
    from jotsam.retrieval.pack import Packed
    from jotsam.retrieval.parse import Parsed
    from jotsam.storage.database import Row, Transaction

    Legs = Mapping[str, legs.Scores]

DEPTH = 200
BATCH = 25
TOKENS = (20, 200_000)
LIMIT = (1, 1_000)
MOST_TAGS = 100


def recall(tx: Transaction, question: Question, *, weights: Weights = WEIGHTS) -> Answer:
    """The best hits within the budget, and what they cover. Writes nothing.

    A question without words gets the newest memories, of those with one of its tags. Raises `InvalidInput`.
    """
    scope = _scope(question)
    tx.enter(scope.tenant)
    budget, limit = _within("tokens", question.tokens, TOKENS), _within("limit", question.limit, LIMIT)
    parsed = parse(_text("question", question.text))
    asked = search.expression(tx, parsed.terms) if parsed.text else None
    found = _ask(tx, parsed, asked, scope, depth=max(DEPTH, limit))
    packed = pack(_hits(tx, fuse(found), scope), words=parsed.words, budget=budget, limit=limit)
    total = _total(tx, asked, scope, found)
    coverage = _coverage(tx, packed, question, budget=budget, total=total)
    return Answer(question=parsed.text, hits=packed.hits, coverage=coverage, text=render(packed.blocks, coverage))


def _ask(tx: Transaction, parsed: Parsed, asked: Row | None, scope: Scope, *, depth: int) -> Legs:
    if asked is None:
        return {"newest": legs.newest(tx, scope, depth=depth)}
    return {"words": legs.words(tx, asked, scope, depth=depth), "id": legs.named(tx, parsed, scope, depth=depth)}


def _total(tx: Transaction, asked: Row | None, scope: Scope, found: Legs) -> int:
    """How many there are, however deep the legs looked: all that share words, and what is only named."""
    within = scope.as_dict()
    if asked is None:
        return search.current(tx, **within)
    total = search.total(tx, asked=asked, **within)
    named = [row["ref"] for row in search.rows(tx, refs=json.dumps([*found["id"]]), **within)] if found["id"] else []
    return total + len(search.unmatched(tx, asked=asked, refs=json.dumps(named)))


def _hits(tx: Transaction, ranked: Sequence[Ranked], scope: Scope) -> Iterator[Hit]:
    """The hits with their whole text, best first, loaded as they are taken."""
    for start in range(0, len(ranked), BATCH):
        some = ranked[start : start + BATCH]
        rows = search.rows(tx, refs=json.dumps([item.ref for item in some]), **scope.as_dict())
        known = {row["ref"]: row for row in rows}
        yield from (_hit(tx, item, known[item.ref], scope.tenant) for item in some if item.ref in known)


def _hit(tx: Transaction, item: Ranked, row: Row, tenant: str) -> Hit:
    document = documents.by_number(tx, tenant=tenant, number=-item.ref) if item.ref < 0 else None
    return Hit(
        kind="memory" if document is None else "document",
        id=row["uuid"],
        text=row["body"] if document is None else document["body"],
        whole=True,
        score=item.score,
        scores=item.scores,
        source=row["source"],
        section=row["section"],
        project=row["project"],
        date=row["date"],
        actor=row["actor"],
        own_id=row["own_id"],
        tags=tuple(json.loads(row["tags"])),
    )


def _coverage(tx: Transaction, packed: Packed, question: Question, *, budget: int, total: int) -> Coverage:
    depth = queue.depth(tx, queues=QUEUES, tenant=question.tenant)
    return Coverage(
        returned=len(packed.hits),
        total=total,
        tokens=packed.tokens,
        budget=budget,
        more=packed.more,
        pending=depth.pending + question.set_aside,
        in_progress=depth.in_progress,
        failed=depth.failed,
        dead=depth.dead,
        oldest_pending_ms=None if depth.oldest is None else max(0, tx.now - depth.oldest),
    )


def _scope(question: Question) -> Scope:
    tenant = _text("tenant", question.tenant)
    if not tenant:
        raise InvalidInput("tenant is empty: give the name of a tenant")
    project = None if question.project is None else _text("project", question.project)
    return legs.Scope(tenant=tenant, project=project or None, tags=_tags(question.tags))


def _tags(tags: object) -> str | None:
    if not isinstance(tags, tuple | list) or len(tags) > MOST_TAGS:
        raise InvalidInput(f"tags is {str(tags)[:60]!r}: give a list of at most {MOST_TAGS} tags")
    asked = [_text("tag", tag) for tag in tags]
    if not all(asked):
        raise InvalidInput(f"tags is {tags!r}: a tag has at least one visible character")
    return json.dumps(asked) if asked else None


def _text(name: str, value: object) -> str:
    """A text that a database can be asked for. What none can store is found nowhere, and so replaced."""
    if not isinstance(value, str):
        raise InvalidInput(f"{name} is {value!r}: give a str")
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "\ufffd").strip()


def _within(name: str, value: object, limits: tuple[int, int]) -> int:
    low, high = limits
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InvalidInput(f"{name} is {value!r}: give a whole number from {low:,} to {high:,}")
    return value
