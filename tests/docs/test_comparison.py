"""What docs/comparison.md says about Jotsam: each line of the table names a test, and some are tested here."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from benchmarks.beside import kept, measure, page, sets
from benchmarks.beside.environments import Environment
from doc_pages import ROOT

from jotsam import Jotsam
from jotsam.agents.registry import AGENTS, SOURCES
from jotsam.core.settings import Settings
from jotsam.retrieval.rank.weights import WEIGHTS
from jotsam.surfaces.cli.start import main

PAGE = (ROOT / "docs" / "comparison.md").read_text()
RESULTS = ROOT / "benchmarks" / "beside" / "results.json"


def table(after: str, column: int) -> dict[str, str]:
    """Cells of a column of the first table after a text, by the first cell of their line."""
    lines = PAGE[PAGE.index(after) :].splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(("|---", "| ---")))
    rows = []
    for line in lines[first + 1 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.split("|")[1:-1]])
    return {row[0]: row[column] for row in rows}


SAID = table("# Comparison", 1)

# What the tests of other files show, in the words of the page: change one here with its line and its test.
SHOWN = {
    "read": "this repository",
    "runs as": "a process that exits when idle",
    "needs a language model": "no; optional",
    "waiting work survives a crash": "yes, a job in the same database",
    "answer states what is missing": "yes, in every footer",
    "newer replaces older": "yes, with history and as-of",
    "recall in the agent": "injected, and MCP tools",
    "delete one memory": "yes, with a trash",
}


def test_every_line_about_jotsam_has_a_test() -> None:
    named = table("### What tests the column of Jotsam", 1)
    assert list(named) == list(SAID)
    tests = [one.strip("`") for tests in named.values() for one in tests.split(", ")]
    assert [one for one in tests if not exists(*one.split("::"))] == []


def test_each_line_that_others_test_has_their_words() -> None:
    assert {line: said for line, said in SAID.items() if line in SHOWN} == SHOWN


def exists(path: str, name: str) -> bool:
    functions = ast.walk(ast.parse((ROOT / path).read_text()))
    return name in {one.name for one in functions if isinstance(one, ast.FunctionDef)}


def test_it_is_a_library_and_a_command() -> None:
    assert SAID["what it is"] == "Python library and command"
    assert callable(main)
    assert import_module("jotsam").Jotsam


def test_the_license_is_that_of_the_package() -> None:
    assert SAID["license"] == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["license"]


def test_the_databases_and_engines_are_those_of_the_settings() -> None:
    assert SAID["stored in"].startswith("one SQLite file, or PostgreSQL; a copy in [FalkorDB or Qdrant]")
    assert [import_module(f"jotsam.engines.{name}") for name in ("falkordb", "qdrant")]


def test_rules_and_the_tagger_extract_entities_facts_dates_and_types(tmp_path: Path) -> None:
    assert SAID["extraction"] == "rules, a tagger, optionally a model: entities, facts, dates, types"
    with Jotsam(str(tmp_path / "jotsam.db")) as jot:
        id = jot.remember("Keller works at Acme Corp since 2 March 2026. We decided to use PostgreSQL.").id
        jot.work()
        found = jot.show(id)
    assert found.memory
    extractors = {entity.name: entity.extractor or "" for entity in found.entities}
    assert extractors["PostgreSQL"].startswith("rules/")
    assert extractors["Keller"].startswith("tagger/")
    assert ("Keller", "works_at", "Acme Corp") in {(one.subject, one.predicate, one.object) for one in found.facts}
    assert [period.first for period in found.periods] == [1_772_409_600_000]
    assert found.memory.type == "Decision"


def test_each_way_of_searching_has_a_weight() -> None:
    assert SAID["search"] == "text, optional vectors, graph, dates, speakers"
    weights = {"text", "vectors", "relation", "period", "actor"}
    assert [name for name in weights if not getattr(WEIGHTS, name, 0)] == []
    assert not Settings().embed_model


def test_the_agents_with_hooks_are_those_that_can_be_installed() -> None:
    titles = [import_module(f"jotsam.agents.{name}").AGENT.title for name in AGENTS if name in SOURCES]
    said = SAID["automatic capture"].removeprefix("hooks for ").replace(" and ", ", ").split(", ")
    assert said == titles


def test_there_are_tools_routes_and_a_dashboard() -> None:
    assert SAID["MCP, HTTP, dashboard"] == "all three"
    for module in ("mcp", "http", "web"):
        import_module(f"jotsam.surfaces.{module}")


def test_the_tables_are_made_of_the_results_that_were_kept() -> None:
    made = PAGE.partition(page.BEGIN)[2].partition(page.END)[0].strip()
    assert made == page.markdown(json.loads(RESULTS.read_text()))


def test_a_text_counts_if_it_is_whole_within_the_tokens() -> None:
    texts = [{"id": "a", "text": "x" * 1_200}, {"id": "b", "text": "x" * 1_200}, {"id": "c", "text": "x"}]
    asked = [sets.Asked(text="?", parts=[frozenset("b"), frozenset("c")])]
    given = sets.TextSet(name="one", texts=texts, questions=asked)
    found = sets.scores(given, [["a", "b"]])
    assert (found["first 5"], found["500 tokens"], found["1,000 tokens"]) == (50, 0, 50)


@pytest.mark.parametrize("text", ["# A\n\none\n\n# B\n\ntwo", "a" * 1_000 + "\n\n" + "b" * 1_000])
def test_a_document_is_cut_at_headings_and_at_its_longest(text: str) -> None:
    parts = sets.cut(text)
    assert len(parts) == 2
    assert "".join("".join(parts).split()) == "".join(text.split())


def test_conversations_are_those_with_which_the_weights_were_not_chosen(tmp_path: Path) -> None:
    turn = {"dia_id": "D1:1", "speaker": "Ann", "text": "The kangaroo escaped."}
    said = {"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [turn]}
    asked = {"question": "Who escaped?", "evidence": ["D1:01"], "category": 4}
    told = [{"sample_id": id, "conversation": said, "qa": [asked]} for id in ("conv-26", "conv-42", "conv-50")]
    (tmp_path / "told.json").write_text(json.dumps(told))
    given = sets.conversations(tmp_path / "told.json")
    assert [text["text"] for text in given.texts] == ["08 May 2023, Ann: The kangaroo escaped."]
    assert given.questions == [sets.Asked(text="Who escaped?", parts=[frozenset(["conv-42/D1:1"])])]


def test_what_is_left_after_a_kill_is_counted() -> None:
    row = measure.Row(
        name="bare",
        peer=import_module("benchmarks.beside.peers.fts5"),
        options={},
        installed=Environment(python=sys.executable, version="", megabytes=0),
    )
    assert measure.kept_after_kill(row, sets.own(), "") == {"accepted": 40, "found": 40}


def test_a_run_goes_on_with_what_the_same_code_has_not_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "ROOT", tmp_path)
    peers = {"same": ["a", "b"], "changed": ["c"], "half": ["d", "e"], "failed": ["f"], "new": ["g"], "dirty": ["h"]}
    peers["jotsam"] = ["j"]
    for name in peers:
        code = tmp_path / f"benchmarks/beside/peers/{name}.py"
        code.parent.mkdir(parents=True, exist_ok=True)
        code.write_text("K = 1\n")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/ours.py").write_text("K = 1\n")
    commit = committed(tmp_path)
    (tmp_path / "src/ours.py").write_text("K = 2\n")
    (tmp_path / "benchmarks/beside/peers/changed.py").write_text("K = 2\n")
    results = kept.begun(machine={}, sets={"one": {"texts": 1}})
    rows = [{"name": name, "commit": commit} for name in "dbcaj"]
    rows += [{"name": "f", "commit": commit, "reason": "no"}, {"name": "h", "commit": commit + kept.DIRTY}]
    kept.write({**results, "minutes": 2.5, "rows": rows}, order="abcdefghj", path=tmp_path / "results.json")

    went_on = kept.continued(results, peers=peers, path=tmp_path / "results.json")

    assert ([row["name"] for row in went_on["rows"]], went_on["minutes"]) == (["a", "b"], 2.5)
    with pytest.raises(SystemExit, match=r"is of other texts: .*'texts': 1.*, not .*'texts': 2"):
        kept.continued({**results, "sets": {"one": {"texts": 2}}}, peers=peers, path=tmp_path / "results.json")


def committed(folder: Path) -> str:
    named = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    for given in (("init", "-q"), ("add", "."), (*named, "commit", "-qm", "Begin")):
        subprocess.run(["git", *given], cwd=folder, check=True)
    return kept.git("rev-parse", "HEAD")


def test_the_questions_of_our_own_set_have_their_texts() -> None:
    given = sets.own()
    known = {text["id"] for text in given.texts}
    assert len(known) == len(given.texts)
    assert [asked.text for asked in given.questions if not all(part and part <= known for part in asked.parts)] == []
