"""Loads a measuring rod from wherever it lies, and reads the options that the rods have in common."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType

from benchmarks.recall.adapter import Adapter
from jotsam.retrieval.weights import WEIGHTS


def rod(folder: Path, name: str) -> ModuleType:
    """The program `name` in a folder. Raises `SystemExit` if there is none."""
    if not (folder / f"{name}.py").exists():
        raise SystemExit(f"{folder} holds no {name}.py: name the folder of the rods with --rod")
    sys.path.insert(0, str(folder))
    return import_module(name)


def options(description: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rod", type=Path, required=True, metavar="FOLDER", help="where the program that scores lies")
    parser.add_argument("--data", type=Path, required=True, help="the questions")
    parser.add_argument("--db", metavar="URL", help="a PostgreSQL server (default: a file of SQLite)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the databases there, and use them again")
    parser.add_argument("--no-worker", action="store_true", help="ask while nothing at all has been worked on")
    parser.add_argument(
        "--set", action="append", default=[], metavar="WEIGHT=NUMBER", help="another weight, to see what it is worth"
    )
    return parser


@contextmanager
def adapter(given: argparse.Namespace) -> Iterator[Adapter]:
    """The product, as the options want it."""
    changes = dict(change.split("=") for change in given.set)
    weights = WEIGHTS.replace(**{name: type(getattr(WEIGHTS, name))(value) for name, value in changes.items()})
    with tempfile.TemporaryDirectory(prefix="jotsam-benchmark-") as folder:
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
        product = Adapter(folder=given.keep or Path(folder), url=given.db, drained=not given.no_worker, weights=weights)
        try:
            yield product
        finally:
            product.close()
