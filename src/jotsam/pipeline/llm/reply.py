"""Validates the reply of a language model or an agent, and turns it into an `Extraction`.

Each item is checked by itself: an entity or fact that does not occur in the text is rejected and listed with the
reason. A reply without any valid item is an error.
"""

from __future__ import annotations

import re

from jotsam.core.errors import InvalidInput, Malformed
from jotsam.core.records import Entity, Fact
from jotsam.pipeline.dates.iso import parse_span
from jotsam.pipeline.dates.periods import Period
from jotsam.pipeline.extraction.extract import Extraction
from jotsam.pipeline.facts.predicates import in_set, normalise_predicate
from jotsam.pipeline.llm.json_schema import excerpt, first_error, format_path
from jotsam.pipeline.llm.prompt import (
    DATE,
    ENTITY,
    FACT,
    MAX_ITEMS,
    MAX_QUESTIONS,
    MAX_WORDS,
    QUESTION,
    SCHEMA,
    VERDICT,
    WORD,
)
from jotsam.pipeline.llm.reply_object import find_object
from jotsam.pipeline.llm.verdicts import judged_change
from jotsam.pipeline.notes.words import terms
from jotsam.pipeline.text.slugs import slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeVar

    from jotsam.pipeline.llm.prompt import Context

    T = TypeVar("T")

MAX_SUMMARY_CHARACTERS = 240
DEFAULT_CONFIDENCE = 0.7

# Subjects that a model may write although the text does not: it names the speaker, or "we", in its own words.
GENERIC_SUBJECTS = frozenset(
    ("user", "speaker", "author", "writer", "i", "we", "team", "company", "project", "customer", "agent", "assistant")
)
_WORD = re.compile(r"[^\W_]+")


def parse_reply(reply: str, *, text: str, context: Context, extractor: str) -> Extraction:
    """The extraction in a model's reply. Raises `Malformed` if nothing in it is usable."""
    return validate_extraction(
        find_object(reply, SCHEMA["properties"]), text=text, context=context, extractor=extractor
    )


def validate_extraction(found: dict[str, Any], *, text: str, context: Context, extractor: str) -> Extraction:
    """The valid items of an object, checked against the schema and the text. Raises `Malformed` if none is left."""
    rejected: list[str] = []
    source = " ".join((text, context.source, context.section, context.actor))
    words, plain = frozenset(_words(source)), _plain(source)
    before = frozenset(_words(" ".join(f"{turn.actor} {turn.text}" for turn in context.turns)))
    entities = _items(found, "entities", ENTITY, lambda item: _entity(item, plain, extractor), rejected)
    facts = _items(found, "facts", FACT, lambda item: _fact(item, words, before, extractor), rejected)
    periods = _items(found, "dates", DATE, _period, rejected)
    if rejected and not (entities or facts or periods):
        raise Malformed(f"no item of the model's reply is valid: {'; '.join(rejected[:3])}")
    if "entities" not in found and "facts" not in found:
        raise Malformed(f"the model's reply has neither entities nor facts: {excerpt(found)}")
    judged = _items(found, "verdicts", VERDICT, lambda item: judged_change(item, text, context, extractor), rejected)
    changes = {one.memory: one for one in reversed(judged) if one is not None}  # The first one of each counts.
    return Extraction(
        extractor=extractor,
        entities=_unique(entities, _entity_key),
        facts=_unique(facts, _fact_key),
        periods=tuple(periods),
        summary=_summary(_value(found, "summary", rejected)),
        type=_value(found, "type", rejected),
        type_confidence=_value(found, "type_confidence", rejected),
        importance=_value(found, "importance", rejected),
        changes=tuple(changes.values()),
        hints=_hints(found, " ".join((source, *(turn.text for turn in context.turns))), rejected),
        rejected=tuple(rejected),
    )


def join_parts(parts: Sequence[Extraction]) -> Extraction:
    """The extractions of the parts of one text as one. Summary and type are those of the first part."""
    entities = {_entity_key(entity): entity for part in parts for entity in part.entities}
    facts = {_fact_key(fact): fact for part in parts for fact in part.facts}
    return parts[0].replace(
        entities=tuple(entities.values()),
        facts=tuple(facts.values()),
        periods=tuple(period for part in parts for period in part.periods),
        importance=max((part.importance for part in parts if part.importance is not None), default=None),
        hints=frozenset().union(*(part.hints or () for part in parts)),
        rejected=tuple(reason for part in parts for reason in part.rejected or ()),
    )


def _entity_key(entity: Entity) -> tuple[str, str]:
    return entity.category, entity.slug


def _fact_key(fact: Fact) -> tuple[str, str, str]:
    return fact.subject, fact.predicate, fact.object


def _unique(items: Iterable[T], key: Callable[[T], object]) -> tuple[T, ...]:
    """The first item of each key."""
    first: dict[object, T] = {}
    for item in items:
        first.setdefault(key(item), item)
    return tuple(first.values())


