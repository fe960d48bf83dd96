"""Whatever stands in this folder is promised by every database, so each test runs on each of them and asks nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

EMPTY = {"test_schemas", "test_queue_alone"}
"""Modules whose databases are made by the program: they are about migrations, or about a queue without a memory."""


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture
def new_url(
    new_url: Callable[[], str], kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Callable[[], str]]:
    """The address of a new database, in which every migration is applied already, each time it is called."""
    if request.module.__name__ in EMPTY:
        yield new_url
    elif kind == "sqlite":
        files, numbers = request.getfixturevalue("files"), itertools.count()
        yield lambda: files.new(tmp_path / f"jotsam{next(numbers) or ''}.db")
    else:
        schemas, made = request.getfixturevalue("schemas"), []
        yield lambda: made.append(schemas.new()) or made[-1]  # type: ignore[func-returns-value]
        schemas.give_back(made)
