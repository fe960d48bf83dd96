"""The leg of facts: what memories say as triples, where a question names enough of one for it to be the answer.

One part alone is no match: whoever asks about Ann names a hundred facts. Two of the three parts are, and so is the
whole subject where it has several words ("billing service"). What more facts say counts less for each, as with the
entities of `graph`. It must not rank against another leg.
"""

from __future__ import annotations

from collections import Counter
from math import log

from jotsam.core.records import Fact, Record
from jotsam.pipeline.facts.predicates import predicates_in_question as named_predicates
from jotsam.pipeline.text.words import STOP_WORDS, bigrams
from jotsam.storage import facts as room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.search import Scope

LONGEST = 1_000
MOST_WORDS = 40
"""A question longer than this is something pasted, and what it asks stands at its beginning."""

LONGEST_KEY = 5
LONGEST_UNSPACED = 8
MOST_UNSPACED = 24
"""So many words, or characters of a script without spaces, a subject or object may have to be found in a question; and
so many characters of a run of such a script are looked at."""

STRENGTH = {
    (True, True, True): 1.0,
    (True, True, False): 1.0,  # "where does Ann live": the object is what is asked for
    (False, True, True): 1.0,  # "who works at Acme": the subject is
    (True, False, True): 0.8,  # "what has Ann to do with Acme"
    (True, False, False): 0.4,  # "what about the billing service": only for a subject of several words
}
"""How strongly a fact matches whose subject, predicate and object are named or not."""

_EDGES = "\"'`“”‘’«»「」()[]{}<>.,;:!?…，。；：！？、*"


class Said(Record):
    """Scores by reference, and the facts that speak for each, the surest first."""

    scores: Mapping[int, float]
    facts: Mapping[int, tuple[Fact, ...]]


def asked(tx: Transaction, question: str, scope: Scope, *, depth: int) -> Said:
    """What says facts that the question asks for, at most `depth` of them. A score is at most 1.

    Facts that have ended are among them, and give no score.
    """
    names = predicates_in_question(question)
    rows = room.named(tx, names, scope._values(), limit=depth) if names.keys else []
    often = Counter(_parts(row, names) for row in rows)
    scores: dict[int, float] = {}
    said: dict[int, list[Fact]] = {}
    for row in rows:
        parts = _parts(row, names)
        strength = STRENGTH[tuple(part is not None for part in parts)] / (1 + log(often[parts]))  # type: ignore[index]
        if holds(row["superseded_at"], scope):
            scores[row["ref"]] = max(scores.get(row["ref"], 0.0), row["confidence"] * strength)
        said.setdefault(row["ref"], []).append(Fact(**{field: row[field] for field in Fact._fields}))
    return Said(
        scores=scores,
        facts={ref: tuple(sorted(each, key=lambda fact: -fact.confidence)) for ref, each in said.items()},
    )


def holds(superseded_at: int | None, scope: Scope) -> bool:
    """Whether nothing holds in its place; what is over speaks for nothing, and is told where its memory is shown."""
    return superseded_at is None or superseded_at > scope.at or bool(scope.history)


def predicates_in_question(question: str) -> room.Asked:
    """What a question names that may be a part of a fact: runs of its words, and known predicates."""
    pieces = question[:LONGEST].casefold().split()[:MOST_WORDS]
    words = [bare for piece in pieces if (bare := _bare(piece))]
    runs = {run for word in words for run in _unspaced(word)}
    keys = {*_phrases(words), *runs}
    return room.Asked(
        keys=frozenset(keys),
        phrases=frozenset(key for key in keys if " " in key),
        predicates=named_predicates(words).union(*(named_predicates([run]) for run in runs)),
    )


def _parts(row: Row, names: room.Asked) -> tuple[str | None, str | None, str | None]:
    """Subject, predicate and object, as far as the question names them."""
    return (
        row["subject_key"] if row["subject_key"] in names.keys else None,
        row["predicate"] if row["predicate"] in names.predicates else None,
        row["object_key"] if row["object_key"] in names.keys else None,
    )


def _bare(piece: str) -> str:
    """A word without the marks around it, and without the s of a possessive."""
    return piece.strip(_EDGES).removesuffix("'s").removesuffix("’s")


def _phrases(words: Sequence[str]) -> Iterator[str]:
    """Every run of a few words that begins and ends with one that says something."""
    for start, first in enumerate(words):
        if first in STOP_WORDS:
            continue
        for end in range(start + 1, min(len(words), start + LONGEST_KEY) + 1):
            if words[end - 1] not in STOP_WORDS:
                yield " ".join(words[start:end])


def _unspaced(word: str) -> Iterator[str]:
    """Every short run of two characters or more of a word in a script without spaces."""
    if not bigrams(word):
        return
    for start in range(min(len(word), MOST_UNSPACED)):
        for end in range(start + 2, min(len(word), start + LONGEST_UNSPACED) + 1):
            yield word[start:end]
