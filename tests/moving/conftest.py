"""Moving from one database to another: a source with something of everything, of two tenants, and an empty target."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from sources import TENANTS, fill, fill_queue

from jotsam.core.settings import Settings


@pytest.fixture
def ends() -> tuple[str, str]:
    """The kinds of the source and of the target, where they make no difference."""
    return "sqlite", "sqlite"


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """The address of a new database of a kind."""
    numbers = itertools.count()

    def new(kind: str) -> str:
        if kind == "postgres":
            return request.getfixturevalue("server").url()  # type: ignore[no-any-return]
        return str(tmp_path / f"{next(numbers)}.db")

    return new


@pytest.fixture
def source(ends: tuple[str, str], address: Callable[[str], str], clock: Callable[[], int]) -> Settings:
    """A database in which no table is empty, and some ids were given that nothing has any more."""
    settings = Settings(db=address(ends[0]), worker="off", worker_idle_ms=0, concurrency=1, embed_model="hashing")
    for tenant in TENANTS:
        fill(settings.replace(tenant=tenant), clock)
    fill_queue(settings.db, clock)
    return settings


@pytest.fixture
def target(ends: tuple[str, str], address: Callable[[str], str]) -> str:
    return address(ends[1])
