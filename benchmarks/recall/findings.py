"""Synthetic entities and facts, as many as the rules find in real documents, saved as a worker saves them.

Of 816 chunks of 116 real documents (hand-offs, plans, specifications, changelogs) the rules and the tagger make 957
mentions of 105 entities and as many tags, 1,614 titles of 604 names, 127 dates, and 423 facts in 133 of the chunks. The
names of entities are drawn by Zipf's law: the most frequent are mentioned by thousands, and most by few.
"""

from __future__ import annotations

import itertools
import random
from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jotsam.core.records import Entity, Fact, Memory
from jotsam.storage.graph import facts, graph
from jotsam.storage.memories import memories

if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

RULES = "rules/3"
CHUNKS, MENTIONS, NAMED, SAYING, FACTS = 816, 957, 127, 133, 423
CATEGORIES = ("tools", "organizations", "people", "projects")
PREDICATES = ("described_as", "described_as", "described_as", "defaults_to", "uses", "is")
DAY_MS = 86_400_000
NAMES = 30_000
_SUMS = list(itertools.accumulate(1 / (place + 2.7) for place in range(NAMES)))


@dataclass(frozen=True, kw_only=True)
class Findings:
    """The entities and facts of one memory."""

    names: Sequence[str]
    heading: str
    facts: Sequence[Fact]
    named: tuple[int, int] | None  # a time that it names


def drawn(dice: random.Random, *, size: int, said_at: int, about: Sequence[str]) -> Findings:
    """What is found in a memory of so many that has these words."""
    mentioned = MENTIONS // CHUNKS + (dice.random() < MENTIONS / CHUNKS % 1)
    names = [name(bisect(_SUMS, dice.random() * _SUMS[-1])) for _ in range(mentioned)]
    said = round(FACTS / SAYING) if dice.random() < SAYING / CHUNKS else 0
    objects = dice.sample(about, min(said, len(about)))
    first = said_at - dice.randint(0, 60) * DAY_MS
    return Findings(
        names=names,
        heading=name(dice.randrange(max(1, size // 2))),
        facts=[
            Fact(subject=names[0], predicate=dice.choice(PREDICATES), object=one, confidence=0.6, extractor=RULES)
            for one in objects
        ],
        named=(first, first + dice.randint(1, 27) * DAY_MS) if dice.random() < NAMED / CHUNKS else None,
    )


def write(tx: Transaction, memory: Memory, ref: int, found: Findings) -> None:
    """Save it as a worker does."""
    entities = [
        Entity(category=CATEGORIES[len(one) % len(CATEGORIES)], slug=one.lower(), name=one, extractor=RULES)
        for one in dict.fromkeys(found.names)
    ]
    graph.mention(tx, number=ref, entities=entities)
    tags = [f"entity:{one.category}:{one.slug}" for one in entities]
    memories.tag(tx, number=ref, tags=tags, extractor=RULES)
    called = {(memory.actor or "").lower(), found.heading.lower()}
    graph.set_titles(tx, number=ref, slugs=called)
    facts.save(tx, number=ref, memory=memory.id, facts=found.facts)
    memories.set_date_ranges(tx, number=ref, periods=[found.named] if found.named else [])


def name(place: int) -> str:
    """The n-th name, with an ending that no word of the corpus has."""
    return f"{letters(place).capitalize()}q"


def letters(place: int) -> str:
    """A number as syllables, least significant first."""
    syllables = []
    place += 30
    while place:
        place, rest = divmod(place, 60)
        syllables.append("bdfgklmnprtv"[rest // 5] + "aeiou"[rest % 5])
    return "".join(syllables)
