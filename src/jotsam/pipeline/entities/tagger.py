"""A small tagger of names: which words of a sentence name a person, an organization, a place, a product or a work.

An averaged perceptron (Collins 2002) that goes from left to right and knows its own last two decisions. It is trained
by `tools/train_tagger.py`; its weights come from outside, as one map from a feature's hash to what it says for each
label. This room must not load them, and it must not decide which of the names are worth keeping.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from zlib import crc32

from jotsam.core.records import Record
from jotsam.pipeline.entities.name_spans import AMBIGUOUS_TOOLS, GIVEN_NAMES, KNOWN_PHRASES
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.words import STOP_WORDS

KINDS = ("person", "organization", "place", "product", "other")
LABELS = ("O", *(f"{edge}-{kind}" for kind in KINDS for edge in "BI"))
"""O for a word outside of every name, B for the first word of one, I for those after it."""

_BEGINNINGS = range(1, len(LABELS), 2)

Weights = Mapping[int, Sequence[tuple[int, int]]]
"""By the hash of a feature: pairs of a label's number and its weight."""

MAX_TOKENS = 200
_TOKEN = re.compile(r"\w+(?:[.'’&@-]\w+)*(?:\+\+|#(?!\w))?|[^\w\s]")
_SHAPE = str.maketrans(
    {**dict.fromkeys("0123456789", "d"), **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "x")}
    | dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "X")
)
_RUNS = re.compile(r"(.)\1{2,}")


class TaggedName(Record):
    """A name that was found, from `start` to `end` of the text: how sure it is one, and of its kind, 0 to 1."""

    start: int
    end: int
    kind: str
    score: float
    kind_score: float = 1.0


def token_spans(text: str) -> list[tuple[int, int]]:
    """Where the words and the marks of a text stand."""
    return [match.span() for match in _TOKEN.finditer(text)]


def tag_names(text: str, weights: Weights) -> tuple[TaggedName, ...]:
    """The names of a sentence or a short text, in order."""
    places = token_spans(text)
    found: list[TaggedName] = []
    for at in range(0, len(places), MAX_TOKENS):
        part = places[at : at + MAX_TOKENS]
        words = [text[start:end] for start, end in part]
        found += _spans(part, _labels(words, weights))
    return tuple(found)


Label = tuple[int, int, int]
"""A label's number, how far ahead of the best other reading it is, and how far ahead of the next kind."""


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
    """The label with the highest score that may follow `last`: a name goes on only as what it began."""
    best = 0
    for number, label in enumerate(LABELS):
        if scores[number] > scores[best] and (label[0] != "I" or last[2:] == label[2:]):
            best = number
    return best


def _spans(places: Sequence[tuple[int, int]], labels: Iterable[Label]) -> Iterator[TaggedName]:
    """Names from the labels of words: the first word decides the kind, and the least sure one how sure it is."""
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
    """From a margin to 0.5 to 1: an order, and not a probability."""
    return round(1 - 0.5 / (1 + max(margin, 0) / 200), 3)


def shape(word: str) -> str:
    """ "McDonald's" is XxXxxxxx'x, and runs are cut after two."""
    return _RUNS.sub(r"\1\1", word.translate(_SHAPE))


def features(words: Sequence[str]) -> Iterator[list[str]]:
    """What each word looks like and what stands around it; the word's own form is always the second entry."""
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
    """What the lists of known names say about a word: given name, technology, organization, grammar."""
    lower = word.lower()
    if lower in STOP_WORDS:
        return "g"
    if word[:1].isupper() and slug(word) in GIVEN_NAMES:
        return "n"
    categories = {category for phrase, category in KNOWN_PHRASES.get(lower, ()) if len(phrase) == 1}
    return "a" if lower in AMBIGUOUS_TOOLS else min(categories)[:1] if categories else ""
