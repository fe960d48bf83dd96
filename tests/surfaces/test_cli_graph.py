"""`jotsam entities`, `patterns`, `graph` and `facts`: what memory knows as a whole, looked at from the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


def remembered(jotsam: Shell, *texts: str) -> list[str]:
    ids = [jotsam.json("remember", text)["receipt"]["id"] for text in texts]
    jotsam("work")
    return ids


def test_entities_are_listed_merged_and_split(jotsam: Shell) -> None:
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


def test_a_theme_that_recurs_is_a_pattern(jotsam: Shell) -> None:
    remembered(jotsam, *(f"We decided to paint the {place} green." for place in ("kitchen", "hall", "garden")))
    (pattern, *_) = jotsam.json("patterns", "--type", "Decision")["patterns"]
    assert (pattern["type"], pattern["occurrences"]) == ("Decision", 3)
    assert "Decision" in jotsam("patterns").stdout
    assert jotsam("patterns", "--type", "Habit").stdout == "no patterns found yet\n"


def test_a_graph_is_a_table_a_program_for_graphviz_or_a_picture(jotsam: Shell) -> None:
    one, two = remembered(jotsam, 'Met with John "Jo" Smith & son.', "We use Redis.")
    table = jotsam("graph", one[:8]).stdout
    assert table.startswith(one)
    assert f"from  PRECEDED_BY  0.50    {two}" in table
    dot = jotsam("graph", one[:8], "--dot").stdout
    assert (dot.startswith("digraph memory {"), dot.rstrip().endswith("}")) == (True, True)
    assert '\\"Jo\\"' in dot
    picture = ElementTree.fromstring(jotsam("graph", one[:8], "--svg").stdout)
    assert picture.tag.endswith("svg")
    assert [other["id"] for other in jotsam.json("graph", one[:8])["neighbours"]] == [two]


def test_facts_are_found_by_subject_object_project_and_word(jotsam: Shell) -> None:
    remembered(jotsam, "Marcus prefers Flask.", "The billing service uses PostgreSQL.")
    assert [fact["object"] for fact in jotsam.json("facts", "--subject", "marcus")["facts"]] == ["Flask"]
    assert [fact["predicate"] for fact in jotsam.json("facts", "--object", "postgres")["facts"]] == ["uses"]
    assert len(jotsam.json("facts", "flask")["facts"]) == 1
    assert jotsam.json("facts", "--project", "elsewhere")["facts"] == []
    assert jotsam("facts", "--limit", "1").stdout.count("rules/") == 1


def test_a_link_is_made_followed_and_taken_back(jotsam: Shell) -> None:
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
