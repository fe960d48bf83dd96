"""`jotsam entities`, `graph`, `patterns`, `facts` and `allow`: what memory knows, as lists, and corrected by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

pytestmark = pytest.mark.on_both

EXAMPLE = "AKIA" + "IOSFODNN7EXAMPLE"


def test_entities_are_listed_merged_and_split(jotsam: Shell) -> None:
    for text in ("We use Redis.", "We use Redis and Kafka."):
        jotsam("remember", text)
    jotsam("work")
    listed = jotsam("entities", "--category", "tools").stdout.splitlines()
    assert [line.split()[:3] for line in listed[1:]] == [["tools:redis", "Redis", "2"], ["tools:kafka", "Kafka", "1"]]
    assert [one["slug"] for one in jotsam.json("entities", "--named", "kaf")["entities"]] == ["kafka"]
    assert jotsam("entities", "--named", "elephant").stdout == "no matching entities\n"
    said = jotsam("entities", "merge", "tools:kafka", "tools:redis").stdout
    assert said == "tools:kafka is now an alias of entity:tools:redis\n"
    (one,) = jotsam.json("entities", "--category", "tools")["entities"]
    assert (one["slug"], one["memories"]) == ("redis", 2)
    assert jotsam.json("entities", "split", "tools:kafka") == {
        "schema": 1,
        "split": "tools:kafka",
        "from": "entity:tools:redis",
    }
    assert len(jotsam.json("entities", "--category", "tools")["entities"]) == 2


def test_the_graph_of_a_memory_and_the_patterns_it_shows(jotsam: Shell) -> None:
    assert jotsam("patterns").stdout == "no patterns found yet\n"
    places = ("kitchen", "hall", "garden")
    ids = [jotsam.json("remember", f"We decided to paint the {place} green.")["receipt"]["id"] for place in places]
    jotsam("work")
    (pattern,) = jotsam.json("patterns", "--type", "Decision")["patterns"]
    assert pattern["occurrences"] == 3
    around = jotsam.json("graph", ids[1][:8])
    assert {(one["id"], one["outgoing"]) for one in around["neighbours"]} >= {(ids[0], True), (ids[2], False)}
    assert "PRECEDED_BY" in jotsam("graph", ids[1]).stdout
    assert "digraph" in jotsam("graph", ids[1], "--dot").stdout


def test_what_is_allowed_stands_until_it_is_taken_back(jotsam: Shell) -> None:
    assert "no text that looks like a secret is allowed" in jotsam("allow").stdout
    mark = jotsam.json("allow", EXAMPLE, "--reason", "an example")["fingerprint"]
    jotsam("remember", f"The key {EXAMPLE} is in the manual.")
    assert EXAMPLE in jotsam("recall", "manual").stdout
    assert "an example" in jotsam("allow").stdout
    assert jotsam.json("allow", "--remove", mark)["removed"] == 1
    jotsam("remember", f"The key {EXAMPLE} is in the handbook.")
    assert EXAMPLE not in jotsam("recall", "handbook").stdout
