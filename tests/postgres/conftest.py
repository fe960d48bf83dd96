"""Fixtures for PostgreSQL: row-level security, connections that can be cut, concurrent workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from jotsam.admin.schema import grant
from jotsam.core.settings import Settings
from jotsam.storage import connect
from jotsam.surfaces.cli.start import main
from proxies import Proxy

if TYPE_CHECKING:
    from pathlib import Path

    from jotsam.storage.database import Database
    from servers import Server


@pytest.fixture
def kind() -> str:
    return "postgres"


@pytest.fixture(scope="session")
def server(own_server: Server) -> Server:
    """Its databases, roles, rules and processes are what many tests here change."""
    return own_server


@pytest.fixture
def guest(url: str, server: Server) -> Iterator[Callable[[], Database]]:
    """Opens the database as a role that owns nothing, with what `jotsam db migrate --grant` grants."""
    schema = url.rpartition("schema=")[2]
    opened: list[Database] = []

    def open_it() -> Database:
        server.execute(f"create role guest_{schema} login nosuperuser")
        grant(Settings(db=url), f"guest_{schema}")
        opened.append(connect(server.url(schema, role=f"guest_{schema}"), migrate=False))
        return opened[-1]

    yield open_it
    for database in opened:
        database.close()


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., int]:
    """Runs a command in this process and returns its exit code."""
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))

    def run(*arguments: str) -> int:
        monkeypatch.setattr("sys.argv", ["jotsam", *arguments])
        return main()

    return run


@pytest.fixture
def proxied(server: Server) -> Iterator[Callable[[str], tuple[str, Proxy]]]:
    """An address that leads to the same database through a proxy, and the proxy."""
    made: list[Proxy] = []

    def through(url: str) -> tuple[str, Proxy]:
        proxy = Proxy(server.folder / "data" / ".s.PGSQL.5432")
        made.append(proxy)
        schema = url.rpartition("schema=")[2]
        address = f"postgresql://jotsam_test@127.0.0.1:{proxy.port}/postgres?sslmode=disable&gssencmode=disable"
        return f"{address}&schema={schema}", proxy

    yield through
    for proxy in made:
        proxy.close()
