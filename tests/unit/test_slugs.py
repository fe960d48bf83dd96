"""Slugs of names, and the title slugs of a text."""

from __future__ import annotations

import pytest

from jotsam.pipeline.text.slugs import slug, title_slugs


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("John Smith", "john-smith"),
        ("José García", "jose-garcia"),
        ("Jose\u0301 Garci\u0301a", "jose-garcia"),
        ("Søren Kierkegaard", "soren-kierkegaard"),
        ("Łódź Straße", "lodz-strasse"),
        ("C++", "c++"),
        ("C#", "c#"),
        ("3M", "3m"),
        ("VS Code", "vs-code"),
        ("pg_trgm", "pg-trgm"),
        ("王小明", "王小明"),
        ("データ", "データ"),
        ("한국어", "한국어"),
        ("--", ""),
    ],
)
def test_a_slug_is_ascii_for_latin_letters_and_keeps_other_scripts(name: str, expected: str) -> None:
    """AM-12."""
    assert slug(name) == expected


@pytest.mark.parametrize(
    ("actor", "section", "source", "expected"),
    [
        ("Brand (play)", "", None, {"brand"}),
        ("Rochester, New York", "", None, {"rochester", "rochester-new-york"}),
        (None, "Guide > Billing service (2/3)", "docs/billing.md", {"billing-service", "billing"}),
        (None, "", "C:\\notes\\Ghent.txt", {"ghent"}),
        (None, "", "https://example.org/places/ghent/", {"ghent"}),
        (None, "", ".bashrc", {"bashrc"}),
        ("", "", "", set()),
        ("x" * 500, "", None, set()),
    ],
)
def test_the_titles_of_a_text_are_its_actor_heading_and_file_name(
    actor: str | None, section: str, source: str | None, expected: set[str]
) -> None:
    assert title_slugs(actor, section, source) == expected
