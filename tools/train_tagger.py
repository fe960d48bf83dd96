"""Trains the tagger of names that is shipped with the package, and writes its weights.

    python -m tools.train_tagger --data FOLDER --out src/jotsam/models/names.bin

The folder holds the data, all of it CC BY 4.0: `wnut17train.conll` (WNUT 2017, Derczynski et al.),
`wikigold.open.conll` (WikiGold, Balasuriya et al. 2009) and `BTC/{b,e,g,h}.conll` (Broad Twitter Corpus, Derczynski et
al. 2016), one word and its label on a line. With `--folds 5` WikiGold is cross-validated and nothing is written; with
`--held FILE` it is another file, from whose other folds it learns too. The same data, seed and lists of known names
give the same weights.
"""

from __future__ import annotations

import argparse
import random
import re
import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from jotsam.pipeline.entities.tagger import LABELS, best_label, features, tag_names, token_spans, with_history

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
FORGETTING = 0.3
"""How often a word hides who it is while it is learned from, so that the tagger also learns to judge strangers."""
WORDS = ("w", "W", "x", "y", "p", "q")  # the features that know the word itself
BOLDNESS = 6.0
"""Taken from the score of "no name": the perceptron alone is more cautious than exact."""
SCALE = 10  # of weights before they are rounded to whole numbers
RAREST = 2  # a feature seen less often is left out


def read(path: Path) -> list[Sentence]:
    """The sentences of a file, each as text and the names in it. Handles of Twitter are no names."""
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
    """The words as the tagger cuts them, with the number of each one's label."""
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
    """Weights that are averaged over all steps, each feature's average brought up to date when it changes."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice
        self.weights: dict[str, list[float]] = {}
        self._totals: dict[str, list[float]] = {}
        self._since: dict[str, list[int]] = {}
        self._step = 0

    def learn(self, words: Sequence[str], labels: Sequence[int]) -> None:
        before, last = "O", "O"
        for known, gold in zip(features(words), labels, strict=True):
            self._step += 1
            every: tuple[str, ...] = (*known, *with_history(known, before, last))
            if self._dice.random() < FORGETTING:
                every = tuple(feature for feature in every if not feature.startswith((*WORDS, "C")))
            guess = best_label(self._scores(every), last)
            if guess != gold:
                for feature in every:
                    self._change(feature, gold, 1.0)
                    self._change(feature, guess, -1.0)
            before, last = last, LABELS[guess]

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
    """The weights as the tagger wants them: by hash of the feature, two bytes each."""
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
    averaged["b"][0] -= BOLDNESS
    for feature, row in averaged.items():
        if seen.get(feature, RAREST) < RAREST:
            continue
        rounded = [(n, max(-32767, min(32767, round(value * SCALE)))) for n, value in enumerate(row)]
        kept = [(n, value) for n, value in rounded if value]
        if kept:
            weights[zlib.crc32(feature.encode())] = kept
    return weights


def packed(weights: dict[int, list[tuple[int, int]]]) -> bytes:
    """The number of features; then, by columns, their hashes as differences, and the low and the
    high bytes of each label's weights."""
    keys = sorted(weights)
    differences = [key - before for before, key in zip([0, *keys], keys, strict=False)]
    rows = [dict(weights[key]) for key in keys]
    columns = [bytes(row.get(n, 0) >> shift & 0xFF for row in rows) for n in range(len(LABELS)) for shift in (0, 8)]
    body = struct.pack(f"<{len(keys)}I", *differences) + b"".join(columns)
    return struct.pack("<I", len(keys)) + zlib.compress(body, 9)


def f1(sentences: Sequence[Sentence], weights: dict[int, list[tuple[int, int]]]) -> str:
    right = found = wanted = 0
    for text, spans in sentences:
        gold = {text[a:b].lower() for a, b, _ in spans}
        got = {text[name.start : name.end].lower() for name in tag_names(text, weights)}
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
    parser.add_argument("--held", default=WIKIGOLD, help="the file that is cross-validated")
    parser.add_argument("--only", type=int, help="measure this fold alone")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--check", type=Path, nargs="*", default=[], help="files to measure with")
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
