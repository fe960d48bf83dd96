"""The benchmarks run. How fast anything is cannot be asked of a machine that does other things too."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.recall.rods import missing, weights
from benchmarks.report import Report, Table
from benchmarks.run import kept

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.run", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


RODS = ("recall.conversations", "recall.passages")
QUICK = (
    "accept",
    "drain",
    "enrichment.stages",
    "enrichment.linking",
    "enrichment.drain",
    "recall.answering",
    "recall.latency",
    "recall.meaning",
    "recall.mixed",
)
QUICK += ("queue.backlog", "queue.options", "queue.processor", "postgres.pinned", "postgres.recall")
QUICK += ("postgres.enqueue", "postgres.wake")


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder with a short path: that of a server's socket in it may have 107 bytes."""
    with tempfile.TemporaryDirectory(prefix="jotsam-") as folder:
        yield Path(folder)


@pytest.mark.parametrize("name", QUICK)
def test_a_smoke_run_prints_its_table_and_writes_nothing(name: str, disk: Path):
    page = ROOT / "docs" / "benchmarks.md"
    before = page.stat().st_mtime_ns if page.exists() else None
    ended = run("--quick", "--disk", str(disk), name)
    assert ended.returncode == 0, ended.stderr
    assert f"## {name}" in ended.stdout
    assert "| --- | ---: |" in ended.stdout
    assert list(disk.iterdir()) == []
    assert (page.stat().st_mtime_ns if page.exists() else None) == before


def test_the_rod_of_time_holds_every_case():
    """Cases of time and contradiction, on the product itself."""
    ended = subprocess.run([sys.executable, "-m", "benchmarks.recall.time"], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    held, total = ended.stdout.splitlines()[-1].split(" in all")[0].split(" of ")
    assert int(held) == int(total) >= 60, ended.stdout


def test_the_figures_on_the_page_of_recall_are_those_that_were_kept():
    page = (ROOT / "docs" / "recall.md").read_text()
    reports = [Report.of(values) for name, values in kept().items() if name in RODS]
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
        ("neighbour=0", "there is no weight 'neighbour'; there are words, "),
        ("near=much", "near is 'much': give a number"),
        ("depth=0.5", "depth is '0.5': give a whole number"),
        ("near", "near is '': give a number"),
    ],
)
def test_a_weight_that_there_is_not_is_refused_with_those_that_there_are(change: str, told: str):
    with pytest.raises(SystemExit, match=re.escape(told)):
        weights([change])
    assert (weights(["near=0", "depth=9"]).near, weights(["near=0", "depth=9"]).depth) == (0.0, 9)


ROD = """
from collections import namedtuple
Turn = namedtuple("Turn", "id session n when speaker text caption")
Question = namedtuple("Question", "text evidence category")
def load(path, pool):
    return [Turn("D1:1", "D1", 1, "2026-03-01", "Ann", "The kangaroo escaped.", "")], open(path).read()
def run(loaded, open_index):
    turns, question = loaded
    found = open_index(turns)(question, 5)
    keys = ("recall@5", "recall@10", "recall@25", "recall@50", "mrr", "tok@1000")
    return [dict.fromkeys(keys, 100.0 * (found == ["D1:1"]))], {}
def summarize(rows):
    return {"answerable": {"n": len(rows), **rows[0]}}
def table(summary):
    return str(summary)
def interval(rows):
    return [0.0, 100.0]
"""


def test_a_rod_is_a_program_with_a_few_functions_and_its_outcome_can_be_kept(tmp_path: Path):
    """In a copy of the benchmarks, for the outcome is written beside them."""
    shutil.copytree(ROOT / "benchmarks", tmp_path / "benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "recall.py").write_text(ROD)
    (tmp_path / "asked.txt").write_text("who escaped?")
    given = ("--rod", str(tmp_path), "--data", str(tmp_path / "asked.txt"), "--row", "ours")
    command = [sys.executable, "-m", "benchmarks.recall.conversations", *given]
    for _ in range(2):
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
    report = json.loads((tmp_path / "benchmarks" / "results.json").read_text())["recall.conversations"]
    rows = [row for row in report["tables"][0]["rows"] if row[0] == "ours"]
    assert rows == [["ours", "100.0", "100.0", "100.0", "100.0", "100.0", "100.0"]]
    assert "ours: 1 questions, the 95 % interval of R@10 is 0.0 to 100.0" in report["remarks"]


def test_an_unknown_benchmark_is_refused_with_the_names_that_there_are():
    ended = run("speed")
    assert ended.returncode == 1
    assert "'speed'" in ended.stderr
    assert "queue.backlog" in ended.stderr


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
