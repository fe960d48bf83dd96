"""The labels and the features of the bundled NER tagger, as its training and its use must agree on them.

The features of a word come in groups. Each depends on few arguments, so that the tagger can keep what it adds up to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.entities.known_names import COMMON, ENGLISH, GIVEN, ORGANIZATION, PLACE, TOOL, known
from jotsam.pipeline.languages.en import STOP_WORDS

KINDS = ("person", "organization", "place", "product", "other")
# O: outside a name. B-kind: first word of a name. I-kind: further words of it.
LABELS = ("O", *(f"{edge}-{kind}" for kind in KINDS for edge in "BI"))

_SHAPE = str.maketrans(
    {**dict.fromkeys("0123456789", "d"), **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "x")}
    | dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "X")
)
_LETTERS = ((COMMON, "c"), (ENGLISH, "e"), (GIVEN, "n"), (TOOL, "t"), (ORGANIZATION, "o"), (PLACE, "p"))
_RUNS = lazy_pattern(r"(.)\1{2,}")


class Form(Record):
    """What the features use of a word. Forms are keys, and compared by identity: that is faster."""

    word: str
    lower: str
    shape: str
    short: str  # the beginning of the shape
    kind: str
    # The same as bytes, with a space behind or before them.
    lower_first: bytes
    lower_last: bytes
    shape_last: bytes
    short_last: bytes

    __eq__ = object.__eq__
    __hash__ = object.__hash__


def form_of(word: str) -> Form:
    shape = _RUNS.sub(r"\1\1", word.translate(_SHAPE))  # Runs are cut after two characters: "McDonald's" is XxXxx'x.
    return _form(word, shape, kind=_list_kind(word))


def _form(word: str, shape: str, *, kind: str = "") -> Form:
    lower, short = word.lower(), shape[:2]
    last = [f" {part}".encode() for part in (lower, shape, short)]
    return Form(
        word=word,
        lower=lower,
        shape=shape,
        short=short,
        kind=kind,
        lower_first=lower.encode(),
        lower_last=last[0],
        shape_last=last[1],
        short_last=last[2],
    )


BEFORE, AFTER = _form("", "^"), _form("", "$")  # around a sentence


def style_of(words: Sequence[str]) -> str:
    """Whether most words of a sentence begin with a capital, or some, or none."""
    capitals = sum([word[:1].isupper() for word in words])
    return "C" if 2 * capitals > len(words) else "c" if capitals else "l"


def of_word(own: Form, is_first: bool, style: str) -> tuple[str, ...]:
    lower, shape, edge = own.lower, own.shape, own.shape[:1]
    return (
        "b",
        f"w{lower}",
        f"s{shape}",
        f"S{shape} {style}",
        f"p{lower[:3]}",
        f"q{lower[:4]} {edge}",
        f"e{lower[-3:]}",
        f"f{lower[-2:]} {edge}",
        f"k{own.kind} {own.short}",
        f"n{is_first} {shape} {own.kind}",
        f"W{own.word}",
    )


def of_left(left: Form) -> tuple[str, ...]:
    return (f"l{left.lower}",)


def of_right(right: Form) -> tuple[str, ...]:
    return (f"r{right.lower}",)


def of_neighbours(far: Form, left: Form, own: Form, right: Form, further: Form) -> tuple[str, ...]:
    return (
        f"L{left.lower} {own.shape}",
        f"R{right.lower} {own.shape}",
        f"2{far.lower} {left.lower} {own.short}",
        f"3{right.lower} {further.lower} {own.short}",
        f"x{left.lower} {own.lower}",
        f"y{own.lower} {right.lower}",
    )


_L, _R, _2, _3, _X, _Y = (crc32(letter.encode()) for letter in "LR23xy")


def hashes_of_neighbours(far: Form, left: Form, own: Form, right: Form, further: Form) -> tuple[int, ...]:
    """The CRC-32 of each of `of_neighbours`. They seldom recur, and this is faster than to make their text."""
    return (
        crc32(own.shape_last, crc32(left.lower_first, _L)),
        crc32(own.shape_last, crc32(right.lower_first, _R)),
        crc32(own.short_last, crc32(left.lower_last, crc32(far.lower_first, _2))),
        crc32(own.short_last, crc32(further.lower_last, crc32(right.lower_first, _3))),
        crc32(own.lower_last, crc32(left.lower_first, _X)),
        crc32(right.lower_last, crc32(own.lower_first, _Y)),
    )


def of_shapes(far: str, left: str, own: str, right: str, further: str) -> tuple[str, ...]:
    short = own[:2]
    return f"t{left} {own} {right}", f"u{far} {left} {short}", f"v{short} {right} {further}"


def of_kinds(left: str, own: str, right: str) -> tuple[str, ...]:
    return (f"m{left} {own} {right}",)


def of_labels(before: int, last: int) -> tuple[str, ...]:
    """The last two labels."""
    return f"A{LABELS[last]}", f"B{LABELS[before]} {LABELS[last]}"


def of_label_and_word(last: int, own: Form) -> tuple[str, ...]:
    return f"C{LABELS[last]} w{own.lower}", f"D{LABELS[last]} s{own.shape}"


def of_label_and_right(last: int, right: Form) -> tuple[str, ...]:
    return (f"E{LABELS[last]} r{right.lower}",)


Window = tuple[Form, Form, Form, Form, Form]  # a word between its neighbours


def windows(forms: Sequence[Form]) -> Iterator[Window]:
    """Each word of a sentence with two words to its left and two to its right."""
    every = (BEFORE, BEFORE, *forms, AFTER, AFTER)
    return zip(every, every[1:], every[2:], every[3:], every[4:], strict=False)


def features(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All features of each word but those of the labels before it."""
    style = style_of(words)
    for at, (far, left, own, right, further) in enumerate(windows([form_of(word) for word in words])):
        yield (
            *of_word(own, at == 0, style),
            *of_left(left),
            *of_right(right),
            *of_neighbours(far, left, own, right, further),
            *of_shapes(far.shape, left.shape, own.shape, right.shape, further.shape),
            *of_kinds(left.kind, own.kind, right.kind),
        )


def with_history(words: Sequence[str], at: int, before: int, last: int) -> tuple[str, ...]:
    """The features of the word at `at` that depend on the labels before it."""
    own = form_of(words[at])
    right = form_of(words[at + 1]) if at + 1 < len(words) else AFTER
    return *of_labels(before, last), *of_label_and_word(last, own), *of_label_and_right(last, right)


def _list_kind(word: str) -> str:
    """A letter for each kind that the gazetteer has of the word: g stop word, u unknown word, "" for punctuation."""
    if word.lower() in STOP_WORDS:
        return "g"
    if not word[:1].isalpha():
        return ""
    found = known(word)
    return "".join(letter for flag, letter in _LETTERS if found & flag) or "u"
