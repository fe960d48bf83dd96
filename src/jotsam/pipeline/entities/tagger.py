"""NER tagger: finds names of persons, organizations, places, products and works in a sentence.

An averaged perceptron (Collins 2002) that tags words from left to right and uses its last two labels as features. It is
trained by `tools/train_tagger.py`. The caller passes the weights, and `filter` selects the names to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol
from zlib import crc32

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.entities import tagger_features
from jotsam.pipeline.entities.tagger_features import LABELS, Form, form_of, hashes_of_neighbours, style_of, windows

_BEGINNINGS = range(1, len(LABELS), 2)
_OTHER_BEGINNINGS = [[one for one in _BEGINNINGS if LABELS[one][2:] != label[2:]] for label in LABELS]
# I-kind follows only B-kind or I-kind.
_FOLLOWING = [[one for one, label in enumerate(LABELS) if label[0] != "I" or last[2:] == label[2:]] for last in LABELS]

MAX_TOKENS = 200
MAX_KEPT = 8_192  # forms of words, and totals for each group of features: words and their order recur
_TOKEN = lazy_pattern(r"\w+(?:[.'’&@-]\w+)*(?:\+\+|#(?!\w))?|[^\w\s]")


class Weights(Protocol):
    """The weights of features, each known by its CRC-32."""

    def total(self, features: Iterable[int], /) -> int:
        """The weights of all these features for each label, as one integer that can be added to others."""
        ...

    def by_label(self, total: int, /) -> Sequence[int]:
        """The weights in a total for each label. They may all be larger by the same number."""
        ...


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


# Label index, margin over the opposite decision (name or no name), margin over the next best kind.
Label = tuple[int, int, int]


class Tagger:
    """Tags texts by `weights`. Threads may share it: at worst they compute a total twice."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._forms = _Forms()
        self._words = _Totals(weights, tagger_features.of_word)
        self._lefts = _Totals(weights, tagger_features.of_left)
        self._rights = _Totals(weights, tagger_features.of_right)
        self._shapes = _Totals(weights, tagger_features.of_shapes)
        self._kinds = _Totals(weights, tagger_features.of_kinds)
        self._labels = _Totals(weights, tagger_features.of_labels)
        self._labels_and_words = _Totals(weights, tagger_features.of_label_and_word)
        self._labels_and_rights = _Totals(weights, tagger_features.of_label_and_right)

    def names(self, text: str) -> tuple[TaggedName, ...]:
        """The names of a sentence or short text, in order. Input above 200 tokens is tagged in parts."""
        places = token_spans(text)
        found: list[TaggedName] = []
        for at in range(0, len(places), MAX_TOKENS):
            part = places[at : at + MAX_TOKENS]
            found += _spans(part, self._tag([text[start:end] for start, end in part]))
        return tuple(found)

    def _tag(self, words: Sequence[str]) -> Iterator[Label]:
        before = last = 0
        style = style_of(words)
        for at, window in enumerate(windows([self._forms[word] for word in words])):
            far, left, own, right, further = window
            total = (
                self._words[own, at == 0, style]
                + self._lefts[left,]
                + self._rights[right,]
                + self._weights.total(hashes_of_neighbours(*window))
                + self._shapes[far.shape, left.shape, own.shape, right.shape, further.shape]
                + self._kinds[left.kind, own.kind, right.kind]
                + self._labels[before, last]
                + self._labels_and_words[last, own]
                + self._labels_and_rights[last, right]
            )
            label = _label(self._weights.by_label(total), last)
            yield label
            before, last = last, label[0]


class _Forms(dict[str, Form]):
    """The forms of words."""

    def __missing__(self, word: str) -> Form:
        if len(self) >= MAX_KEPT:
            self.clear()
        form = self[word] = form_of(word)
        return form


class _Totals(dict[Any, int]):
    """Totals of the weights of a group of features, by the arguments of the group."""

    def __init__(self, weights: Weights, group: Callable[..., Iterable[str]]) -> None:
        self._weights = weights
        self._group = group

    def __missing__(self, key: tuple[Any, ...]) -> int:
        if len(self) >= MAX_KEPT:
            self.clear()
        total = self[key] = self._weights.total([crc32(feature.encode()) for feature in self._group(*key)])
        return total


def _label(scores: Sequence[int], last: int) -> Label:
    best = best_label(scores, last)
    if best == 0:
        return 0, 0, 0  # The margins of what is not a name are not used.
    return best, scores[best] - scores[0], scores[best] - max([scores[one] for one in _OTHER_BEGINNINGS[best]])


def best_label(scores: Sequence[float], last: int) -> int:
    """The best label that may follow the label `last`."""
    best = 0
    if scores[0] < max(scores):
        for label in _FOLLOWING[last]:
            if scores[label] > scores[best]:
                best = label
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
            yield _name(start, end, kind, margin_of_name, margin_of_kind)
        start, end, kind, margin_of_name, margin_of_kind = begin, stop, label[2:], margin, of_kind
    if kind:
        yield _name(start, end, kind, margin_of_name, margin_of_kind)


def _name(start: int, end: int, kind: str, margin: int, margin_of_kind: int) -> TaggedName:
    return TaggedName(start=start, end=end, kind=kind, score=_score(margin), kind_score=_score(margin_of_kind))


def _score(margin: int) -> float:
    """Map a margin to 0.5 to 1. The result orders names; it is not a probability."""
    return round(1 - 0.5 / (1 + max(margin, 0) / 200), 3)
