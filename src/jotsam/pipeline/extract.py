"""All that is found in a text without a language model, in one call: what `enrich` asks of the rules.

The rooms behind it know nothing of each other's results. It must not know where the text comes from, nor what becomes
of what was found.
"""

from __future__ import annotations

from jotsam.core.records import Entity, Fact, Record
from jotsam.pipeline.classify import classify
from jotsam.pipeline.dates.parse_dates import Period, memory_periods
from jotsam.pipeline.entities.filter import NameTagger
from jotsam.pipeline.entities.rules import find_entities
from jotsam.pipeline.facts import find_facts
from jotsam.pipeline.summarise import summarise

RULES = "rules/3"
"""Who has found it. The number rises with every change of the rules that should make somebody read again."""


class Findings(Record):
    """What a text is about."""

    entities: tuple[Entity, ...]
    facts: tuple[Fact, ...]
    summary: str  # "" for a text without a word
    type: str
    confidence: float  # of the type
    importance: float
    periods: tuple[Period, ...]  # when what it tells of may have been, the narrowest first


def findings(text: str, *, said_at: int, actor: str | None = None, tagger: NameTagger | None = None) -> Findings:
    """What the rules find. `said_at` is in milliseconds; "I" is the `actor`. Lines must end in LF."""
    kind = classify(text)
    return Findings(
        entities=find_entities(text, tagger=tagger),
        facts=tuple(fact.replace(extractor=RULES) for fact in find_facts(text, said_at=said_at, actor=actor)),
        summary=summarise(text),
        type=kind.type,
        confidence=kind.confidence,
        importance=kind.importance,
        periods=memory_periods(text, said_at=said_at),
    )
