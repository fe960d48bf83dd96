"""What only PostgreSQL has: a wall between tenants, connections that can be cut, many workers at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from proxies import Proxy

if TYPE_CHECKING:
    from servers import Server


@pytest.fixture
def kind() -> str:
    return "postgres"


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
