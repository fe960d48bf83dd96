"""A FalkorDB for the tests of this folder, and engines on it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from falkordb_server import FalkorDBServer
from jotsam.engines.falkordb import FalkorDBEngine

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def falkordb() -> Iterator[FalkorDBServer]:
    server = FalkorDBServer()
    yield server
    server.stop()


@pytest.fixture
def new_server() -> Iterator[Callable[..., FalkorDBServer]]:
    """Starts a server with options of its own, for tests that stop it."""
    servers: list[FalkorDBServer] = []

    def start(*options: str, **more: Any) -> FalkorDBServer:
        servers.append(FalkorDBServer(*options, **more))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def engine(falkordb: FalkorDBServer) -> Iterator[FalkorDBEngine]:
    """With a prefix that no other test has."""
    engine = FalkorDBEngine(falkordb.address, prefix=f"test{next(_NUMBERS)}")
    yield engine
    for tenant in engine.tenants():
        engine.forget_tenant(tenant)
    engine.close()


@pytest.fixture
def query(falkordb: FalkorDBServer, engine: FalkorDBEngine) -> Callable[..., list[list[Any]]]:
    """Runs Cypher on the graph of a tenant, as a person does."""

    def run(text: str, *, tenant: str = "t", **values: object) -> list[list[Any]]:
        name = next(name for name in engine._graphs() if name.endswith(f":{tenant}"))
        return list(falkordb.graph(name).query(text, values).result_set)

    return run
