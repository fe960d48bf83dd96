"""The benchmarks run. How fast anything is cannot be asked of a machine that does other things too."""

from __future__ import annotations

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
    "drain",
    "enrichment.stages",
    "enrichment.linking",
    "enrichment.drain",
    "recall.answering",
    "recall.latency",
    "recall.meaning",
)
QUICK += ("queue.backlog", "queue.options", "queue.processor", "postgres.pinned", "postgres.recall")
QUICK += ("postgres.backlog", "postgres.drain", "postgres.enqueue", "postgres.wake", "postgres.vectors")


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
