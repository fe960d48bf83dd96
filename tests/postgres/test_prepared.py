"""The databases that tests share one after the other: each is as new, or is not used again."""

from __future__ import annotations

import pytest
from psycopg import connect as connect_admin

from jotsam import Jotsam
from prepared import Schemas

CHANGES = (
    "create table {schema}.effect (id integer)",
    "alter table {schema}.memory add column colour text",
    "alter table {schema}.memory disable row level security",
    "drop policy {policy} on {schema}.memory",
    "grant select on {schema}.memory to public",
    "analyze {schema}.queue_clock",
    "create index on {schema}.memory (body)",
)


@pytest.fixture
def schemas(server):
    return Schemas(server)


def schema_of(url: str) -> str:
    return url.rpartition("schema=")[2]


def fill(url: str) -> str:
    with Jotsam(url, worker="off") as jot:
        assert jot.status().documents == 0
        jot.add("A document about aardvarks.")
        jot.work()
        return str(jot.admin.send_command(["status"]).id)


def test_a_schema_of_a_finished_test_is_used_again_without_its_rows_and_ids(schemas):
    first = schemas.new()
    command = fill(first)
    schemas.give_back([first])
    again = schemas.new()
    assert again == first
    assert fill(again) == command


def test_a_schema_that_was_changed_or_is_still_in_use_is_not_used_again(schemas, server):
    used = []
    for change in CHANGES:
        url = schemas.new()
        schema = schema_of(url)
        policies = server.execute(f"select polname from pg_policy where polrelid = '{schema}.memory'::regclass")
        server.execute(change.format(schema=schema, policy=policies[0][0]))
        schemas.give_back([url])
        used.append(url)
    with connect_admin(server.admin):
        schemas.give_back([schemas.new()])
        used.append(schemas.new())
    assert len({*used, schemas.new()}) == len(CHANGES) + 2
