"""How items of the store are found: the fields and words of a value, and the conditions of a filter. Pure."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from jotsam.core import exact_json
from jotsam.core.comparisons import comparisons
from jotsam.core.errors import InvalidInput
from jotsam.pipeline.text.words import index_terms
from jotsam.retrieval.question.stems import fold, stems
from jotsam.storage.memories.items import AFTER, Condition

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.comparisons import Comparison

MAX_FIELDS = 1_000  # of a value: each is a row
MAX_CHARACTERS = 20_000  # of a value in which words are looked for
WORD_CHARACTERS = 60
NAME_CHARACTERS, TEXT_CHARACTERS = 100, 200  # of a name and a text as they are compared
DIGITS = 800  # of a number as it is compared: a float has at most 767
AVERAGE_WORDS = 100

BOOLEAN, NUMBER, OTHER, TEXT, END = "b", "n", "o", "s", "t"  # the kinds of values in their order
EXPONENT = 50_000
_COMPLEMENT = str.maketrans("0123456789", "9876543210")
_LOW_CHARACTERS = {number: f"\x03{chr(4 + number)}" for number in range(4)}
_WORD = re.compile(r"[^\W_]+")


def fields(value: object) -> Iterator[tuple[str, str]]:
    """The names and values of the fields of an object, as they are compared. Raises `InvalidInput` for too many."""
    if not isinstance(value, dict):
        return
    if len(value) > MAX_FIELDS:
        raise InvalidInput(
            f"invalid value with {len(value):,} fields: must be at most {MAX_FIELDS:,}, which can be filtered by: put"
            " them into one field"
        )
    for name, one in value.items():
        if one is not None:
            yield _cut(name, NAME_CHARACTERS), sort_text(one)


def conditions(filter: object) -> tuple[Condition, ...]:
    """The conditions of a filter. Raises `InvalidInput`, and so for a text that no item can have."""
    found = comparisons("filter", filter)
    exact_json.encoded("filter", [[one.field, one.value] for one in found])
    return tuple(map(_condition, found))


def words(text: str) -> list[tuple[str, float]]:
    """The stems in a text, each with its weight from 0 to 1."""
    spaced, pairs = index_terms(text[:MAX_CHARACTERS])
    counted = Counter(_WORD.findall(fold(spaced)))
    found: Counter[str] = Counter(pairs.split())
    for word, number in counted.items():
        found[_stem(word[:WORD_CHARACTERS])] += number
    length = 0.25 + 0.75 * found.total() / AVERAGE_WORDS
    return [(word, number / (number + length)) for word, number in found.items()]


def texts(value: object) -> str:
    """All texts in a value, in their order, as far as words are looked for."""
    found, left = list[str](), MAX_CHARACTERS
    stack = [value]
    while stack and left > 0:
        one = stack.pop()
        if isinstance(one, str):
            found.append(one[:left])
            left -= len(one) + 1
        elif isinstance(one, dict | list):
            stack += reversed([*one.values()] if isinstance(one, dict) else one)
    return " ".join(found)


def sort_text(value: object) -> str:
    """A value as a text, in the order of the values: booleans, numbers, lists and objects, texts."""
    if isinstance(value, bool):
        return f"{BOOLEAN}{int(value)}"
    if isinstance(value, int | float):
        return NUMBER + _number(value)
    return TEXT + _cut(value, TEXT_CHARACTERS) if isinstance(value, str) else OTHER


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    return stems((word,))[0]


def _condition(one: Comparison) -> Condition:
    name = _cut(one.field, NAME_CHARACTERS)
    if one.value is None:
        return Condition(name=name, low="", high=END, negated=one.operator == "$eq")
    sort = sort_text(one.value)
    first, last = sort[0], chr(ord(sort[0]) + 1)
    low, high = {
        "$eq": (sort, sort + AFTER),
        "$ne": (sort, sort + AFTER),
        "$gt": (sort + AFTER, last),
        "$gte": (sort, last),
        "$lt": (first, sort),
        "$lte": (first, sort + AFTER),
    }[one.operator]
    return Condition(name=name, low=low, high=high, negated=one.operator == "$ne")


def _number(value: float) -> str:
    """Sign, exponent and digits, so that texts are in the order of the numbers. Exact, also between int and float."""
    from decimal import Decimal  # slow to import

    sign, digits, exponent = Decimal(value).as_tuple()
    assert isinstance(exponent, int)
    if not any(digits):
        return "1"
    text = "".join(map(str, digits)).lstrip("0")
    shown_exponent = f"{EXPONENT + len(text) + exponent:05d}"
    text = text.rstrip("0")[:DIGITS]
    return f"0{(shown_exponent + text).translate(_COMPLEMENT)}~" if sign else f"2{shown_exponent}{text}"


def _cut(text: str, most: int) -> str:
    """A text of limited length: equal only for equal texts, and in their order if the first characters differ."""
    kept = text[:most].translate(_LOW_CHARACTERS)
    if len(text) <= most:
        return kept
    from hashlib import sha256

    return f"{kept}\x02{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
