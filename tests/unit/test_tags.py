"""Tags from entities, and tags from callers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Entity
from jotsam.pipeline.tags import clean_tags, tags


def test_an_entity_gives_a_tag_of_its_category_and_slug() -> None:
    """AM-4: a memory about a project carries entity:projects:launchpad."""
    launchpad = Entity(category="projects", slug="launchpad", name="Launchpad")
    john = Entity(category="people", slug="john-smith", name="John Smith")
    assert tags([launchpad, john, launchpad.replace(name="LAUNCHPAD")]) == (
        "entity:projects:launchpad",
        "entity:people:john-smith",
    )
    assert tags([]) == ()


def test_tags_are_stripped_and_kept_once_in_the_order_given() -> None:
    assert clean_tags([" b ", "a", "b", "数据库", "c d"]) == ("b", "a", "数据库", "c d")
    assert clean_tags(iter(["x"])) == ("x",)
    assert clean_tags(["x" * 200]) == ("x" * 200,)


@pytest.mark.parametrize(
    ("given_tags", "message"),
    [
        ([""], "tag '' is empty"),
        ([" \n"], "is empty"),
        ([7], "tag 7 is int"),
        ([None], "tag None is NoneType"),
        (["x" * 201], "201 characters: at most 200"),
        (["a\nb"], r"'a\nb' holds a control character"),
        (["a\x85b"], "holds a control character"),
        (["a\ud800"], "holds a control character"),
        ("urgent", "give a list of tags"),
    ],
)
def test_a_tag_that_is_not_allowed_is_named_with_its_rule(given_tags: list[object], message: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        clean_tags(given_tags)
    assert message in str(raised.value)


@given(st.lists(st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=200)))
def test_clean_tags_stay_as_they_are(given_tags: list[str]) -> None:
    assert clean_tags(given_tags) == tuple(dict.fromkeys(given_tags))
