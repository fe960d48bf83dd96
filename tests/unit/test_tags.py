"""Tags from entities and from callers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Entity
from jotsam.pipeline.tags import clean_tags, entity_tags


def test_an_entity_becomes_a_tag_of_its_category_and_slug() -> None:
    """AM-4: a memory about a project carries entity:projects:launchpad."""
    launchpad = Entity(category="projects", slug="launchpad", name="Launchpad")
    john = Entity(category="people", slug="john-smith", name="John Smith")
    assert entity_tags([launchpad, john, launchpad.replace(name="LAUNCHPAD")]) == (
        "entity:projects:launchpad",
        "entity:people:john-smith",
    )
    assert entity_tags([]) == ()


def test_tags_are_stripped_and_deduplicated_in_order() -> None:
    assert clean_tags([" b ", "a", "b", "数据库", "c d"]) == ("b", "a", "数据库", "c d")
    assert clean_tags(iter(["x"])) == ("x",)
    assert clean_tags(["x" * 200]) == ("x" * 200,)


@pytest.mark.parametrize(
    ("given_tags", "message"),
    [
        ([""], "invalid tag '': must not be empty"),
        ([" \n"], "must not be empty"),
        ([7], "invalid tag 7: must be a string, not int"),
        ([None], "not NoneType"),
        (["x" * 201], "201 characters, the maximum is 200"),
        (["a\nb"], r"'a\nb': must not contain control characters"),
        (["a\x85b"], "must not contain control characters"),
        (["a\ud800"], "must not contain control characters"),
        ("urgent", "must be a list of strings"),
    ],
)
def test_an_invalid_tag_is_reported_with_its_rule(given_tags: list[object], message: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        clean_tags(given_tags)
    assert message in str(raised.value)


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=200)))
def test_clean_tags_stay_unchanged(given_tags: list[str]) -> None:
    assert clean_tags(given_tags) == tuple(dict.fromkeys(given_tags))
