"""Whatever stands in this folder is promised by every database, so each test runs on each of them and asks nothing."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

EMPTY = {"test_schemas", "test_queue_alone"}
"""Modules whose databases are made by the program: they are about migrations, or about a queue without a memory."""


@pytest.fixture(params=["sqlite", "postgres"])
def kind(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture
def new_url(new_url: Callable[[], str], kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """The address of a new database each time it is called. In a file, every migration is applied already."""
    if kind == "postgres" or request.module.__name__ in EMPTY:
        return new_url
    files, numbers = request.getfixturevalue("files"), itertools.count()
    return lambda: files.new(tmp_path / f"jotsam{next(numbers) or ''}.db")
