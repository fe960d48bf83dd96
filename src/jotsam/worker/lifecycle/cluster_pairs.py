"""The first phase of `cluster`: for each memory those that are similar to it, and which of the two repeats the other.

The cost for each memory does not depend on how many there are: its nearest vectors, or the texts with its rarest words.
"""

from __future__ import annotations

import json

from jotsam.core.answers import Terms
from jotsam.pipeline.extraction.estimate_importance import estimate_importance
from jotsam.pipeline.likeness.repetition import Saying, says_the_same
from jotsam.pipeline.likeness.word_likeness import MIN_EQUAL, content_grams, content_words, likeness
from jotsam.storage.lifecycle import likeness as stored
from jotsam.storage.recall import search, vectors
from jotsam.worker.lifecycle.step import PART

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.recall.vector_index import Nearest
    from jotsam.worker.lifecycle.step import StepContext

LEAST_COSINE = 0.75
# Sets of words are less alike than vectors of the same texts.
LEAST_BY_WORDS = 0.5
TALK = 0.15  # estimated importance up to which a text is mere talk
NEAREST = 24  # similar memories of each one
RARE_WORDS = 6  # by which others are looked up
COMMON_FROM = 500  # texts with a word that is looked up only if there is no rarer one

# What is added to the likeness of a pair of which one says what the other says: the first or the second stays.
REPEATS_FIRST, REPEATS_SECOND = 2.0, 4.0
LEAST_REPETITION = 0.8


def find(context: StepContext, nearest: Nearest, *, after: int) -> tuple[dict[tuple[int, int], float], int, int | None]:
    """The pairs of the memories of a part, how many these are, and the last of them; None if none is left."""
    with context.database.snapshot(tenant=context.tenant) as tx:
        page = stored.page(tx, after=after, limit=PART)
        rows = {row["id"]: row for row in page}
        scores = _by_vectors(tx, nearest, rows)
        scores |= _by_words(tx, [row for row in page if row["id"] not in scores], rows)
        pairs = {}
        others = {other for near in scores.values() for other in near} - rows.keys()
        rows |= stored.some(tx, others)
        for number, near in scores.items():
            for other, score in near.items():
                if number != other and other in rows and rows[number]["project"] == rows[other]["project"]:
                    pairs[min(number, other), max(number, other)] = min(1.0, score)
        _mark_repetitions(tx, pairs, rows)
    is_talk = {number for pair in pairs for number in pair if _is_talk(rows[number])}
    pairs = {pair: score for pair, score in pairs.items() if score >= REPEATS_FIRST or is_talk.isdisjoint(pair)}
    return pairs, len(page), page[-1]["id"] if len(page) == PART else None


def _is_talk(row: Row) -> bool:
    """Whether a text states hardly anything, such as a greeting: texts like that are alike, and make no theme."""
    return estimate_importance(row["body"]) <= TALK


def _by_vectors(tx: Transaction, nearest: Nearest, rows: Mapping[int, Row]) -> dict[int, dict[int, float]]:
    """The nearest memories of those that have a vector; {} if vectors cannot be compared."""
    makers = vectors.embedders(tx)
    if not makers or not rows:
        return {}
    maker = makers[-1]
    found = dict(vectors.some(tx, maker=maker, refs=json.dumps([*rows])))
    near = nearest.alike(tx, [*found.values()], maker=maker, limit=NEAREST + 1, least=LEAST_COSINE)
    # Each finds itself, if anything is compared.
    return {number: some for number, some in zip(found, near, strict=True) if some}


