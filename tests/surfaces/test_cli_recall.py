"""`jotsam recall`, `show` and `supersede`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from jotsam.models.fake_endpoint import FakeEndpoint

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell

pytestmark = pytest.mark.on_both


def test_recall_prints_the_answer_with_its_footer(jotsam: Shell) -> None:
    jotsam("remember", "We chose PostgreSQL for the user service.")
    jotsam("work")
    done = jotsam("recall", "which database did we choose")
    assert done.returncode == 0
    assert "We chose PostgreSQL" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("(returned 1 of 1")


def test_an_empty_result_while_jobs_are_pending_reads_not_known_yet(jotsam: Shell) -> None:
    assert "nothing found" in jotsam("recall", "elephants").stdout
    jotsam("remember", "We chose PostgreSQL.")
    assert "not known yet" in jotsam("recall", "elephants").stdout


def test_recall_filters_by_project_and_tag(jotsam: Shell) -> None:
    jotsam("remember", "tabs in the shop", "--project", "shop", "--tag", "style")
    jotsam("remember", "tabs in the bank", "--project", "bank")
    assert [hit["project"] for hit in jotsam.json("recall", "tabs", "--project", "bank")["hits"]] == ["bank"]
    assert [hit["project"] for hit in jotsam.json("recall", "tabs", "--tag", "style")["hits"]] == ["shop"]
    assert len(jotsam.json("recall", "--limit", "1")["hits"]) == 1


def test_recall_filters_by_metadata_and_shows_facts(jotsam: Shell) -> None:
    jotsam("remember", "Bob works at Acme.", "--metadata", '{"ticket": "A-1", "size": 5}')
    jotsam("remember", "Bob works here too.", "--metadata", '{"ticket": "A-2", "size": 5}')
    jotsam("work")
    both = ("--metadata", "size=5", "--metadata", "ticket=A-1")
    (hit,) = jotsam.json("recall", "where does Bob work?", *both)["hits"]
    (fact,) = hit["facts"]
    assert (fact["subject"], fact["predicate"], fact["object"]) == ("Bob", "works_at", "Acme")
    why = [line.split() for line in jotsam("recall", "where does Bob work?", "--why").stdout.splitlines()]
    by = (f"({fact['confidence']:.1f},", f"{fact['extractor']},", f"{fact['id'][:8]})")
    assert ["fact", "Bob", "works_at", "Acme", *by] in why
    refused = jotsam("recall", "Bob", "--metadata", "ticket")
    assert refused.returncode == 2
    assert "invalid value 'ticket': must be KEY=VALUE" in refused.stderr


def test_recall_prints_the_next_page_after_the_cursor_of_the_page_before(jotsam: Shell) -> None:
    for number in range(5):
        jotsam("remember", f"The pump has number {number}.")
    first = jotsam("recall", "pump", "--limit", "3")
    cursor = first.stderr.strip().rpartition(" ")[2]
    assert f"there are more: add --after {cursor}" in first.stderr
    second = jotsam("recall", "pump", "--limit", "3", "--after", cursor)
    assert "returned 2 of 5 after 3 on the pages before" in second.stdout
    assert "--after" not in second.stderr
    shown = [line for page in (first, second) for line in page.stdout.splitlines() if line.startswith("The pump")]
    assert len(set(shown)) == len(shown) == 5
    assert "--after" not in jotsam("recall", "pump").stderr
    listed = jotsam("recall", "pump", "--limit", "3", "--as", "list")
    assert ("more: -n" in listed.stdout, "--after" in listed.stderr) == (True, False), "one way to see more is enough"
    assert jotsam.json("recall", "pump", "--limit", "3", "--after", cursor)["next"] is None
    refused = jotsam("recall", "pump", "--tag", "x", "--after", cursor)
    assert "must be the `next` of an answer to the same question" in refused.stderr


def test_a_condition_on_metadata_selects_what_is_found_listed_and_forgotten(jotsam: Shell) -> None:
    for number, state in ((3, "open"), (12, "open"), (40, "a=b>c")):
        metadata = json.dumps({"n": number, "state": state, "due": f"2026-03-{number % 30:02}"})
        jotsam("remember", f"Number {number}.", "--metadata", metadata)
    for conditions, found in (
        (["n>=12"], {12, 40}),
        (["n>3", "n<40"], {12}),
        (["n<=12", "state=open"], {3, 12}),
        (["n!=12"], {3, 40}),
        (["state=a=b>c"], {40}),
        (["due<2026-03-11"], {3, 40}),
        (["due=", "n=3"], set()),
    ):
        given = [part for one in conditions for part in ("--metadata", one)]
        listed = jotsam.json("list", *given)["memories"]
        assert {memory["metadata"]["n"] for memory in listed} == found, conditions
        assert len(jotsam.json("recall", "number", *given)["hits"]) == len(found), conditions
    for wrong in ("=x", ">3", "n", "n==3", "n=>3", "n<>3"):
        assert jotsam("list", "--metadata", wrong).returncode == 2, wrong
    twice = jotsam("list", "--metadata", "n>3", "--metadata", "n>4")
    assert "--metadata is given twice for 'n' with the same sign" in twice.stderr
    assert jotsam("forget", "--metadata", "n>=12", "--yes").returncode == 0
    assert [memory["text"] for memory in jotsam.json("list")["memories"]] == ["Number 3."]


def test_the_json_output_of_recall_has_all_fields(jotsam: Shell) -> None:
    jotsam("remember", "tabs")
    answer = jotsam.json("recall", "tabs")
    assert list(answer) == ["schema", "question", "hits", "facts", "coverage", "text", "next"]
    assert answer["schema"] == 1
    assert answer["coverage"]["pending"] == 1
    assert {"id", "kind", "text", "score", "scores", "source", "date"} <= answer["hits"][0].keys()


def test_why_explains_each_hit_and_ends_with_the_footer(jotsam: Shell) -> None:
    jotsam("remember", "tabs in the shop", "--actor", "Ann", "--date", "2026-03-01")
    lines = jotsam("recall", "tabs", "--why").stdout.splitlines()
    assert lines[2].split() == ["score", "text", "+1.00", "passage", "+0.30"]
    assert "    date         2026-03-01T00:00:00Z" in lines
    assert "    actor        Ann" in lines
    assert lines[-1].startswith("(returned 1 of 1")


def test_why_prints_the_lines_of_a_document_and_the_position_of_a_turn(jotsam: Shell) -> None:
    jotsam("add", jotsam.file("a.md", "# Zoo\n\nAnimals.\n\n## Gate\n\nThe kangaroo escaped.\n"))
    said = '{"session": "s", "actor": "Ann", "text": "A walrus.", "timestamp": "2026-03-01"}'
    jotsam("import", jotsam.file("s.jsonl", f"\n\n{said}\n"))
    jotsam("work")
    why = jotsam("recall", "kangaroo", "--why").stdout
    assert "    from         ~/a.md:5-7 > Zoo > Gate\n" in why
    (hit,) = jotsam.json("recall", "kangaroo")["hits"]
    assert hit["lines"] == [5, 7]
    assert "source       ~/a.md:5-7\n" in jotsam("show", hit["id"]).stdout
    assert "    from         ~/s.jsonl > s > turn 3\n" in jotsam("recall", "walrus", "--why").stdout


def test_the_footer_counts_unenriched_and_degraded_memories(jotsam: Shell) -> None:
    jotsam("remember", "tabs")
    assert "; 1 not enriched yet)" in jotsam("recall", "tabs").stdout
    with FakeEndpoint() as model:
        settings = {"JOTSAM_LLM_URL": model.url, "JOTSAM_LLM_MODEL": "fail-400"}
        jotsam("work", **settings)
        coverage = jotsam.json("recall", "tabs")["coverage"]
    assert (coverage["not_enriched"], coverage["degraded"]) == (0, 1)
    assert jotsam("recall", "tabs").stdout.rstrip().endswith("; 1 degraded: the model or a rule failed)")
    assert jotsam.json("status")["status"]["degraded"] == 1


def test_an_answer_can_be_printed_as_list_or_json(jotsam: Shell) -> None:
    jotsam("remember", "tabs in the shop", "--date", "2026-03-01")
    title, text, _, *footer = jotsam("recall", "tabs", "--as", "list").stdout.splitlines()
    assert title.split()[:3] == ["1", "memory", "2026-03-01"]
    assert text == "   tabs in the shop"
    assert footer == ["1 pending, oldest 0 s; 1 not enriched yet"]
    assert jotsam("recall", "tabs", "--as", "json").stdout.startswith('{"schema":1,"question":"tabs","hits":[{')


def test_a_superseded_memory_is_hidden_until_that_is_undone(jotsam: Shell) -> None:
    jotsam("remember", "The port is 1.", "--date", "2026-01-01", "--external-id", "old")
    jotsam("remember", "The port is 2.", "--date", "2026-03-01", "--external-id", "new")
    assert " is superseded by " in jotsam("supersede", "old", "new").stdout
    assert "The port is 1." not in jotsam("recall", "port").stdout
    assert "The port is 1." in jotsam("recall", "port", "--history").stdout
    assert "The port is 1." in jotsam("recall", "port", "--as-of", "2026-02-01").stdout
    assert jotsam.json("supersede", "old", "new", "--undo")["since"] is None
    assert "The port is 1." in jotsam("recall", "port").stdout
    assert jotsam("supersede", "old", "nobody").returncode == 1


def test_a_superseded_fact_can_be_restored_by_its_id(jotsam: Shell) -> None:
    jotsam("remember", "Bob works at Acme.", "--date", "2026-01-01")
    jotsam("remember", "Bob works at Globex.", "--date", "2026-03-01")
    jotsam("work")
    ids = {fact["object"]: fact["id"] for fact in jotsam.json("facts", "--history")["facts"]}
    assert "Acme" not in jotsam("facts").stdout
    assert ids["Acme"][:8] in jotsam("facts", "--history").stdout
    assert jotsam("supersede", ids["Acme"][:8], "--undo").stdout == f"fact {ids['Acme'][:8]} is valid again\n"
    assert "Acme" in jotsam("facts").stdout
    assert "Acme" in jotsam("recall", "where does Bob work?").stdout
    assert f"is superseded by {ids['Globex'][:8]}" in jotsam("supersede", ids["Acme"], ids["Globex"]).stdout
    assert "Acme" not in jotsam("recall", "where does Bob work?").stdout
    assert "NEW is missing" in jotsam("supersede", ids["Acme"]).stderr


@pytest.mark.on_both
def test_a_tenant_cannot_recall_memories_of_another(jotsam: Shell) -> None:
    jotsam("remember", "tabs", "--tenant", "one")
    assert jotsam.json("recall", "tabs", "--tenant", "two")["hits"] == []
    assert len(jotsam.json("--tenant", "one", "recall", "tabs")["hits"]) == 1


def test_show_finds_a_document_by_the_beginning_of_its_id(jotsam: Shell) -> None:
    id = jotsam.json("add", "-", input="# Where\n\nAna moved to Bonn.")["receipts"][0]["id"]
    assert "1 job not done yet" in jotsam("show", id[:8]).stdout
    jotsam("work")
    told = jotsam("show", id[:8]).stdout
    assert told.startswith(f"document {id}  done")
    assert "Ana moved to Bonn." in told
    story = jotsam.json("show", id)
    assert (story["schema"], story["kind"], story["done"]) == (1, "document", True)
    assert jotsam.json("show", story["memories"][0])["memory"]["document"] == id


def test_show_of_an_unknown_id_is_an_error(jotsam: Shell) -> None:
    jotsam("migrate")
    done = jotsam("show", "no-such-thing")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: there is no 'no-such-thing'")
    assert "Traceback" not in done.stderr
    assert "Traceback" in jotsam("show", "no-such-thing", "--debug").stderr


def test_a_token_budget_out_of_range_is_an_error(jotsam: Shell) -> None:
    assert jotsam("recall", "x", "--tokens", "1").returncode == 1


def test_a_memory_is_listed_updated_and_shown_with_its_history(jotsam: Shell) -> None:
    jotsam("remember", "The port is 8080.", "--external-id", "port", "--type", "Insight", "--metadata", '{"a": 1}')
    jotsam("remember", "Tabs.", "--tag", "style")
    done = jotsam("update", "port", "--text", "-", "--tag", "net", "--metadata", "b=2", "--clear", "type", input="9090")
    assert done.stdout.startswith("updated   ")
    assert "version 2  job " in done.stdout
    (memory,) = jotsam.json("list", "--tag", "NET")["memories"]
    assert (memory["text"], memory["type"], memory["metadata"]) == ("9090", None, {"a": 1, "b": "2"})
    assert "The port is 8080." in jotsam("show", "port", "--history").stdout
    assert jotsam.json("show", "port", "--history")["versions"][0]["text"] == "The port is 8080."
    assert jotsam("update", "port", "--version", "1", "--tag", "x").returncode == 1
    page = jotsam("list", "--limit", "1")
    assert "Tabs." in page.stdout
    cursor = page.stderr.rsplit("--after ", 1)[1].split()[0]
    assert "9090" in jotsam("list", "--limit", "1", "--after", cursor).stdout
    assert "exclude each other" in jotsam("update", "port", "--type", "x", "--clear", "type").stderr
