"""Loads an external scorer, reads the options that all scorers share, and saves their results.

A scorer is a program from outside this project that loads questions and scores answers. It calls one function:
`open_index(turns)` returns `search(question, k)`, which returns the ids of turns, best first. docs/recall.md describes
what else it needs, and where the questions are. Results are kept in benchmarks/results.json, one row for each `--row`,
and a test compares the tables of docs/recall.md with it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

from benchmarks.recall.adapter import Adapter
from benchmarks.report import Report, Table
from benchmarks.run import keep, kept
from jotsam.retrieval.rank.weights import WEIGHTS, Weights


def scorer(folder: Path, name: str) -> ModuleType:
    """The program `name` in a folder. Raises `SystemExit` if there is none."""
    if not (folder / f"{name}.py").exists():
        raise SystemExit(f"{folder} holds no {name}.py: name the folder of the scorers with --scorer")
    sys.path.insert(0, str(folder))
    return import_module(name)


def options(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scorer", type=Path, required=True, metavar="FOLDER", help="the folder of the scorer")
    parser.add_argument("--data", type=Path, required=True, help="the questions")
    parser.add_argument("--db", metavar="URL", help="a PostgreSQL server (default: a file of SQLite)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the databases there, and use them again")
    parser.add_argument("--no-worker", action="store_true", help="ask while nothing at all has been worked on")
    parser.add_argument(
        "--set", action="append", default=[], metavar="WEIGHT=NUMBER", help="another weight, to see what it is worth"
    )
    about = "keep the outcome in benchmarks/results.json, as the row of this name in docs/recall.md"
    parser.add_argument("--row", metavar="NAME", help=about)
    return parser


def weights(changes: Sequence[str]) -> Weights:
    """The weights with some of them changed. Raises `SystemExit` for an unknown weight or an invalid number."""
    changed = WEIGHTS
    for change in changes:
        name, _, number = change.partition("=")
        if name not in WEIGHTS._fields:
            raise SystemExit(f"there is no weight {name!r}; there are {', '.join(WEIGHTS._fields)}")
        kind = type(getattr(WEIGHTS, name))
        try:
            changed = changed.replace(**{name: kind(number)})
        except ValueError:
            raise SystemExit(f"{name} is {number!r}: give {'a whole number' if kind is int else 'a number'}") from None
    return changed


def keep_row(benchmark: str, columns: Sequence[str], row: Sequence[str], *, remark: str = "") -> None:
    """Save a row in place of the row of the same name, and a remark on it."""
    known = kept().get(benchmark)
    before = Report.of(known) if known else Report(tables=[Table(caption="", columns=columns, rows=[])])
    rows = [*(tuple(one) for one in before.tables[0].rows if one[0] != row[0]), tuple(row)]
    remarks = [one for one in before.remarks if not one.startswith(f"{row[0]}: ")]
    remarks += [f"{row[0]}: {remark}"] if remark else []
    keep(benchmark, Report(tables=[Table(caption="", columns=columns, rows=rows)], remarks=remarks))


def missing(page: str, tables: Sequence[Table]) -> list[str]:
    """The rows of tables that are not in a Markdown page with the same figures."""
    there = {tuple(cell.strip().strip("*") for cell in line.split("|")[1:-1]) for line in page.splitlines()}
    return [" | ".join(row) for table in tables for row in table.rows if tuple(row) not in there]


@contextmanager
def adapter(given: argparse.Namespace) -> Iterator[Adapter]:
    """The adapter that the options select."""
    changed = weights(given.set)
    with tempfile.TemporaryDirectory(prefix="jotsam-benchmark-") as folder:
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
        product = Adapter(folder=given.keep or Path(folder), url=given.db, drained=not given.no_worker, weights=changed)
        try:
            yield product
        finally:
            product.close()
