"""What a text about an entity says, of which facts, and in which order."""

from __future__ import annotations

from jotsam.pipeline.lifecycle.identity_text import MAX_CHARACTERS, MAX_SENTENCES, KnownFact, identity_text


def fact(predicate: str, object: str, *, subject: str = "Ana", **more: object) -> KnownFact:
    fields = {"confidence": 0.8, "at": 1, "is_about": subject == "Ana", "id": f"{subject} {predicate} {object}"}
    return KnownFact(subject=subject, predicate=predicate, object=object, **{**fields, **more})


def body(*facts: KnownFact) -> str | None:
    found = identity_text("Ana", facts)
    return found.body if found else None


def test_what_lasts_comes_first_and_facts_of_one_predicate_are_one_sentence() -> None:
    facts = [fact("went_to", "Lisbon"), fact("prefers", "tea."), fact("prefers", "hiking"), fact("is", "engineer")]
    assert body(*facts) == "Ana is engineer. Ana likes hiking and tea. Ana went to Lisbon."
    assert body(*reversed(facts)) == body(*facts)


def test_what_is_unsure_long_repeated_or_says_nothing_is_left_out() -> None:
    facts = [
        fact("is", "shy", confidence=0.5),
        fact("has", "x" * 81),
        fact("knows", "someone"),
        fact("located_in", "bed"),
    ]
    assert body(*facts) is None
    assert body(fact("treats", "2")) is None
    assert body(fact("version", "2")) == "Ana has version 2."
    assert body(fact("uses", "Redis", id="1"), fact("uses", "redis", id="2", at=9)) == "Ana uses redis."


def test_facts_with_it_as_their_object_are_told_if_there_are_two() -> None:
    one, other = fact("knows", "Ana", subject="Bob"), fact("met_with", "Ana", subject="Carl")
    assert body(one) is None
    assert body(one, other) == "Bob knows Ana. Carl met with Ana."


def test_it_is_short_and_its_sources_and_hash_are_those_of_the_facts_that_are_told() -> None:
    many = [fact(f"did_{number}", f"{number} " + "x" * 70) for number in range(40)]
    found = identity_text("Ana", many)
    assert found is not None
    assert len(found.body) <= MAX_CHARACTERS
    assert len(found.sources) == found.body.count(".") <= MAX_SENTENCES
    told = [one for one in many if one.id in found.sources]
    assert identity_text("Ana", told) == found
    changed = identity_text("Ana", [told[0].replace(object="nothing"), *told[1:]])
    assert changed is not None
    assert changed.hash != found.hash
