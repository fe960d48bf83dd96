"""The databases that tests share one after the other: each test gets one like a new one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jotsam import Jotsam
from jotsam.core import dsn
from prepared import Schemas
from processes import PATIENCE
from servers import Server

CHANGES = (
    "create table {0}.more (id int)",
    "alter table {0}.memory add column colour text",
    "alter table {0}.memory alter column body set default ''",
    "alter table {0}.memory disable trigger all",
    "alter table {0}.memory disable row level security",
    "alter sequence {0}.memory_id_seq increment by 2",
    "create index on {0}.memory (body)",
    "create function {0}.more() returns int language sql return 1",
    "create policy more on {0}.memory",
    "alter policy more on {0}.memory using (true)",
    "grant select on {0}.memory to pg_monitor",
    "grant select (id) on {0}.memory to pg_monitor",
    "grant usage on schema {0} to pg_monitor",
    "alter table {0}.memory drop column colour",
    "drop table {0}.more",
)
TABLES = "select relname from pg_class where relnamespace = '{0}'::regnamespace and relkind = 'r'"


@pytest.fixture
def own_server() -> Iterator[Server]:
    """Nobody else is connected to it."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def own_schemas(own_server: Server) -> Iterator[Schemas]:
    schemas = Schemas(own_server)
    yield schemas
    schemas.close()


def rows_of_tables(server: Server, url: str) -> dict[object, list[tuple[object, ...]]]:
    """How many rows each table of a database has."""
    schema = dsn.split_schema(url)[1]
    names = [name for (name,) in server.execute(TABLES.format(schema))]
    return {name: server.execute(f"select count(*) from {schema}.{name}") for name in names}


def test_a_database_that_was_lent_is_as_a_new_one_unless_it_was_changed_or_is_in_use(
    own_server: Server, own_schemas: Schemas
) -> None:
    schemas = own_schemas
    new = schemas.new()
    url = schemas.lend()
    for _ in range(2):
        with Jotsam(url, worker="off") as jot:
            assert jot.remember("Ana moved to Bonn.").job_id == 1
            jot.work()
        schemas.give_back(url)
        assert schemas.lend(patience=PATIENCE) == url
    assert rows_of_tables(own_server, url) == rows_of_tables(own_server, new)
    with Jotsam(url, worker="off"):
        schemas.give_back(url)
        other = schemas.lend(patience=0)
    assert other != url
    name, unseen = dsn.split_schema(other)[1], []
    for change in CHANGES:
        before = schemas.structure(other)
        own_server.execute(change.format(name))
        unseen += [change] if schemas.structure(other) == before else []
    assert unseen == []
    schemas.give_back(other)
    assert schemas.lend(patience=PATIENCE) != other
