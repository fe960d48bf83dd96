"""Trains the models of what a sentence is, and writes their weights.

    python -m tools.train_sentences               writes src/jotsam/pipeline/notes/*.bin
    python -m tools.train_sentences --left-out    writes nothing, and says how they do on an author who did not teach

The examples are in tools/sentences: `messages_*.jsonl` of users, a file an author, each message with what the assistant
said before it; `said.txt` of users, single sentences; `told.txt` of assistants. The same give the same weights.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jotsam.core.records import Record
from jotsam.pipeline.notes.sentence_model import (
    ALWAYS,
    DECIDES,
    HOLDS,
    ORDERS,
    PERSONS,
    SIZE,
    STEP,
    features,
    number_of,
    setting,
)

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "tools" / "sentences"
OUT = ROOT / "src" / "jotsam" / "pipeline" / "notes"
USER, ASSISTANT = "said.txt", "told.txt"
RULE, PERSON = "rule", "person"  # labels of standing orders: of this project, and of one who gives them everywhere


class Kind(Record):
    """Which sentences a model knows from others."""

    file: str
    labels: tuple[str, ...]
    among: tuple[str, ...] = ()  # the labels of all sentences that it is given; any if empty


MODELS = {
    ORDERS: Kind(file=USER, labels=(RULE, PERSON)),
    PERSONS: Kind(file=USER, labels=(PERSON,), among=(RULE, PERSON)),
    DECIDES: Kind(file=USER, labels=("decision",)),
    HOLDS: Kind(file=ASSISTANT, labels=("holds",)),
}
ASKS_BEFORE = (DECIDES,)  # the models that look at what was said before
PARTS = 5  # of the sentences of one author, if there is no other
ROUNDS, RATE, DECAY, BIAS_RATE = 20, 0.5, 1e-3, 0.05
OFTEN = 2  # a feature of fewer sentences says only what one of them is about
LIMIT = 127  # of a weight
MARGINS = (0.0, 1.0, 2.0)

Taught = tuple[tuple[int, ...], bool]


class Example(Record):
    sentence: str
    label: str
    author: str
    before: str | None = None  # what the assistant said before; None if that is not known
    is_first: bool = True


def examples(model: str) -> Iterator[Example]:
    kind = MODELS[model]
    return (one for one in _every(kind.file) if not kind.among or one.label in kind.among)


def _every(file: str) -> Iterator[Example]:
    if file == USER:
        for path in sorted(EXAMPLES.glob("messages_*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                message = json.loads(line)
                for place, (sentence, label) in enumerate(message["sentences"]):
                    yield Example(
                        sentence=sentence,
                        label=label,
                        author=path.stem,
                        before=message["before"],
                        is_first=place == 0,
                    )
    label = ""
    for line in (EXAMPLES / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            label = line[1:-1]
        elif line and not line.startswith("#"):
            yield Example(sentence=line, label=label, author=file)


def read(given: Iterable[Example], model: str, *, least: int = OFTEN) -> list[Taught]:
    """The numbers of the features of each sentence, but for those of fewer than `least` sentences."""
    labels, asks = MODELS[model].labels, model in ASKS_BEFORE
    every = [
        (
            {*features(one.sentence)}
            | ({*setting(one.sentence, one.before, one.is_first)} if asks and one.before is not None else set()),
            one.label in labels,
        )
        for one in given
    ]
    often = Counter(feature for found, _ in every for feature in found)
    return [
        (
            tuple(sorted({number_of(one) for one in found if often[one] >= least})),
            is_one,
        )
        for found, is_one in every
    ]


def train(given: Sequence[Taught]) -> list[float]:
    """Logistic regression, each weight with a rate of its own. The bias is the weight of a feature of all sentences."""
    weights, squares, order = [0.0] * SIZE, [1e-6] * SIZE, random.Random(0)
    shuffled, always = [*given], number_of(ALWAYS)
    for _ in range(ROUNDS):
        order.shuffle(shuffled)
        for numbers, is_one in shuffled:
            total = sum(weights[number] for number in numbers)
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, total)))) - is_one
            for number in numbers:
                if number == always:
                    weights[number] -= BIAS_RATE * error
                    continue
                slope = error + DECAY * len(given) * weights[number] / len(numbers)
                squares[number] += slope * slope
                weights[number] -= RATE * slope / math.sqrt(squares[number])
    return weights


def packed(weights: Sequence[float]) -> bytes:
    whole = (max(-LIMIT, min(LIMIT, round(weight * STEP))) for weight in weights)
    return zlib.compress(bytes(one & 0xFF for one in whole), 9)


def left_out(model: str) -> None:
    every = [*examples(model)]
    authors = [*dict.fromkeys(one.author for one in every)]
    if len(authors) == 1:
        every = [one.replace(author=f"part {place % PARTS}") for place, one in enumerate(every)]
        authors = [f"part {part}" for part in range(PARTS)]
    for author in authors:
        weights = train(read((one for one in every if one.author != author), model))
        scored = [
            (sum(weights[number] for number in numbers), is_one)
            for numbers, is_one in read((one for one in every if one.author == author), model, least=1)
        ]
        of_kind, others = sum(is_one for _, is_one in scored), sum(not is_one for _, is_one in scored)
        for margin in MARGINS:
            found = [is_one for score, is_one in scored if score >= margin]
            wrong = len(found) - sum(found)
            print(f"{model}, {author}, score {margin:.0f}: {sum(found)} of {of_kind}, {wrong} of {others} others")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--left-out", action="store_true")
    given = parser.parse_args()
    for model in MODELS:
        if given.left_out:
            left_out(model)
            continue
        content = packed(train(read(examples(model), model)))
        (OUT / model).write_bytes(content)
        print(f"{model}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
