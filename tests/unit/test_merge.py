"""Merging a model's extraction into that of the rules."""

from __future__ import annotations

from jotsam.core.records import Entity, Fact
from jotsam.pipeline.dates.periods import Period
from jotsam.pipeline.extraction.extract import RULES, Extraction, merge

MODEL = "llm:m"


def entity(name: str, category: str, extractor: str) -> Entity:
    return Entity(category=category, slug=name.lower(), name=name, extractor=extractor)


def fact(object: str, extractor: str) -> Fact:
    return Fact(subject="Ana", predicate="uses", object=object, extractor=extractor)


BY_RULES = Extraction(
    extractor=RULES,
    entities=(entity("Redis", "concepts", RULES), entity("Ana", "people", RULES)),
    speaker=entity("Bob", "people", RULES),
    facts=(fact("redis", RULES), fact("Kafka", RULES)),
    periods=(Period(first=0, until=5), Period(first=0, until=9)),
    summary="By rules.",
    type="Context",
    type_confidence=0.3,
    importance=0.4,
)
BY_MODEL = Extraction(
    extractor=MODEL,
    entities=(entity("Redis", "tools", MODEL),),
    facts=(fact("Redis", MODEL),),
    periods=(Period(first=0, until=9, text="today"),),
    summary="By a model.",
    type="Decision",
    importance=0.9,
    rejected=("entities[1]",),
)


def test_the_version_of_the_model_is_kept_for_items_that_both_found():
    merged = merge(BY_RULES, BY_MODEL)
    assert [(one.name, one.category, one.extractor) for one in merged.entities] == [
        ("Redis", "tools", MODEL),
        ("Ana", "people", RULES),
    ]
    assert [(one.object, one.extractor) for one in merged.facts] == [("Redis", MODEL), ("Kafka", RULES)]
    assert [(one.until, one.text) for one in merged.periods] == [(9, "today"), (5, "")]
    assert merged.speaker == BY_RULES.speaker


def test_a_small_model_adds_items_and_changes_none():
    merged = merge(
        BY_RULES, BY_MODEL.replace(only_adds=True, entities=(*BY_MODEL.entities, entity("C", "tools", MODEL)))
    )
    assert [(one.name, one.category, one.extractor) for one in merged.entities] == [
        ("Redis", "concepts", RULES),
        ("Ana", "people", RULES),
        ("C", "tools", MODEL),
    ]


def test_single_values_of_the_model_replace_those_of_the_rules():
    merged = merge(BY_RULES, BY_MODEL)
    assert (merged.extractor, merged.summary, merged.type, merged.importance) == (MODEL, "By a model.", "Decision", 0.9)
    assert (merged.type_confidence, merged.rejected) == (0.8, ("entities[1]",))


def test_values_that_the_model_lacks_stay_those_of_the_rules():
    merged = merge(BY_RULES, Extraction(extractor=MODEL))
    assert merged == BY_RULES.replace(extractor=MODEL)


def test_a_degraded_result_adds_its_reason_and_keeps_the_stored_rejections():
    merged = merge(BY_RULES, Extraction(extractor=MODEL, degraded="Refused: no"))
    assert merged == BY_RULES.replace(degraded="Refused: no", rejected=None, changes=None, hints=None)
