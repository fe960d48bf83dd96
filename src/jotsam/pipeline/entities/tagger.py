"""NER tagger: finds names of persons, organizations, places, products and works in a sentence.

An averaged perceptron (Collins 2002) that tags words from left to right and uses its last two labels as features. It is
trained by `tools/train_tagger.py`. The caller passes the weights, and `filter` selects the names to keep.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from zlib import crc32

from jotsam.core.records import Record
from jotsam.pipeline.entities.known_names import COMMON, ENGLISH, GIVEN, ORGANIZATION, PLACE, TOOL, known
from jotsam.pipeline.text.words import STOP_WORDS

KINDS = ("person", "organization", "place", "product", "other")
# O: outside a name. B-kind: first word of a name. I-kind: further words of it.
LABELS = ("O", *(f"{edge}-{kind}" for kind in KINDS for edge in "BI"))
_BEGINNINGS = range(1, len(LABELS), 2)

# CRC-32 of a feature to pairs of label index and weight.
Weights = Mapping[int, Sequence[tuple[int, int]]]

MAX_TOKENS = 200
_TOKEN = re.compile(r"\w+(?:[.'’&@-]\w+)*(?:\+\+|#(?!\w))?|[^\w\s]")
_SHAPE = str.maketrans(
    {**dict.fromkeys("0123456789", "d"), **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "x")}
    | dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "X")
)
_LETTERS = ((COMMON, "c"), (ENGLISH, "e"), (GIVEN, "n"), (TOOL, "t"), (ORGANIZATION, "o"), (PLACE, "p"))
_RUNS = re.compile(r"(.)\1{2,}")


class TaggedName(Record):
    """A name from offset `start` to offset `end`, with the scores of being a name and of its kind, 0 to 1."""

    start: int
    end: int
    kind: str
    score: float
    kind_score: float = 1.0


def token_spans(text: str) -> list[tuple[int, int]]:
    """The spans of words and punctuation marks."""
    return [match.span() for match in _TOKEN.finditer(text)]


def tag_names(text: str, weights: Weights) -> tuple[TaggedName, ...]:
    """The names of a sentence or short text, in order. Input above 200 tokens is tagged in parts."""
    places = token_spans(text)
    found: list[TaggedName] = []
    for at in range(0, len(places), MAX_TOKENS):
        part = places[at : at + MAX_TOKENS]
        words = [text[start:end] for start, end in part]
        found += _spans(part, _labels(words, weights))
    return tuple(found)


# Label index, margin over the opposite decision (name or no name), margin over the next best kind.
Label = tuple[int, int, int]


def _labels(words: Sequence[str], weights: Weights) -> list[Label]:
    result: list[Label] = []
    before, last = "O", "O"
    for own in features(words):
        scores = [0] * len(LABELS)
        for feature in (*own, *with_history(own, before, last)):
            for label, weight in weights.get(crc32(feature.encode()), ()):
                scores[label] += weight
        best = best_label(scores, last)
        margin = scores[best] - (scores[0] if best else max(scores[1:]))
        others = [scores[number] for number in _BEGINNINGS if LABELS[number][2:] != LABELS[best][2:]]
        result.append((best, margin, scores[best] - max(others)))
        before, last = last, LABELS[best]
    return result


def best_label(scores: Sequence[float], last: str) -> int:
    """Index of the best label that may follow `last`: I-kind follows only B-kind or I-kind."""
    best = 0
    for number, label in enumerate(LABELS):
        if scores[number] > scores[best] and (label[0] != "I" or last[2:] == label[2:]):
            best = number
    return best


def _spans(places: Sequence[tuple[int, int]], labels: Iterable[Label]) -> Iterator[TaggedName]:
    """Merge labelled words into names. The first word decides the kind, the smallest margin the score."""
    start = end = margin_of_name = margin_of_kind = 0
    kind = ""
    for (begin, stop), (number, margin, of_kind) in zip(places, labels, strict=True):
        label = LABELS[number]
        if kind and label[0] == "I":
            end, margin_of_name = stop, min(margin_of_name, margin)
            continue
        if kind:
            yield TaggedName(
                start=start, end=end, kind=kind, score=_score(margin_of_name), kind_score=_score(margin_of_kind)
            )
        start, end, kind, margin_of_name, margin_of_kind = begin, stop, label[2:], margin, of_kind
    if kind:
        yield TaggedName(
            start=start, end=end, kind=kind, score=_score(margin_of_name), kind_score=_score(margin_of_kind)
        )


def _score(margin: int) -> float:
    """Map a margin to 0.5 to 1. The result orders names; it is not a probability."""
    return round(1 - 0.5 / (1 + max(margin, 0) / 200), 3)


def shape(word: str) -> str:
    """The word shape with runs cut after two characters: "McDonald's" gives XxXxx'x."""
    return _RUNS.sub(r"\1\1", word.translate(_SHAPE))


def features(words: Sequence[str]) -> Iterator[list[str]]:
    """The features of each word: form, neighbours, gazetteer matches. `with_history` uses entries 1, 2 and 9."""
    lower = ["", "", *(word.lower() for word in words), "", ""]
    shapes = ["^", "^", *map(shape, words), "$", "$"]
    kinds = ["", *map(_list_kind, words), ""]
    capitals = sum(word[:1].isupper() for word in words)
    style = "C" if 2 * capitals > len(words) else "c" if capitals else "l"
    for at, word in enumerate(words):
        here = at + 2
        own_word, left, right = lower[here], lower[here - 1], lower[here + 1]
        form = shapes[here]
        yield [
            "b",
            f"w{own_word}",
            f"s{form}",
            f"S{form} {style}",
            f"p{own_word[:3]}",
            f"q{own_word[:4]} {form[:1]}",
            f"e{own_word[-3:]}",
            f"f{own_word[-2:]} {form[:1]}",
            f"l{left}",
            f"r{right}",
            f"L{left} {form}",
            f"R{right} {form}",
            f"2{lower[here - 2]} {left} {form[:2]}",
            f"3{right} {lower[here + 2]} {form[:2]}",
            f"x{left} {own_word}",
            f"y{own_word} {right}",
            f"t{shapes[here - 1]} {form} {shapes[here + 1]}",
            f"u{shapes[here - 2]} {shapes[here - 1]} {form[:2]}",
            f"v{form[:2]} {shapes[here + 1]} {shapes[here + 2]}",
            f"k{kinds[at + 1]} {form[:2]}",
            f"m{kinds[at]} {kinds[at + 1]} {kinds[at + 2]}",
            f"n{at == 0} {form} {kinds[at + 1]}",
            f"W{word}",
        ]


def with_history(own: Sequence[str], before: str, last: str) -> tuple[str, ...]:
    return f"A{last}", f"B{before} {last}", f"C{last} {own[1]}", f"D{last} {own[2]}", f"E{last} {own[9]}"


def _list_kind(word: str) -> str:
    """A letter for each kind that the gazetteer has of the word: g stop word, u unknown word, "" for punctuation."""
    if word.lower() in STOP_WORDS:
        return "g"
    if not word[:1].isalpha():
        return ""
    found = known(word)
    return "".join(letter for flag, letter in _LETTERS if found & flag) or "u"