def _by_words(tx: Transaction, page: Sequence[Row], rows: dict[int, Row]) -> dict[int, dict[int, float]]:
    """The memories that share most words with each of these. `rows` gets those that were compared."""
    terms = {row["id"]: _terms(row) for row in page}
    rarity = _rarity(tx, {word for words, _ in terms.values() for word in words.values()})
    asked: dict[int, list[int]] = {}
    for row in page:
        match = _match(tx, *terms[row["id"]], rarity)
        asked[row["id"]] = stored.sharing_words(tx, match, project=row["project"], limit=NEAREST + 1) if match else []
    rows |= stored.some(tx, {ref for refs in asked.values() for ref in refs} - rows.keys())
    sets = {number: frozenset((*words, *grams)) for number, (words, grams) in terms.items()}
    scores: dict[int, dict[int, float]] = {}
    for number, refs in asked.items():
        for ref in refs:
            if ref in rows and ref != number:
                if ref not in sets:
                    words, grams = _terms(rows[ref])
                    sets[ref] = frozenset((*words, *grams))
                score = likeness(sets[number], sets[ref])
                if score >= LEAST_BY_WORDS:
                    scores.setdefault(number, {})[ref] = score
    return scores


def _terms(row: Row) -> tuple[dict[str, str], frozenset[str]]:
    return content_words(row["body"]), content_grams(row["body"])


def _rarity(tx: Transaction, words: Iterable[str]) -> dict[str, int]:
    """How many texts have each word, counted up to `COMMON_FROM`."""
    asked = sorted(words)
    counts, _ = search.count_words(tx, asked, limit=COMMON_FROM) if asked else ([], 0)
    return dict(zip(asked, counts, strict=True))


def _match(tx: Transaction, words: Mapping[str, str], grams: Iterable[str], rarity: Mapping[str, int]) -> str:
    """The expression that finds the texts with one of the rarest words of a text; "" if it has too few."""
    pairs = sorted(grams)
    if len(words) + len(pairs) < MIN_EQUAL:
        return ""
    shared = sorted((rarity[word], word) for word in words.values() if rarity[word] > 1)
    rare = [word for count, word in shared if count < COMMON_FROM][:RARE_WORDS] or [word for _, word in shared[:2]]
    if not rare and not pairs:
        return ""
    found = search.expression(tx, Terms(words=tuple(rare), grams=tuple(pairs[:: max(1, len(pairs) // RARE_WORDS)])))
    return str(found["match"])


def _mark_repetitions(tx: Transaction, pairs: dict[tuple[int, int], float], rows: Mapping[int, Row]) -> None:
    for (first, second), score in pairs.items():
        if score >= LEAST_REPETITION and repeats(tx, rows[first], rows[second]):
            stays = survivor(rows[first], rows[second])
            pairs[first, second] = score + (REPEATS_FIRST if stays == first else REPEATS_SECOND)


def repeats(tx: Transaction, one: Row, other: Row) -> bool:
    """Whether one of two current memories is enough. Chunks of documents are left alone: a newer version of their
    document replaces them, and what was merged into them would be hidden with them.
    """
    same = ("project", "valid_from", "valid_until")
    if one["document_id"] is not None or other["document_id"] is not None:
        return False
    if any(one[name] != other[name] for name in same) or None is not one["type"] != other["type"] is not None:
        return False
    if not says_the_same(_saying(one), _saying(other)) or stored.are_opposed(tx, one["id"], other["id"]):
        return False
    dates = stored.dates(tx, (one["id"], other["id"]))
    return dates.get(one["id"]) == dates.get(other["id"])


def _saying(row: Row) -> Saying:
    return Saying(text=row["body"], actor=row["actor"], session=row["session"], at=row["at"])


def survivor(one: Row, other: Row) -> int:
    """Which of two stays: the more important, then the more certain, then the one that was said first.

    The first one, because what is said again later then changes nothing about it, and its links and ids stay in use.
    """
    return int(min((one, other), key=_rank)["id"])


def _rank(row: Row) -> tuple[float, float, int, int]:
    importance, confidence = row["importance"], row["confidence"]
    return (
        -(0.5 if importance is None else importance),
        -(0.5 if confidence is None else confidence),
        row["at"],
        row["id"],
    )
