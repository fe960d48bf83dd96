"""The figures the docs quote, and the options of the benchmark programs, which run in benchmarks/tests."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.recall.scorers import missing, weights
from benchmarks.report import Bound, Report, Table
from benchmarks.run import PAGE, compare, kept, write_page

ROOT = Path(__file__).parents[2]
PASSAGES = ("recall.conversations", "recall.passages")


def test_the_figures_on_the_page_of_recall_are_those_that_were_kept():
    page = (ROOT / "docs" / "recall.md").read_text(encoding="utf-8")
    reports = [Report.of(values) for name, values in kept().items() if name in PASSAGES]
    assert [row for report in reports for row in missing(page, report.tables)] == []


def test_a_figure_that_differs_from_what_was_kept_is_missed():
    page = (
        "| | R@5 | R@10 |\n| --- | ---: | ---: |\n| **recall** | **73.6** | **79.5** |\n| words alone | 53.0 | 61.2 |\n"
    )
    rows = [("recall", "73.6", "79.5"), ("words alone", "53.0", "61.3"), ("more", "1.0", "2.0")]
    table = Table(caption="", columns=("", "R@5", "R@10"), rows=rows)
    assert missing(page, [table]) == ["words alone | 53.0 | 61.3", "more | 1.0 | 2.0"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("neighbour=0", "there is no weight 'neighbour'; there are text, "),
        ("adjacent=much", "adjacent is 'much': give a number"),
        ("seeds=0.5", "seeds is '0.5': give a whole number"),
        ("adjacent", "adjacent is '': give a number"),
    ],
)
def test_a_weight_that_there_is_not_is_refused_with_those_that_there_are(change: str, told: str):
    with pytest.raises(SystemExit, match=re.escape(told)):
        weights([change])
    changed = weights(["adjacent=0", "candidates=9"])
    assert (changed.adjacent, changed.candidates) == (0.0, 9)


def test_an_unknown_benchmark_is_refused_with_the_names_that_there_are():
    command = [sys.executable, "-m", "benchmarks.run", "speed"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "'speed'" in ended.stderr
    assert "queue.backlog" in ended.stderr


def test_a_run_ends_with_1_when_a_figure_is_worse_than_before_by_more_than_a_tenth(capsys: pytest.CaptureFixture[str]):
    before = {"accept": 2.0, "share found": 80.0}
    accept = {n: Bound(promise="accept", measured=n, limit=3) for n in (1.5, 2.19, 2.21)}
    share = {n: Bound(promise="share found", measured=n, limit=75, unit="%", at_least=True) for n in (71.9, 72.1, 90)}
    assert compare([accept[2.19], share[72.1], Bound(promise="new", measured=9, limit=1)], before) == 0
    assert "| accept | 2.19 times | at most 3 times | met | 2 |" in capsys.readouterr().out
    assert compare([accept[2.21], share[90]], before) == 1
    assert capsys.readouterr().out.endswith("worse: accept: 2.21, before 2 times\n")
    assert compare([accept[1.5], share[71.9]], before) == 1
    assert capsys.readouterr().out.endswith("worse: share found: 71.9, before 80 %\n")


def test_the_page_is_made_of_what_was_kept_and_says_when_each_part_was_measured(tmp_path: Path):
    write_page(tmp_path / "page.md")
    made = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert made == PAGE.read_text(encoding="utf-8")
    assert [name for name, values in kept().items() if not values.get("measured")] == []
    assert f"Measured on {kept()['postgres.wake']['measured']}." in made


def test_the_chart_is_well_formed_and_names_every_line():
    program = """
from xml.etree import ElementTree
from benchmarks.queue.chart import Series, chart

lines = [Series(name="ours", points=[(1_000, 20), (1_000_000, 21)]), Series(name="a < b", points=[(1_000, 9_000)])]
tree = ElementTree.fromstring(chart(lines, title="t", across="x", up="y"))
words = [element.text for element in tree.iter() if element.text]
assert {"ours", "a < b", "t", "x", "y", "1,000,000"} <= set(words), words
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_an_interpreter_that_does_not_run_is_refused_with_the_reason(tmp_path):
    shim = tmp_path / "python3.99"
    shim.write_text("#!/bin/sh\necho 'pyenv: python3.99: command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    reasons = {str(shim): "does not run: pyenv: python3.99: command not found", "no-python": "is not on the PATH"}
    for name, reason in reasons.items():
        command = [sys.executable, "-m", "benchmarks.beside", "--python", name]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        told = f"error: argument --python: {name} {reason}; name a Python 3.11 or later that runs"
        assert (done.returncode, done.stderr.splitlines()[-1].partition(": ")[2]) == (2, told)


def test_an_environment_is_used_again_unless_it_has_the_code_of_this_repository(tmp_path):
    from benchmarks.beside.environments import is_kept
    from benchmarks.beside.peers import fts5, jotsam

    assert [is_kept(peer, tmp_path) for peer in (fts5, jotsam)] == [False, False]
    (tmp_path / "installed").touch()
    assert [is_kept(peer, tmp_path) for peer in (fts5, jotsam)] == [True, False]
