"""`jotsam entities`, `graph`, `link`, `patterns`, `facts` and `allow`."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

EXAMPLE = "AKIA" + "IOSFODNN7EXAMPLE"


def remembered(jotsam: Shell, *texts: str) -> list[str]:
    ids = [jotsam.json("remember", text)["receipt"]["id"] for text in texts]
    jotsam("work")
    return ids


@pytest.mark.on_both
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


@pytest.mark.on_both
def test_a_memory_has_links_and_patterns(jotsam: Shell) -> None:
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


@pytest.mark.on_both
def test_allowed_text_is_not_redacted_until_it_is_removed(jotsam: Shell) -> None:
    assert "no text that looks like a secret is allowed" in jotsam("allow").stdout
    mark = jotsam.json("allow", EXAMPLE, "--reason", "an example")["fingerprint"]
    jotsam("remember", f"The key {EXAMPLE} is in the manual.")
    assert EXAMPLE in jotsam("recall", "manual").stdout
    assert "an example" in jotsam("allow").stdout
    assert jotsam.json("allow", "--remove", mark)["removed"] == 1
    jotsam("remember", f"The key {EXAMPLE} is in the handbook.")
    assert EXAMPLE not in jotsam("recall", "handbook").stdout


def test_people_are_merged_and_split_by_name(jotsam: Shell) -> None:
    remembered(jotsam, "Met with John Smith about Redis.", "Met with Jon Smith about Redis.")
    lines = jotsam("entities").stdout.splitlines()
    assert lines[0].split() == ["ENTITY", "NAME", "MEMORIES", "ALIASES"]
    assert lines[1].split()[:3] == ["tools:redis", "Redis", "2"]
    merged = jotsam("entities", "merge", "Jon Smith", "John Smith")
    assert (merged.returncode, "entity:people:john-smith" in merged.stdout) == (0, True)
    (john,) = jotsam.json("entities", "--category", "people")["entities"]
    assert (john["memories"], john["aliases"]) == (2, ["Jon Smith"])
    assert jotsam("entities", "split", "Jon Smith").returncode == 0
    assert len(jotsam.json("entities", "--named", "smith")["entities"]) == 2
    assert len(jotsam.json("entities", "--limit", "1")["entities"]) == 1


def test_a_recurring_theme_is_a_pattern(jotsam: Shell) -> None:
    remembered(jotsam, *(f"We decided to paint the {place} green." for place in ("kitchen", "hall", "garden")))
    (pattern, *_) = jotsam.json("patterns", "--type", "Decision")["patterns"]
    assert (pattern["type"], pattern["occurrences"]) == ("Decision", 3)
    assert "Decision" in jotsam("patterns").stdout
    assert jotsam("patterns", "--type", "Habit").stdout == "no patterns found yet\n"


def test_a_graph_is_printed_as_table_graphviz_svg_or_json(jotsam: Shell) -> None:
    one, two = remembered(jotsam, 'Met with John "Jo" Smith & son.', "We use Redis.")
    table = jotsam("graph", one[:8]).stdout
    assert table.startswith(one)
    assert f"from  PRECEDED_BY    0.50  {two}" in table
    dot = jotsam("graph", one[:8], "--dot").stdout
    assert (dot.startswith("digraph memory {"), dot.rstrip().endswith("}")) == (True, True)
    assert '\\"Jo\\"' in dot
    picture = ElementTree.fromstring(jotsam("graph", one[:8], "--svg").stdout)
    assert picture.tag.endswith("svg")
    assert [other["id"] for other in jotsam.json("graph", one[:8])["neighbours"]] == [two]


def test_facts_are_filtered_by_subject_object_project_and_word(jotsam: Shell) -> None:
    remembered(jotsam, "Marcus prefers Flask.", "The billing service uses PostgreSQL.")
    assert [fact["object"] for fact in jotsam.json("facts", "--subject", "marcus")["facts"]] == ["Flask"]
    assert [fact["predicate"] for fact in jotsam.json("facts", "--object", "postgres")["facts"]] == ["uses"]
    assert len(jotsam.json("facts", "flask")["facts"]) == 1
    assert jotsam.json("facts", "--project", "elsewhere")["facts"] == []
    assert jotsam("facts", "--limit", "1").stdout.count("rules/") == 1


def test_a_link_is_created_followed_and_removed(jotsam: Shell) -> None:
    one, two, three = remembered(jotsam, "The kangaroo escaped.", "Fix the gate.", "Buy paint.")
    assert jotsam("link", one[:8], "leads_to", two).stdout == f"{one[:8]} LEADS_TO {two[:8]} (1)\n"
    assert jotsam.json("link", one, "RELATES_TO", three, "--weight", "0.4")["link"]["weight"] == 0.4

    def found(*more: str) -> set[str]:
        answer = jotsam.json("recall", "kangaroo", "--expand", "relations", *more)
        return {hit["text"] for hit in answer["hits"]}

    assert found() == {"The kangaroo escaped.", "Fix the gate."}
    assert found("--min-weight", "0.3") == {"The kangaroo escaped.", "Fix the gate.", "Buy paint."}
    assert found("--min-weight", "0.3", "--expand-limit", "1") == {"The kangaroo escaped.", "Fix the gate."}
    assert found("--min-importance", "0.99") == {"The kangaroo escaped."}
    why = jotsam("recall", "kangaroo", "--expand", "relations", "--why").stdout
    assert f"path         LEADS_TO from {one[:8]}" in why
    assert jotsam("link", one, "LEADS_TO", two, "--undo").stdout == f"{one[:8]} LEADS_TO {two[:8]} removed\n"
    assert found() == {"The kangaroo escaped."}
    again = jotsam("link", one, "LEADS_TO", two, "--undo")
    assert (again.returncode, "there is no link" in again.stderr) == (1, True)


def test_a_link_that_hides_a_memory_says_so(jotsam: Shell) -> None:
    old, new = (jotsam.json("remember", f"The office is in {city}.")["receipt"]["id"] for city in ("Linz", "Graz"))
    hidden = f"{old[:8]} is hidden from recall, superseded by {new[:8]}"
    assert jotsam("link", old, "INVALIDATED_BY", new).stdout.splitlines()[1] == hidden
    assert "Linz" not in jotsam("recall", "office").stdout
    assert jotsam("link", old, "INVALIDATED_BY", new, "--undo").stdout.splitlines()[1] == f"{old[:8]} is not superseded"
    assert "Linz" in jotsam("recall", "office").stdout
