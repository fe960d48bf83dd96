"""Detect recurring themes: terms that a memory shares with recent memories of its type, ranked by TF-IDF."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from math import log

from jotsam.core.patterns import lazy_pattern
from jotsam.core.records import Record
from jotsam.pipeline.entities import gazetteer as gazetteer
from jotsam.pipeline.languages.en import STOP_WORDS
from jotsam.pipeline.text.slugs import slug
from jotsam.pipeline.text.tokens import without_noise
from jotsam.pipeline.text.words import bigrams

MIN_MEMORIES = 3  # with a term, including the new memory, for the term to be a theme
MAX_TERMS, MAX_THEMES, MAX_SHARED = 12, 3, 5
_MAX_SHARE = 0.5
_MIN_MEMORIES_FOR_SHARE = 20

_WORD = lazy_pattern(r"[^\W\d_][\w+#-]{2,}")
_GENERIC = gazetteer.word_set(
    """
    decide decided decides decision chose chosen choose picked going went settled agreed prefer prefers preferred
    preference like likes love loves hate hates enjoy use uses used using always never usually often every time times
    day days week weeks month months year years today yesterday tomorrow realize realized realised discovered learned
    found figured turns turned out tend tends typically regularly habit routine daily weekly instead rather better
    make makes made get gets got one two three new good really also still need needs want wants work works thing things
    way lot people via per yet ever something everything because since when whenever been will
    """
)
_SKIPPED = STOP_WORDS | _GENERIC


class Theme(Record):
    """A recurring term, the terms that its memories share, and the numbers of those memories."""

    term: str
    shared: tuple[str, ...]  # the term first
    members: tuple[int, ...]


def frequent_terms(text: str) -> tuple[str, ...]:
    """The most frequent content words of a text, at most 12, ties in order of appearance."""
    plain = without_noise(text[:20_000], ())
    words = [_singular(lower) for word in _WORD.findall(plain) if (lower := word.lower()) not in _SKIPPED]
    counts = Counter([word for word in words if word not in _GENERIC] + bigrams(plain).split())
    return tuple(term for term, _ in counts.most_common(MAX_TERMS))


def _singular(word: str) -> str:
    """The singular of a regular plural: "migrations" gives "migration"."""
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def find_themes(own: Collection[str], others: Mapping[int, Collection[str]], *, number: int) -> tuple[Theme, ...]:
    """The themes that memory `number` shares with `others`, by descending TF-IDF, at most 3.

    `own` are the terms of the new memory; `others` maps memory numbers to terms. A term in more than half of 20 or
    more memories is too common to be a theme.
    """
    memories = {**others, number: own}
    size = len(memories)
    weighed: list[tuple[float, str, tuple[int, ...]]] = []
    for term in own:
        members = tuple(sorted(at for at, gazetteer in memories.items() if term in gazetteer))
        common = size >= _MIN_MEMORIES_FOR_SHARE and len(members) > _MAX_SHARE * size
        if len(members) >= MIN_MEMORIES and not common and slug(term):
            weighed.append((log((size + 1) / len(members)) * len(members), term, members))
    found: dict[tuple[int, ...], Theme] = {}
    for _, term, members in sorted(weighed, key=lambda one: (-one[0], one[1])):
        if members not in found and len(found) < MAX_THEMES:
            found[members] = Theme(term=term, shared=_shared(term, members, memories), members=members)
    return tuple(found.values())


def _shared(term: str, members: Collection[int], memories: Mapping[int, Collection[str]]) -> tuple[str, ...]:
    """The terms that more than half of the members have, the theme first."""
    counts = Counter(word for at in members for word in memories[at])
    often = [word for word, count in counts.items() if 2 * count > len(members) and word != term]
    return (term, *sorted(often, key=lambda word: (-counts[word], word))[: MAX_SHARED - 1])
