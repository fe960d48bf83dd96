"""How much is measured, and where: the options that every benchmark has in common."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import apsw

from benchmarks.child import ROOT
from benchmarks.report import Report, duration
from benchmarks.timing import sync_ns

PEERS = ROOT / "benchmarks" / "peers.txt"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a benchmark is told: it writes into `folder`, which is removed afterwards."""

    folder: Path
    documents: Path
    quick: bool = False
    million: bool = False  # also the largest size, where a benchmark has one that takes minutes
    peers: Path | None = None  # the folder of the virtual environment that holds them

    def of(self, full: int, quick: int) -> int:
        """A number of rounds, jobs or documents, which a smoke run keeps small."""
        return quick if self.quick else full

    @property
    def peer_python(self) -> str | None:
        python = self.peers / "bin" / "python" if self.peers else None
        return str(python) if python and python.exists() else None


Measure = Callable[[Plan], Report]


def options(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a smoke run: it shows that all works, not how fast")
    parser.add_argument("--million", action="store_true", help="a million memories too, which takes some minutes")
    parser.add_argument("--documents", type=Path, default=ROOT / "docs", help="a folder of Markdown (default: docs)")
    parser.add_argument("--disk", type=Path, help="where files are made meanwhile; a real disk, not one in memory")
    parser.add_argument("--peers", type=Path, help="a virtual environment with peers.txt; made if it is not there")
    return parser


def main(measure: Measure, description: str | None) -> None:
    """Run one benchmark from the command line, and print its report."""
    given = options(description).parse_args()
    print(run(measure, given).markdown())


def run(measure: Measure, given: argparse.Namespace) -> Report:
    """Run one benchmark in a folder of its own, and add the conditions that all have in common."""
    if given.peers:
        install_peers(given.peers)
    with tempfile.TemporaryDirectory(prefix="jotsam-benchmark-", dir=given.disk) as folder:
        plan = Plan(
            folder=Path(folder), documents=given.documents, quick=given.quick, million=given.million, peers=given.peers
        )
        before = sync_ns(plan.folder)
        report = measure(plan)
        after = sync_ns(plan.folder)
    conditions = (*report.conditions, *machine(), f"a sync took {duration(before)} before and {duration(after)} after")
    return Report(tables=report.tables, bounds=report.bounds, remarks=report.remarks, conditions=conditions)


def machine() -> tuple[str, ...]:
    return (
        f"Python {platform.python_version()}",
        f"SQLite {apsw.sqlite_lib_version()}",
        f"{os.cpu_count()} cores",
        platform.system(),
    )


def install_peers(folder: Path) -> None:
    """Make the virtual environment of the peers. One that cannot be installed is left out, and the tables say so."""
    python = folder / "bin" / "python"
    if python.exists():
        return
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    for line in PEERS.read_text().splitlines():
        if not line.startswith("#"):
            subprocess.run([python, "-m", "pip", "install", "--quiet", line], check=False)
