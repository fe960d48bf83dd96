"""Trains the bundled NER tagger and writes its weights.

    python -m tools.train_tagger --data FOLDER --out src/jotsam/models/names.bin

The folder has the training data, all CC BY 4.0: `wnut17train.conll` (WNUT 2017, Derczynski et al.),
`wikigold.open.conll` (WikiGold, Balasuriya et al. 2009) and `BTC/{b,e,g,h}.conll` (Broad Twitter Corpus, Derczynski et
al. 2016), with a word and its label per line. `--folds 5` cross-validates on WikiGold, or on the file of `--held`, and
writes nothing. The same data, seed and gazetteer give the same weights.
"""

from __future__ import annotations

import argparse
import random
import re
import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from jotsam.models.tagger_weights import PackedWeights
from jotsam.pipeline.entities.tagger import Tagger, best_label, token_spans
from jotsam.pipeline.entities.tagger_features import LABELS, features, with_history

Span = tuple[int, int, str]
Sentence = tuple[str, list[Span]]

KIND = {"person": "person", "PER": "person", "location": "place", "LOC": "place", "corporation": "organization"}
KIND |= {
    "group": "organization",
    "ORG": "organization",
    "product": "product",
    "creative-work": "other",
    "MISC": "other",
}
FILES = ("wnut17train.conll", "BTC/b.conll", "BTC/e.conll", "BTC/g.conll", "BTC/h.conll")
WIKIGOLD = "wikigold.open.conll"
ROUNDS, SEED = 5, 11
WORD_DROPOUT = 0.3  # share of words trained without their word features, to generalise to unknown words
WORD_FEATURES = ("w", "W", "x", "y", "p", "q")  # features that contain the word itself
OUTSIDE_PENALTY = 6.0  # subtracted from the score of "not a name": the perceptron alone favours precision too much
SCALE = 10  # factor of weights before rounding to integers
MIN_COUNT = 2  # of a feature to be kept


def read(path: Path) -> list[Sentence]:
    """The sentences of a file with their names. Twitter handles are not names."""
    sentences: list[list[tuple[str, str]]] = [[]]
    for line in path.read_text(encoding="utf8", errors="replace").splitlines():
        fields = line.split("\t") if "\t" in line else line.split()
        if len(fields) < 2 or not fields[0].strip():
            sentences.append([])
            continue
        label = fields[1].strip() if fields[0][:1] != "@" else "O"
        sentences[-1].append((fields[0], label))
    return [_sentence(words) for words in sentences if words]


def _sentence(words: Sequence[tuple[str, str]]) -> Sentence:
    text, spans, opened = "", list[Span](), ""
    for word, label in words:
        start = len(text) + bool(text)
        text += (" " if text else "") + word
        found = re.match(r"([BI])-(.*)", label)
        kind = KIND.get(found[2].strip(), "other") if found else ""
        if found and found[1] == "I" and kind == opened:
            spans[-1] = (spans[-1][0], len(text), kind)
        elif found:
            spans.append((start, len(text), kind))
        opened = kind
    return text, spans


def labelled(sentence: Sentence) -> tuple[list[str], list[int]]:
    """The tokens of the tagger, with the index of their labels."""
    text, spans = sentence
    words, labels = [], []
    last: Span | None = None
    for start, end in token_spans(text):
        span = next((span for span in spans if start < span[1] and end > span[0]), None)
        words.append(text[start:end])
        labels.append(LABELS.index(f"{'I' if span == last else 'B'}-{span[2]}") if span else 0)
        last = span
    return words, labels