def _items(
    found: dict[str, Any], name: str, schema: dict[str, Any], parse: Callable[[Any], T], rejected: list[str]
) -> list[T]:
    """The valid items of a list. The others are added to `rejected`."""
    items = found.get(name, [])
    if not isinstance(items, list):
        rejected.append(f"{name} must be a list, not {excerpt(items)}")
        return []
    valid = []
    for number, item in enumerate(items[: 2 * MAX_ITEMS]):
        if item in items[:number]:
            continue  # Small models repeat themselves.
        filled = _with_defaults(item, schema)
        error = first_error(filled, schema)
        try:
            if error:
                raise InvalidInput(f"{format_path(error[0])} {error[1]}")
            valid.append(parse(filled))
        except InvalidInput as reason:
            rejected.append(f"{name}[{number}] {excerpt(item)}: {reason}")
    return valid[:MAX_ITEMS]


def _with_defaults(item: object, schema: dict[str, Any]) -> Any:
    """An item with defaults for optional properties, and without unknown ones."""
    if not isinstance(item, dict):
        return item
    defaults = {"confidence": DEFAULT_CONFIDENCE, "valid_from": None, "valid_until": None, "last": None}
    known = schema.get("properties", {})
    kept = {name: _listed(value, known[name]) for name, value in item.items() if name in known}
    return {name: value for name, value in defaults.items() if name in known} | kept


def _listed(value: Any, schema: dict[str, Any]) -> Any:
    """A value of a closed list as that list spells it: `tools` for `Tools`."""
    spelled = {one.casefold(): one for one in schema.get("enum", ())}
    return spelled.get(value.strip().casefold(), value) if isinstance(value, str) else value


def _entity(item: dict[str, Any], plain: str, extractor: str) -> Entity:
    name = " ".join(item["name"].split())
    label = slug(name)
    if not label or not any(character.isalpha() for character in label):
        raise InvalidInput(f"{name!r} is not a name")
    if _plain(name) not in plain:
        raise InvalidInput(f"{name!r} is not in the text")
    return Entity(
        category=item["category"], slug=label, name=name, confidence=float(item["confidence"]), extractor=extractor
    )


def _fact(item: dict[str, Any], source_words: frozenset[str], before: frozenset[str], extractor: str) -> Fact:
    """A fact that the text states. One of subject and object may be named in the turns `before` alone."""
    subject, object = (" ".join(item[name].split()) for name in ("subject", "object"))
    if not normalise_predicate(item["predicate"]):
        raise InvalidInput(f"invalid predicate {item['predicate']!r}")
    if subject.casefold() == object.casefold():
        raise InvalidInput("subject and object are the same")
    is_in_text = 0
    for name, value in (("subject", subject), ("object", object)):
        words = frozenset(_words(value))
        is_generic = name == "subject" and bool(words & GENERIC_SUBJECTS)
        has_most = 2 * len(words & source_words) >= len(words)
        is_in_text += has_most
        if not (is_generic or has_most or 2 * len(words & (source_words | before)) >= len(words)):
            raise InvalidInput(f"the {name} {value!r} is not in the text")
    if before and not is_in_text:
        raise InvalidInput("the turns before say it, and not the text")
    first, last = parse_span(item["valid_from"]), parse_span(item["valid_until"])
    if first and last and last[1] < first[0]:
        raise InvalidInput(f"valid_until ({item['valid_until']}) is before valid_from ({item['valid_from']})")
    fact = Fact(
        subject=subject,
        predicate=item["predicate"],
        object=object,
        confidence=float(item["confidence"]),
        valid_from=first[0] if first else None,
        valid_until=last[1] + 1 if last else None,
        extractor=extractor,
    )
    return in_set(fact)


def _hints(found: dict[str, Any], source: str, rejected: list[str]) -> frozenset[str]:
    """The stems of the questions that a text answers, and of the broader words."""
    about = terms(source)

    def question(given: str) -> frozenset[str]:
        asked = terms(given)
        if not asked & about:
            raise InvalidInput("the question has no word of the text")
        return asked

    questions = _items(found, "questions", QUESTION, question, rejected)[:MAX_QUESTIONS]
    words = _items(found, "words", WORD, terms, rejected)[:MAX_WORDS]
    return frozenset().union(*questions, *words)


def _period(item: dict[str, Any]) -> Period:
    first, last = parse_span(item["first"]), parse_span(item["last"])
    if first is None:
        raise InvalidInput(f"{item['first']!r} is not a date")
    end = last[1] if last else first[1]
    if end < first[0]:
        raise InvalidInput(f"last ({item['last']}) is before first ({item['first']})")
    return Period(text=item["words"].strip(), first=first[0], until=end + 1)


def _value(found: dict[str, Any], name: str, rejected: list[str]) -> Any:
    """A single value of the reply; None if it is missing, or invalid and added to `rejected`."""
    schema = SCHEMA["properties"][name]
    value = _listed(found.get(name), schema)
    error = first_error(value, schema) if value is not None else None
    if error:
        rejected.append(f"{name} {error[1]}")
    return None if error else value


def _summary(text: str | None) -> str | None:
    """One line, truncated between words."""
    line = " ".join((text or "").split())
    if len(line) > MAX_SUMMARY_CHARACTERS:
        line = line[: MAX_SUMMARY_CHARACTERS - 1].rpartition(" ")[0] or line[: MAX_SUMMARY_CHARACTERS - 1]
        line = f"{line.rstrip(' ,;:')}…"
    return line or None


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").casefold().split())


def _words(text: str) -> Iterable[str]:
    """The words of a text in lower case; in scripts without spaces, its characters."""
    for word in _WORD.findall(text.casefold().replace("_", " ")):
        if word > "\u2e80":
            yield from word
        else:
            yield word
