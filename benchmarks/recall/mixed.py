"""Whether a text is found equally well as a single memory among documents and inside its own document.

Every second document is stored whole; of the others each chunk is stored as a single memory. Then the same the other
way round, so that each question asks for the same text once in each way. A question is made of words of that text,
drawn by their rarity, and of words from elsewhere in its document. The other side is text search alone.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

import jotsam
from benchmarks.corpus import documents, shape
from benchmarks.plan import Plan, main
from benchmarks.report import Bound, Report, Table, number
from jotsam.core.answers import Question
from jotsam.pipeline.extraction.chunk import chunk
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.retrieval.answer import recall
from jotsam.retrieval.rank.weights import WEIGHTS, Weights

OURS, WORDS = "recall", "text alone"
WITHIN, ALONE = "within its document", "alone"
OWN, ELSEWHERE = 3, 1
LEAST_CHARACTERS, LEAST_WORDS = 250, 12
SHOWN = 80
DEPTH = 50
LEAST = 0.9

_WORD = re.compile(r"[^\W\d]{3,}")


@dataclass(frozen=True)
class Asked:
    """A question, and the text that it asks for."""

    text: str
    question: str
    path: str


def measure(plan: Plan) -> Report:
    pieces = {path: [piece.text for piece in chunk(text)] for path, text in documents(plan.documents).items()}
    asked = [*_questions(pieces, each=plan.of(full=3, quick=1))]
    ranks: dict[tuple[str, str], list[int]] = {}
    for turn in (0, 1):
        whole = {*[*pieces][turn::2]}
        with jotsam.Jotsam(str(plan.folder / f"{turn}.db"), worker="off") as jot:
            _fill(jot, pieces, whole)
            for one in asked:
                place = WITHIN if one.path in whole else ALONE
                for side, weights in ((OURS, WEIGHTS), (WORDS, _words_alone())):
                    ranks.setdefault((side, place), []).append(_rank(jot, one, weights))
    rows = [(side, place, *(number(value) for value in _figures(ranks[side, place]))) for side, place in ranks]
    found = {place: _figures(ranks[OURS, place])[2] for place in (WITHIN, ALONE)}
    return Report(
        tables=[
            Table(
                caption="Rank of the text that was asked for, in percent.",
                columns=("side", "stored as", "R@1", "R@5", "R@10", "MRR"),
                rows=sorted(rows, reverse=True),
            )
        ],
        bounds=[
            Bound(
                promise="R@10 of single memories, against chunks of documents",
                measured=found[ALONE] / found[WITHIN],
                limit=LEAST,
                at_least=True,
            )
        ],
        conditions=(shape(plan.documents), f"{len(asked)} questions of {OWN + ELSEWHERE} words, {ELSEWHERE} elsewhere"),
    )


def _fill(jot: jotsam.Jotsam, pieces: dict[str, list[str]], whole: set[str]) -> None:
    for path, texts in pieces.items():
        if path in whole:
            jot.add("".join(texts), source=path)
        else:
            for text in filter(str.strip, texts):
                jot.remember(text)
    jot.work()


def _questions(pieces: dict[str, list[str]], each: int) -> Iterator[Asked]:
    """At most `each` of a document, the same every time."""
    chance = random.Random(1)
    among = Counter(word for texts in pieces.values() for text in texts for word in {*_words(text)})
    every = sum(map(len, pieces.values()))
    for path, texts in pieces.items():
        good = [text for text in texts if len(text) > LEAST_CHARACTERS and len({*_words(text)}) > LEAST_WORDS]
        everywhere = _words(" ".join(texts))
        for text in chance.sample(good, min(each, len(good))):
            counts = Counter(_words(text))
            tells = [count**0.5 * log(1 + every / among[word]) for word, count in counts.items()]
            words = [*chance.choices([*counts], tells, k=OWN), *chance.choices(everywhere, k=ELSEWHERE)]
            yield Asked(text, " ".join(chance.sample(words, len(words))), path)


def _words(text: str) -> list[str]:
    return [word for word in map(str.lower, _WORD.findall(text)) if word not in STOP_WORDS]


def _rank(jot: jotsam.Jotsam, asked: Asked, weights: Weights) -> int:
    """Where the text stands in the answer, from 1; 0 if it does not."""
    question = Question(text=asked.question, tenant=jot.settings.tenant, tokens=200_000, limit=DEPTH)
    with jot.database.snapshot() as tx:
        hits = recall(tx, question, weights=weights).hits
    begins = _flat(asked.text)[:SHOWN]
    return next((rank for rank, hit in enumerate(hits, 1) if begins in _flat(hit.text)), 0)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _words_alone() -> Weights:
    names = ("vectors", "passage", "title", "facts", "period", "mention", "latest", "shared_entity", "mentioned_title")
    return WEIGHTS.replace(chunk=1.0, **dict.fromkeys(names, 0.0))


def _figures(ranks: Sequence[int]) -> tuple[float, float, float, float]:
    within = [100 * sum(0 < rank <= most for rank in ranks) / len(ranks) for most in (1, 5, 10)]
    return within[0], within[1], within[2], 100 * sum(1 / rank for rank in ranks if rank) / len(ranks)


if __name__ == "__main__":
    main(measure, __doc__)