class Perceptron:
    """Averaged perceptron. The sum of a weight over all steps is updated when the weight changes."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self.weights: dict[str, list[float]] = {}
        self._totals: dict[str, list[float]] = {}
        self._since: dict[str, list[int]] = {}
        self._step = 0

    def learn(self, words: Sequence[str], labels: Sequence[int]) -> None:
        before = last = 0
        for at, (known, gold) in enumerate(zip(features(words), labels, strict=True)):
            self._step += 1
            every = (*known, *with_history(words, at, before, last))
            if self._dice.random() < WORD_DROPOUT:
                every = tuple(feature for feature in every if not feature.startswith((*WORD_FEATURES, "C")))
            guess = best_label(self._scores(every), last)
            if guess != gold:
                for feature in every:
                    self._change(feature, gold, 1.0)
                    self._change(feature, guess, -1.0)
            before, last = last, guess

    def _scores(self, every: Iterable[str]) -> list[float]:
        rows = [self.weights[feature] for feature in every if feature in self.weights]
        return [sum(column) for column in zip(*rows, strict=True)] if rows else [0.0] * len(LABELS)

    def _change(self, feature: str, label: int, by: float) -> None:
        if feature not in self.weights:
            self.weights[feature] = [0.0] * len(LABELS)
            self._totals[feature] = [0.0] * len(LABELS)
            self._since[feature] = [0] * len(LABELS)
        row, totals, since = self.weights[feature], self._totals[feature], self._since[feature]
        totals[label] += row[label] * (self._step - since[label])
        since[label] = self._step
        row[label] += by

    def averaged(self) -> dict[str, list[float]]:
        return {
            feature: [
                (self._totals[feature][n] + value * (self._step - self._since[feature][n])) / self._step
                for n, value in enumerate(row)
            ]
            for feature, row in self.weights.items()
        }


def train(sentences: Sequence[Sentence], *, rounds: int = ROUNDS) -> dict[int, list[tuple[int, int]]]:
    """The weights by CRC-32 of the feature, as integers of two bytes."""
    dice = random.Random(SEED)
    pairs = [labelled(sentence) for sentence in sentences]
    seen: dict[str, int] = {}
    for words, _ in pairs:
        for known in features(words):
            for feature in known:
                seen[feature] = seen.get(feature, 0) + 1
    model = Perceptron(dice)
    for _ in range(rounds):
        dice.shuffle(pairs)
        for words, labels in pairs:
            model.learn(words, labels)
    weights: dict[int, list[tuple[int, int]]] = {}
    averaged = model.averaged()
    averaged["b"][0] -= OUTSIDE_PENALTY
    for feature, row in averaged.items():
        if seen.get(feature, MIN_COUNT) < MIN_COUNT:
            continue
        rounded = [(n, max(-32767, min(32767, round(value * SCALE)))) for n, value in enumerate(row)]
        kept = [(n, value) for n, value in rounded if value]
        if kept:
            weights[zlib.crc32(feature.encode())] = kept
    return weights


def packed(weights: dict[int, list[tuple[int, int]]]) -> bytes:
    """The weights file: the number of features, then compressed columns.

    The columns are the differences of the sorted hashes, and the low and high bytes of the weights of each label.
    """
    keys = sorted(weights)
    differences = [key - before for before, key in zip([0, *keys], keys, strict=False)]
    rows = [dict(weights[key]) for key in keys]
    columns = [bytes(row.get(n, 0) >> shift & 0xFF for row in rows) for n in range(len(LABELS)) for shift in (0, 8)]
    body = struct.pack(f"<{len(keys)}I", *differences) + b"".join(columns)
    return struct.pack("<I", len(keys)) + zlib.compress(body, 9)


def f1(sentences: Sequence[Sentence], weights: dict[int, list[tuple[int, int]]]) -> str:
    right = found = wanted = 0
    tagger = Tagger(PackedWeights(packed(weights)))
    for text, spans in sentences:
        gold = {text[a:b].lower() for a, b, _ in spans}
        got = {text[name.start : name.end].lower() for name in tagger.names(text)}
        right, found, wanted = right + len(gold & got), found + len(got), wanted + len(gold)
    return f"P {right / max(found, 1):.1%} R {right / max(wanted, 1):.1%} F1 {2 * right / max(found + wanted, 1):.1%}"


def cross_validate(options: argparse.Namespace, others: Sequence[str]) -> None:
    fixed = [sentence for name in others for sentence in read(options.data / name)]
    whole = read(options.data / options.held)
    for fold in range(options.folds) if options.only is None else [options.only]:
        held = whole[fold :: options.folds]
        rest = [sentence for n, sentence in enumerate(whole) if n % options.folds != fold]
        print(f"{options.held}, fold {fold + 1}:", f1(held, train(fixed + rest, rounds=options.rounds)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--held", default=WIKIGOLD, help="file to cross-validate")
    parser.add_argument("--only", type=int, help="only this fold")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--check", type=Path, nargs="*", default=[], help="files to evaluate")
    options = parser.parse_args()
    names = (*FILES, WIKIGOLD)
    if options.folds:
        cross_validate(options, [name for name in names if name != options.held])
    if options.out:
        weights = train([sentence for name in names for sentence in read(options.data / name)], rounds=options.rounds)
        options.out.write_bytes(packed(weights))
        print(f"{len(weights)} features, {options.out.stat().st_size:,} bytes")
        for path in options.check:
            print(path.name, f1(read(path), weights))


if __name__ == "__main__":
    main()
