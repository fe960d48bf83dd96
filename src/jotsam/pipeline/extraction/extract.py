"""Extraction: entities, facts, periods, type, summary and importance of a text. Rules here, a model's result merged in.

This is pure code: where a text comes from and where the result is stored is decided elsewhere.

Calls rules so that one that fails costs what it would have found, and nothing else.
"""

from __future__ import annotations

from jotsam.core.records import Entity, Fact, Record
from jotsam.pipeline.dates.parse_dates import find_dates
from jotsam.pipeline.dates.periods import Period
from jotsam.pipeline.entities.filter import NameTagger
from jotsam.pipeline.entities.roles import is_role
from jotsam.pipeline.entities.rules import find_entities
from jotsam.pipeline.extraction.classify import classify
from jotsam.pipeline.extraction.summarise import summarise
from jotsam.pipeline.extraction.topics import topic_tags
from jotsam.pipeline.facts.find_facts import find_facts
from jotsam.pipeline.text.slugs import slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import ParamSpec, TypeVar

    P = ParamSpec("P")
    T = TypeVar("T")

# The extractor name of the rules. Increase the number when a change makes it worth reprocessing memories.
RULES = "rules/4"

# The confidence of a type whose model does not state one.
MODEL_TYPE_CONFIDENCE = 0.8
FAILED_RULE = "the rule"  # begins what is told of a rule that failed
# What a wrong rule raises. A model's server, a full disk and an interruption are not the fault of a rule.
RULE_ERRORS = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class JudgedChange(Record):
    """What a model says that a text does to an earlier memory: it retires it, or only casts doubt on it."""

    memory: int
    text: str  # of the earlier memory, as it was judged
    is_end: bool
    sentence: str  # of the newer text
    extractor: str


class Extraction(Record):
    """What was extracted from one text, by the rules, a language model or an agent. None: not determined.

    Entities and facts name their own extractor, because a merged extraction has those of both.
    """

    extractor: str
    entities: tuple[Entity, ...] = ()
    speaker: Entity | None = None  # the actor; linked like a mention, but not tagged
    facts: tuple[Fact, ...] = ()
    periods: tuple[Period, ...] = ()  # that the text mentions
    summary: str | None = None
    type: str | None = None
    type_confidence: float | None = None
    importance: float | None = None
    degraded: str | None = None  # why no model was used although one is configured
    awaits_model: bool = False  # degraded because of the server, so the model is asked again when it replies
    only_adds: bool = False  # what the rules found stays: of a small model, which takes people for tools
    topics: tuple[str, ...] = ()  # tags by topic, found by the rules
    rejected: tuple[str, ...] | None = ()  # invalid items of a reply, each with its reason; None: keep those stored
    changes: tuple[JudgedChange, ...] | None = ()  # None: keep those stored
    hints: frozenset[str] | None = frozenset()  # stems of questions that it answers, and broader ones; None: as above
    failed_rules: tuple[str, ...] = ()  # each with its error: what they would have found is missing


def extract(text: str, *, said_at: int, actor: str | None = None, tagger: NameTagger | None = None) -> Extraction:
    """What the rules find. `said_at` is in milliseconds; "I" refers to `actor`. Line ends must be LF.

    A rule that fails costs what it would have found.
    """
    guard = Guard()
    classified = guard.one(classify, text)
    entities = guard.all(find_entities, text, tagger=tagger)
    names = [entity.name for entity in entities]
    facts = guard.all(find_facts, text, said_at=said_at, actor=actor, names=names, run=guard.all)
    return Extraction(
        extractor=extractor_name(tagger),
        entities=tuple(one.replace(extractor=one.extractor or RULES) for one in entities),
        speaker=speaker(actor),
        facts=tuple(fact.replace(extractor=RULES) for fact in facts),
        periods=guard.all(find_dates, text, said_at=said_at),
        summary=guard.one(summarise, text) or None,
        type=classified.type if classified else None,
        type_confidence=classified.confidence if classified else None,
        importance=classified.importance if classified else None,
        topics=guard.all(topic_tags, text),
        failed_rules=tuple(guard.failures),
    )


def extractor_name(tagger: NameTagger | None = None) -> str:
    """The extractor name without a language model: the rules and the tagger."""
    return f"{RULES} {tagger.name}" if tagger else RULES


def merge(rules: Extraction, model: Extraction) -> Extraction:
    """The rules' extraction with a model's merged in. Where both found an item, the model's version is kept, or that of
    the rules if the model only adds to it.

    A `degraded` model result only adds its reason.
    """
    if model.degraded is not None:
        return rules.replace(
            degraded=model.degraded, awaits_model=model.awaits_model, rejected=None, changes=None, hints=None
        )
    first, second = (rules, model) if model.only_adds else (model, rules)
    entities: dict[str, Entity] = {}
    for entity in (*first.entities, *second.entities):
        entities.setdefault(entity.slug, entity)
    facts: dict[tuple[str, str, str], Fact] = {}
    for fact in (*model.facts, *rules.facts):
        facts.setdefault((fact.subject.casefold(), fact.predicate, fact.object.casefold()), fact)
    periods: dict[tuple[int, int], Period] = {}
    for period in (*model.periods, *rules.periods):
        periods.setdefault((period.first, period.until), period)
    return rules.replace(
        extractor=model.extractor,
        entities=tuple(entities.values()),
        facts=tuple(facts.values()),
        periods=tuple(periods.values()),
        summary=model.summary or rules.summary,
        type=model.type or rules.type,
        type_confidence=_type_confidence(model) if model.type else rules.type_confidence,
        importance=rules.importance if model.importance is None else model.importance,
        rejected=model.rejected,
        changes=model.changes,
        hints=model.hints,
    )


def _type_confidence(model: Extraction) -> float:
    return MODEL_TYPE_CONFIDENCE if model.type_confidence is None else model.type_confidence


def speaker(actor: str | None) -> Entity | None:
    """The actor of a memory, as an entity that it mentions."""
    label = slug(actor) if actor else ""
    is_person = bool(label) and not is_role(label)
    return Entity(category="people", slug=label, name=str(actor), extractor=RULES) if is_person else None


class Guard:
    """Calls rules, and keeps which of them failed in `failures`, without words of their text."""

    def __init__(self) -> None:
        self.failures: list[str] = []

    def one(self, rule: Callable[P, T], *args: P.args, **options: P.kwargs) -> T | None:
        """What the rule returns, or None if it fails."""
        try:
            return rule(*args, **options)
        except RULE_ERRORS as error:
            self.failures.append(f"{FAILED_RULE} {getattr(rule, '__name__', rule)} failed: {_place(error)}")
            return None

    def all(self, rule: Callable[P, Iterable[T]], *args: P.args, **options: P.kwargs) -> tuple[T, ...]:
        """All that the rule finds, or nothing if it fails, also after it has found something."""

        def found() -> tuple[T, ...]:
            return tuple(rule(*args, **options))

        found.__name__ = rule.__name__
        return self.one(found) or ()


def _place(error: BaseException) -> str:
    """The error and the line that raised it. Its message may hold words of the text."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None:
        return type(error).__name__
    return f"{type(error).__name__} in {last.tb_frame.f_globals.get('__name__')}, line {last.tb_lineno}"
