"""Moving from one database to another: a source with something of everything, of two tenants, and an empty target."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
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


@pytest.fixture(scope="session")
def filled() -> dict[str, str]:
    """The address of a database of each kind, made once, in which no table is empty."""
    return {}


@pytest.fixture
def source(
    ends: tuple[str, str],
    filled: dict[str, str],
    clock: Callable[[], int],
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    tmp_path: Path,
) -> Iterator[Settings]:
    """A database in which no table is empty, and some ids were given that nothing has any more."""
    (kind, _), settings = ends, Settings(worker="off", worker_idle_ms=0, concurrency=1, embed_model="hashing")
    schemas = request.getfixturevalue("schemas") if kind == "postgres" else None
    if kind not in filled:
        url = schemas.new() if schemas else str(tmp_path_factory.mktemp("filled") / "source.db")
        for tenant in TENANTS:
            fill(settings.replace(db=url, tenant=tenant), clock)
        fill_queue(url, clock)
        filled[kind] = url
    if schemas:
        yield settings.replace(db=schemas.copy(filled[kind]))
    else:
        for suffix in ("", "-wal"):  # SQLite empties the log when the last connection closes, if it can lock the file.
            if Path(filled[kind] + suffix).exists():
                shutil.copy(filled[kind] + suffix, tmp_path)
        yield settings.replace(db=str(tmp_path / "source.db"))


@pytest.fixture
def occupied(source: Settings, filled: dict[str, str], clock: Callable[[], int], request: pytest.FixtureRequest) -> str:
    """A target on a server where another tenant has the ids of the source, and whose tenant `ana` has nothing."""
    schemas = request.getfixturevalue("schemas")
    if "occupied" not in filled:
        filled["occupied"] = schemas.new()
        fill(source.replace(db=filled["occupied"], tenant=TENANTS[1]), clock)
    return schemas.copy(filled["occupied"])  # type: ignore[no-any-return]


@pytest.fixture
def target(ends: tuple[str, str], address: Callable[[str], str]) -> str:
    return address(ends[1])
