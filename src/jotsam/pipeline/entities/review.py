"""Which slugs of entities are alike, and which name no thing: for a person who reviews the entities of a tenant.

Pure, and bounded: only slugs that have a word, a beginning or an end in common are compared.
"""

from __future__ import annotations

from itertools import combinations

from jotsam.core.patterns import lazy_pattern
from jotsam.pipeline.entities import gazetteer
from jotsam.pipeline.entities.known_names import NAMES, flags
from jotsam.pipeline.entities.name_spans import TITLES
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.slugs import slug as slug_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

PART_LIKENESS = 0.6  # at least, if one slug contains the other
MIN_LIKENESS = 0.5
ENDING = 3  # characters in common that make two slugs worth comparing
MAX_ALIKE = 60  # slugs with the same word, beginning or end that are compared
MAX_WORDS = 6  # of a name

_COMMON = STOP_WORDS | TITLES | gazetteer.JARGON | {slug_of(name) for name in gazetteer.NOT_NAMES}
_LABEL = lazy_pattern(r"[a-z]{1,2}-?\d{1,3}|\d+[a-z]{0,2}(?:-\d+[a-z]{0,2})*")
_IDENTIFIER = lazy_pattern(r"(?=[a-z-]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*|u[0-9a-f]{4}(?:-?u[0-9a-f]{4})*")


def likeness(one: str, other: str) -> float:
    """How alike two slugs are, 0 to 1: the part of the longer one that need not be changed."""
    longest = max(len(one), len(other))
    if one == other or not longest:
        return 1.0
    if one in other or other in one:
        return max(PART_LIKENESS, min(len(one), len(other)) / longest)
    return 1.0 - _distance(one, other) / longest


def alike_pairs(slugs: Sequence[str]) -> list[tuple[float, str, str]]:
    """Pairs of distinct slugs with a likeness of at least `MIN_LIKENESS`, the most alike first."""
    pairs = {pair for group in _groups(slugs) for pair in combinations(sorted(group), 2)}
    rated = ((likeness(one, other), one, other) for one, other in pairs if _can_be_alike(one, other))
    return sorted((found for found in rated if found[0] >= MIN_LIKENESS), key=lambda found: (-found[0], *found[1:]))


def is_part(one: str, other: str) -> bool:
    """Whether one of two slugs contains the other."""
    return one in other or other in one


def ambiguous_given_names(slugs: Iterable[str]) -> frozenset[str]:
    """First words with which several of these slugs of people begin."""
    firsts = [slug.partition("-")[0] for slug in set(slugs) if "-" in slug]
    return frozenset(first for first in firsts if firsts.count(first) > 1)


def doubt(slug: str) -> str | None:
    """Why a slug is hardly that of a named thing; None if nothing speaks against it."""
    words = slug.split("-")
    if not any(character.isalpha() for character in slug):
        return "number"
    if _IDENTIFIER.fullmatch(slug):
        return "identifier"
    if _LABEL.fullmatch(slug) and not flags(slug) & NAMES:
        return "label"
    if slug in _COMMON or all(word in STOP_WORDS or word.isdigit() for word in words):
        return "common-word"
    if len(words) > MAX_WORDS:
        return "phrase"
    return None


def _groups(slugs: Sequence[str]) -> Iterator[list[str]]:
    """Slugs that have a word, a beginning or an end in common; of a large group the first ones."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for slug in slugs:
        marks = {("word", word) for word in slug.split("-")}
        for mark in marks | {("begin", slug[:ENDING]), ("end", slug[-ENDING:])}:
            found.setdefault(mark, {})[slug] = None
    yield from ([*group][:MAX_ALIKE] for group in found.values())


def _can_be_alike(one: str, other: str) -> bool:
    """Whether their lengths allow it."""
    short, long = sorted((len(one), len(other)))
    return short >= long * MIN_LIKENESS or is_part(one, other)


def _distance(one: str, other: str) -> int:
    """The number of characters to insert, delete or replace (Levenshtein)."""
    row = list(range(len(other) + 1))
    for count, letter in enumerate(one, 1):
        before, row[0] = row[0], count
        for place, theirs in enumerate(other, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (letter != theirs))
    return row[-1]
