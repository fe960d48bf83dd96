"""Trains the models of what a sentence is, and writes their weights.

    python -m tools.train_sentences              writes src/jotsam/pipeline/notes/*.bin
    python -m tools.train_sentences --folds 5    writes nothing, and says how they do on sentences they were not taught

The examples are in tools/sentences: `said.txt` of users, `told.txt` of assistants. The same give the same weights.
"""

from __future__ import annotations

import argparse
import math
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jotsam.pipeline.notes.sentence_model import ALWAYS, HOLDS, ORDERS, SIZE, STEP, features, number_of

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "tools" / "sentences"
OUT = ROOT / "src" / "jotsam" / "pipeline" / "notes"
# The file of the examples, and the labels of those that are of the kind.
MODELS = {ORDERS: ("said.txt", ("rule", "person")), HOLDS: ("told.txt", ("holds",))}
ROUNDS, RATE, DECAY, BIAS_RATE = 20, 0.5, 3e-5, 0.05
LEXICAL, OFTEN = ("w ", "b ", "p "), 3
LIMIT = 127  # of a weight
MARGINS = (0.0, 2.0, 4.0)

Example = tuple[tuple[int, ...], bool]


def examples(model: str) -> Iterator[tuple[str, bool]]:
    """Sentences, and whether each is of the kind."""
    file, kinds = MODELS[model]
    label = ""
    for line in (EXAMPLES / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            label = line[1:-1]
        elif line and not line.startswith("#"):
            yield line, label in kinds


def read(sentences: Iterable[str]) -> list[tuple[int, ...]]:
    """The numbers of the features of each sentence, but for rare words, which say only what it is about."""
    every = [{*features(sentence)} for sentence in sentences]
    often = Counter(feature for one in every for feature in one if feature[:2] in LEXICAL)
    return [
        tuple(sorted({number_of(one) for one in each if one[:2] not in LEXICAL or often[one] >= OFTEN}))
        for each in every
    ]


def taught(model: str) -> list[Example]:
    sentences, labels = zip(*examples(model), strict=True)
    return [*zip(read(sentences), labels, strict=True)]


def train(given: Sequence[Example]) -> list[float]:
    """Logistic regression, each weight with a rate of its own. The bias is the weight of a feature of all sentences."""
    weights, squares, order = [0.0] * SIZE, [1e-6] * SIZE, random.Random(0)
    shuffled, always = [*given], number_of(ALWAYS)
    for _ in range(ROUNDS):
        order.shuffle(shuffled)
        for numbers, is_rule in shuffled:
            total = sum(weights[number] for number in numbers)
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, total)))) - is_rule
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


def folds(model: str, number: int) -> None:
    every = taught(model)
    random.Random(1).shuffle(every)
    scored: list[tuple[float, bool]] = []
    for fold in range(number):
        weights = train([one for place, one in enumerate(every) if place % number != fold])
        for numbers, is_rule in every[fold::number]:
            scored.append((sum(weights[one] for one in numbers), is_rule))
    rules = sum(is_rule for _, is_rule in scored)
    for margin in MARGINS:
        found = [is_rule for score, is_rule in scored if score >= margin]
        others = len(every) - rules
        print(f"{model}, score {margin:.0f}: {sum(found)} of {rules}, {len(found) - sum(found)} of {others} others")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folds", type=int, default=0)
    given = parser.parse_args()
    for model in MODELS:
        if given.folds:
            folds(model, given.folds)
            continue
        content = packed(train(taught(model)))
        (OUT / model).write_bytes(content)
        print(f"{model}: {len(content):,} bytes")


if __name__ == "__main__":
    main()
