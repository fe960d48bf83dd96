"""Fixtures for PostgreSQL: row-level security, connections that can be cut, concurrent workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from jotsam.storage import connect
from proxies import Proxy

if TYPE_CHECKING:
    from jotsam.storage.database import Database
    from servers import Server


@pytest.fixture
def kind() -> str:
    return "postgres"


@pytest.fixture
def guest(url: str, server: Server) -> Iterator[Callable[[], Database]]:
    """Opens the database as a role that owns nothing, and may read and write what is there by now."""
    schema = url.rpartition("schema=")[2]
    opened: list[Database] = []

    def open_it() -> Database:
        server.execute(f"create role guest_{schema} login nosuperuser")
        for grant in ("usage on schema", "select, insert, update, delete on all tables in schema"):
            server.execute(f"grant {grant} {schema} to guest_{schema}")
        opened.append(connect(server.url(schema, role=f"guest_{schema}"), migrate=False))
        return opened[-1]

    yield open_it
    for database in opened:
        database.close()


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
