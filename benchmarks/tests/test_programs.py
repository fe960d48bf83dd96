"""Each benchmark runs to its end in its short form. Not part of the check: `pytest benchmarks/tests`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks.run", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


QUICK = (
    "accept",
    "redaction",
    "batches",
    "listing",
    "forgetting",
    "exporting",
    "size",
    "maintain",
    "growth",
    "drain",
    "mcp_server",
    "http.requests",
    "http.load",
    "http.dashboard",
    "enrichment.stages",
    "enrichment.linking",
    "enrichment.drain",
    "recall.answering",
    "recall.latency",
    "recall.meaning",
    "recall.mixed",
)
QUICK += ("queue.backlog", "queue.options", "queue.outage", "queue.processor", "postgres.pinned", "postgres.recall")
QUICK += ("postgres.batches", "postgres.enqueue", "postgres.wake", "engines.falkordb", "postgres.partitions")


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


def test_every_case_of_time_and_contradiction_holds():
    """On the product itself."""
    ended = subprocess.run([sys.executable, "-m", "benchmarks.recall.time"], cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    held, total = ended.stdout.splitlines()[-1].split(" in all")[0].split(" of ")
    assert int(held) == int(total) >= 60, ended.stdout


SCORER = """
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


def test_a_scorer_is_a_program_with_a_few_functions_and_its_results_can_be_kept(tmp_path: Path):
    """In a copy of the benchmarks, because the results are written beside them."""
    shutil.copytree(ROOT / "benchmarks", tmp_path / "benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "recall.py").write_text(SCORER)
    (tmp_path / "asked.txt").write_text("who escaped?")
    given = ("--scorer", str(tmp_path), "--data", str(tmp_path / "asked.txt"), "--row", "ours")
    command = [sys.executable, "-m", "benchmarks.recall.conversations", *given]
    for _ in range(2):
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
    report = json.loads((tmp_path / "benchmarks" / "results.json").read_text())["recall.conversations"]
    rows = [row for row in report["tables"][0]["rows"] if row[0] == "ours"]
    assert rows == [["ours", "100.0", "100.0", "100.0", "100.0", "100.0", "100.0"]]
    assert "ours: 1 questions, the 95 % interval of R@10 is 0.0 to 100.0" in report["remarks"]
