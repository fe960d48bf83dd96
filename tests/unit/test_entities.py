"""Entities by rules."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from jotsam.pipeline.entities.rules import find_entities
from labelled_entities import LABELLED


def found(text: str) -> list[str]:
    return [f"{entity.category}:{entity.slug}" for entity in find_entities(text)]


ACCEPTED = [
    ("# Meet Alice Jones", ["people:alice-jones"]),
    ("He agreed with MacArthur", ["people:macarthur"]),
    ("We spent a week in Portugal, then two days in Osaka.", ["concepts:portugal", "concepts:osaka"]),
    ("# Brimfold\n\nBrimfold is a task runner for Lua.", ["tools:brimfold", "tools:lua"]),
    ("quillet is a parser. Install quillet first.", ["tools:quillet"]),
    ("See [Quillet](https://example.org) and *Brimfold*.", ["tools:quillet", "tools:brimfold"]),
    ("Replace brimfold with quillet-core.", ["tools:brimfold", "tools:quillet-core"]),
    ("Bumped quillet to 2.14 for the parser.", ["tools:quillet"]),
    ("The docs moved to NorthTable, and nobody missed the wiki.", ["tools:northtable"]),
    ("Reviewed by Tuulikki, merged after lunch.", ["people:tuulikki"]),
    ("Thanks, Marjolein! The photos are lovely.", ["people:marjolein"]),
    ("I am using Click and Rich for the terminal.", ["tools:click", "tools:rich"]),
    ("using Go and C++ and R", ["tools:go", "tools:c++", "tools:r"]),
    ("It is written in Rust.", ["tools:rust"]),
    ("She works at 3M now.", ["organizations:3m"]),
    ("met with 王小明 about it", ["people:王小明"]),
    ("met with Mary Jane Watson", ["people:mary-jane-watson"]),
    ("A book by Søren Kierkegaard.", ["people:soren-kierkegaard"]),
    ("a letter from Ludwig van Beethoven", ["people:ludwig-van-beethoven"]),
    ("met with Will about it", ["people:will"]),
    ("met with April Jones", ["people:april-jones"]),
    ("talked to Clement", ["people:clement"]),
    ("He works for Government.", ["organizations:government"]),
    ("using Config Server for it", ["tools:config-server"]),
    ("using `claude-code` and VS Code", ["tools:claude-code", "tools:vs-code"]),
    ("Would Caroline's sister come?", ["people:caroline"]),
    ("Would Caroline’s sister come?", ["people:caroline"]),
    ("Alex Beck's idea", ["people:alex-beck"]),
    ("because Marvin prefers it", ["people:marvin"]),
    ("We migrated from Foobar to Bazqux.", ["tools:foobar", "tools:bazqux"]),
    ("installed `ripgrep` and `uv`", ["tools:ripgrep", "tools:uv"]),
    ("a project called Jotsam", ["projects:jotsam"]),
    ("We evaluated SuperDuper, FooBarDB and Qdrant.", ["tools:superduper", "tools:foobardb", "tools:qdrant"]),
    ("Acme Robotics GmbH hired Bob.", ["organizations:acme-robotics-gmbh", "people:bob"]),
    ("Initech, Inc. and the University of Oxford", ["organizations:initech-inc", "organizations:university-of-oxford"]),
    ("she joined Alice for lunch", ["people:alice"]),
    ("Tomas Lindqvist of Ericsson spoke.", ["people:tomas-lindqvist", "organizations:ericsson"]),
    ("Bob joined Globex.", ["people:bob", "organizations:globex"]),
    ("Prof. Max Planck spoke about event sourcing", ["people:max-planck"]),
    ("We run Postgres, that is PostgreSQL.", ["tools:postgresql"]),
]

REJECTED = [
    "Press Save, click the box, and go with the flow.",
    "# Before You Begin\n\nSelect Compact in the menu.",
    "Agenda: Hire Staff, Cut Costs, Open Office. Status: Almost Done.",
    "The spring broke, rust ate the hinge, and the salt is in the black box.",
    "You've got mail. Don't open it. They'd rather wait.",
    "ask @somebodynew about #afternoonwalks",
    "[badge]: https://example.org/x.svg\n[![Build][build-image]][build-link]",
    "",
    "Completed the work. Advocacy matters. Key Findings follow.",
    "It took 400ms at 12k requests on Sep-22-2025.",
    "## Key Findings And The Plan",
    "# Writing in Go",
    "It took 5 ms Timeouts included",
    "the Lord of Misrule and the Duke of Cards",
    "The Plan is ready. Add the index.",
    "met with Data Dog and Bottom Line",
    "On Monday we Go to the store. Spring is here. Swift replies.",
    "Go to Railway-like places, or express a notion in linear time",
    "Mark Complete and Will it run? Max tokens: 5.",
    "see config.py, /usr/Bob/x, ./Alice/y/z, bob@Alice.com and https://Google.com/Docker",
    "```\nusing Docker with Alice\n```",
    "`AuthService` calls `get_alice()`",
    "working on the project: it was hard",
    "The Project Manager knows the Project Structure",
    "met with April",
    "joined Friday",
    "I procrastinate and whisper at the helm of a railway",
]


def wrong(table: Iterable[tuple[str, list[str]]]) -> dict[str, list[str]]:
    """What was found in each text whose entities are not the expected ones."""
    return {text: names for text, expected in table if (names := found(text)) != expected}


def test_the_labelled_texts_have_the_entities_of_their_labels() -> None:
    """AM-35, each row: no tool Alice, no person Redis, no half of José García."""
    assert wrong(LABELLED) == {}


def test_a_name_in_its_context_is_an_entity() -> None:
    """AM-23, AM-35: also short names, names of three words and names in other scripts."""
    assert wrong(ACCEPTED) == {}


def test_a_capital_letter_alone_is_not_an_entity() -> None:
    """AM-35: neither are verbs, headings, measures, dates and code."""
    assert wrong((text, []) for text in REJECTED) == {}


def test_an_entity_is_listed_once_with_its_first_spelling() -> None:
    first, second = find_entities("Using docker. Then Docker with Redis and DOCKER.")
    assert (first.name, first.slug, second.slug) == ("docker", "docker", "redis")


def test_a_text_has_at_most_32_entities() -> None:
    text = " ".join(f"We chose Tool{chr(65 + number // 8)}{'xyzuvwab'[number % 8]}Maker." for number in range(64))
    assert len(find_entities(text)) == 32


PIECES = (
    [text for text, _ in LABELLED + ACCEPTED] + REJECTED + ["Alice ", "met with ", "Project ", "van ", "Inc. ", "`"]
)


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=8).map(" ".join))
def test_entity_names_are_in_the_text_and_have_a_slug(text: str) -> None:
    words = " ".join(text.split())
    for entity in find_entities(text):
        assert entity.slug
        assert entity.category in ("people", "organizations", "tools", "concepts", "projects")
        assert all(part in words for part in entity.name.replace(".", " ").split())
