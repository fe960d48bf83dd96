"""Reads what a model is given along with the text of a memory: where it is from, the turns before, and the earlier
memories that it may replace.

All of it was stored before the memory, and does not depend on how often words occur. So the prompt is the same when the
memory is read again, and its cached reply is used.
"""

from __future__ import annotations

import json
from math import sqrt

from jotsam.core.answers import Terms
from jotsam.pipeline.dates.iso import format_day
from jotsam.pipeline.likeness.word_likeness import content_grams, content_words
from jotsam.pipeline.llm.prompt import Context, EarlierText, TurnBefore
from jotsam.storage.memories import changes, memories
from jotsam.storage.recall import search
from jotsam.worker.enrichment.changes import MAX_OLDER_CHARACTERS, are_comparable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

MAX_TURNS = 3  # before the text
MAX_EARLIER = 5
MAX_WORDS, PER_WORD = 16, 20  # words that are searched, the longest, and the latest memories with each
LEAST_ALIKE = 0.25  # cosine of the content words
ID_CHARACTERS = 8  # as everywhere


def read_context(tx: Transaction, row: Row) -> Context:
    """The context of a memory for the prompt."""
    before = [] if row["session"] is None else memories.turns_before(tx, row, limit=MAX_TURNS)
    return Context(
        source=row["source"] or "",
        section=row["section"] or "",
        date="" if row["said_at"] is None else format_day(row["said_at"]),
        actor=row["actor"] or "",
        turns=tuple(TurnBefore(actor=turn["actor"] or "", text=turn["body"]) for turn in before),
        earlier=tuple(
            EarlierText(
                id=one["uuid"][:ID_CHARACTERS],
                text=one["body"],
                memory=one["id"],
                date=format_day(one["date"]).partition(" ")[0],
                actor=one["actor"],
                is_chunk=one["document_id"] is not None,
            )
            for one in _candidates(tx, row)
        ),
    )


def _candidates(tx: Transaction, row: Row) -> list[Row]:
    """The memories of the same project, said and stored before one, that are most like it by their words."""
    own = _words(row["body"])
    found: dict[str, tuple[float, Row]] = {}
    for other in _sharing_words(tx, row).values():
        theirs = _words(other["body"])
        alike = len(own & theirs) / sqrt(len(own) * len(theirs)) if theirs else 0.0
        if alike >= LEAST_ALIKE:
            found.setdefault(other["uuid"][:ID_CHARACTERS], (alike, other))
    best = sorted(found.values(), key=lambda one: (-one[0], -one[1]["id"]))
    return [other for _, other in best[:MAX_EARLIER]]


def _sharing_words(tx: Transaction, row: Row) -> dict[int, Row]:
    words = sorted(content_words(row["body"]).values(), key=lambda word: (-len(word), word))[:MAX_WORDS]
    grams = sorted(content_grams(row["body"]))[:MAX_WORDS]
    asked = search.expression(tx, Terms(words=tuple(words), grams=tuple(grams)))
    at = row["created_at"] if row["said_at"] is None else row["said_at"]
    place = {"project": row["project"], "at": at, "below": row["id"], "limit": PER_WORD}
    rows = {one["id"]: one for term in json.loads(asked["terms"]) for one in changes.holding(tx, parts=[term], **place)}
    return {id: one for id, one in rows.items() if _may_be_replaced(row, one)}


def _may_be_replaced(row: Row, older: Row) -> bool:
    is_replaced = older["superseded_by"] is not None and older["superseded_by"] < row["id"]
    is_short = len(older["body"]) <= MAX_OLDER_CHARACTERS
    return are_comparable(row, older) and is_short and not is_replaced and older["body"] != row["body"]


def _words(text: str) -> frozenset[str]:
    return content_grams(text).union(content_words(text))
