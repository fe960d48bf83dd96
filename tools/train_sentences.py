"""Trains the models of what a sentence is, and writes their weights.

    python -m tools.train_sentences               writes src/jotsam/pipeline/notes/*.bin
    python -m tools.train_sentences world.bin     writes this one only
    python -m tools.train_sentences --left-out    writes nothing, and says how they do on an author who did not teach

The examples are in tools/sentences: `messages_*.jsonl` of users, a file an author, each message with what the assistant
said before it; `said.txt` of users, single sentences; `answers_*.jsonl` and `told.txt` of assistants;
`exchanges_*.jsonl` of both, each message with the answer to it; and `prompts.txt` of users, what begins a session. The
same give the same weights. In `messages_9` and later, and in `answers_*`, kinds are about as frequent as in everyday
work, where one sentence of a hundred is an order for good; in the others one of four is, so that a model learns what
orders are.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import mul
from pathlib import Path
from struct import pack

from jotsam.core.records import Record
from jotsam.pipeline.notes import prompt_model
from jotsam.pipeline.notes.model_weights import CHECKSUM, SIZE, STEP, number_of
from jotsam.pipeline.notes.prompt_model import WORLD
from jotsam.pipeline.notes.sentence_model import (
    ALWAYS,
    DECIDES,
    HOLDS,
    OFFERS,
    ORDERS,
    PERSONS,
    VECTOR_FORMAT,
    Setting,
    around,
    features,
)
from jotsam.pipeline.notes.word_vectors import SIZE as NUMBERS
from jotsam.pipeline.notes.word_vectors import vector
from jotsam.pipeline.notes.words import plain

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "tools" / "sentences"
OUT = ROOT / "src" / "jotsam" / "pipeline" / "notes"
USER, ANSWERS, EXCHANGES = ("messages_*.jsonl", "said.txt"), ("answers_*.jsonl",), ("exchanges_*.jsonl",)
EVERYDAY = ("messages_9.jsonl", "messages_1?.jsonl")
RULE, PERSON = "rule", "person"  # labels of standing orders: of this project, and of one who gives them everywhere


class Kind(Record):
    """Which sentences a model knows from others."""

    files: tuple[str, ...]
    labels: tuple[str, ...]
    among: tuple[str, ...] = ()  # the labels of all sentences that it is given; any if empty
    is_answer: bool = False  # it knows those of the answers in exchanges


MODELS = {
    ORDERS: Kind(files=USER, labels=(RULE, PERSON)),
    PERSONS: Kind(files=USER, labels=(PERSON,), among=(RULE, PERSON)),
    DECIDES: Kind(files=(*USER, *EXCHANGES), labels=("decision",)),
    HOLDS: Kind(files=(*ANSWERS, "told.txt", *EXCHANGES), labels=("holds",), is_answer=True),
    OFFERS: Kind(files=ANSWERS, labels=("proposes", "asks")),
    WORLD: Kind(files=("prompts.txt", *EVERYDAY), labels=("world",)),
}
ASKS_AROUND = (DECIDES, HOLDS)  # the models that look at what was said before and after
PARTS = 5  # of the sentences of one author, if there is no other
ROUNDS, RATE, DECAY, BIAS_RATE = 20, 0.5, 1e-3, 0.05
OFTEN = 2  # a feature of fewer sentences says only what one of them is about
LIMIT = 127  # of a weight
MARGINS = (0.0, 1.0, 2.0)

VECTOR_RATE, VECTOR_DECAY = 0.1, 1e-3


class Example(Record):
    sentence: str
    label: str
    author: str
    said: Setting | None = None  # None if that is not known


class Taught(Record):
    """A sentence as a model sees it."""

    numbers: tuple[int, ...]  # of its features
    vector: tuple[float, ...]
    is_one: bool


class Weights(Record):
    of_features: list[float]
    of_vector: list[float]

    def score(self, given: Taught) -> float:
        known = sum(self.of_features[number] for number in given.numbers)
        about: float = sum(map(mul, self.of_vector, given.vector))
        return known + about


def examples(model: str) -> Iterator[Example]:
    kind = MODELS[model]
    return (one for one in _every(kind) if not kind.among or one.label in kind.among)


def _every(kind: Kind) -> Iterator[Example]:
    for path in (path for pattern in kind.files for path in sorted(EXAMPLES.glob(pattern))):
        lines = path.read_text(encoding="utf-8").splitlines()
        if path.suffix == ".jsonl":
            yield from _of_messages(lines, path.stem, is_answer=kind.is_answer)
        else:
            yield from _of_lines(lines, path.stem)


def _of_messages(lines: Iterable[str], author: str, *, is_answer: bool) -> Iterator[Example]:
    for message in map(json.loads, lines):
        before, after, said = message.get("before"), None, message["sentences"]
        if "answer" in message:
            text, answer = _joined(said), _joined(message["answer"])
            before, after, said = (text, None, message["answer"]) if is_answer else (before, answer, said)
        for place, (sentence, label) in enumerate(said):
            at = None if before is None else Setting(before=before, is_first=place == 0, after=after)
            yield Example(sentence=sentence, label=label, author=author, said=at)


def _joined(sentences: Iterable[tuple[str, str]]) -> str:
    return "\n".join(sentence for sentence, _ in sentences)


def _of_lines(lines: Iterable[str], author: str) -> Iterator[Example]:
    label = ""
    for line in lines:
        if line.startswith("[") and line.endswith("]"):
            label = line[1:-1]
        elif line and not line.startswith("#"):
            yield Example(sentence=line, label=label, author=author)


def read(given: Iterable[Example], model: str, *, least: int = OFTEN) -> list[Taught]:
    """Each sentence as the model sees it, without the features of fewer than `least` sentences."""
    every = [(one, _features(one, model)) for one in given]
    often = Counter(feature for _, found in every for feature in found)
    return [
        Taught(
            numbers=tuple(sorted({number_of(feature) for feature in found if often[feature] >= least})),
            vector=() if model == WORLD else vector(plain(one.sentence)),
            is_one=one.label in MODELS[model].labels,
        )
        for one, found in every
    ]


def _features(one: Example, model: str) -> set[str]:
    if model == WORLD:
        return {*prompt_model.features(one.sentence)}
    found = {*features(one.sentence)}
    if model in ASKS_AROUND and one.said is not None:
        found.update(around(one.sentence, one.said))
    return found


def train(given: Sequence[Taught]) -> Weights:
    """Logistic regression, each weight with a rate of its own. The bias is the weight of a feature of all sentences."""
    weights, squares, order = [0.0] * SIZE, [1e-6] * SIZE, random.Random(0)
    of_vector, vector_squares = [0.0] * NUMBERS, [1e-6] * NUMBERS
    shuffled, always = [*given], number_of(ALWAYS)
    for _ in range(ROUNDS):
        order.shuffle(shuffled)
        for one in shuffled:
            total = sum(weights[number] for number in one.numbers) + sum(map(mul, of_vector, one.vector))
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, total)))) - one.is_one
            for number in one.numbers:
                if number == always:
                    weights[number] -= BIAS_RATE * error
                    continue
                slope = error + DECAY * len(given) * weights[number] / len(one.numbers)
                squares[number] += slope * slope
                weights[number] -= RATE * slope / math.sqrt(squares[number])
            for number, value in enumerate(one.vector):
                slope = error * value + VECTOR_DECAY * of_vector[number]
                vector_squares[number] += slope * slope
                of_vector[number] -= VECTOR_RATE * slope / math.sqrt(vector_squares[number])
    return Weights(of_features=weights, of_vector=of_vector)


def checksum(given: Iterable[Taught]) -> bytes:
    """Of what a model is taught: its weights are of other examples if it differs."""
    found = 0
    for one in given:
        found = zlib.crc32(repr((one.numbers, one.is_one)).encode(), found)
    return found.to_bytes(CHECKSUM, "big")


def packed(weights: Weights, taught: bytes) -> bytes:
    whole = (max(-LIMIT, min(LIMIT, round(weight * STEP))) for weight in weights.of_features)
    return zlib.compress(taught + bytes(one & 0xFF for one in whole) + pack(VECTOR_FORMAT, *weights.of_vector), 9)


def left_out(model: str) -> None:
    every = [*examples(model)]
    authors = [*dict.fromkeys(one.author for one in every)]
    if len(authors) == 1:
        every = [one.replace(author=f"part {place % PARTS}") for place, one in enumerate(every)]
        authors = [f"part {part}" for part in range(PARTS)]
    for author in authors:
        weights = train(read((one for one in every if one.author != author), model))
        given = read((one for one in every if one.author == author), model, least=1)
        scored = [(weights.score(one), one.is_one) for one in given]
        of_kind, others = sum(is_one for _, is_one in scored), sum(not is_one for _, is_one in scored)
        for margin in MARGINS:
            found = [is_one for score, is_one in scored if score >= margin]
            wrong = len(found) - sum(found)
            print(f"{model}, {author}, score {margin:.0f}: {sum(found)} of {of_kind}, {wrong} of {others} others")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--left-out", action="store_true")
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"only these: {', '.join(MODELS)}")
    arguments = parser.parse_args()
    for model in arguments.models or MODELS:
        if arguments.left_out:
            left_out(model)
            continue
        given = read(examples(model), model)
        content = packed(train(given), checksum(given))
        (OUT / model).write_bytes(content)
        print(f"{model}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
