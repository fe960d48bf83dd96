"""The log of changes for engines has the changes of every program, whatever settings its connection has."""

from __future__ import annotations

import psycopg

from jotsam import Jotsam
from jotsam.core.dsn import split_schema
from jotsam.core.settings import Settings

ENGINE = "insert into engine (name, address, place, version, created_at) values ('falkordb', 'falkordb://h', '', '', 0)"
LOGGED = "select distinct memory_id from mirror_change order by memory_id"
CHANGES = (
    "update {schema}.memory set importance = 0.5 where id = 1",
    "insert into {schema}.memory_tag (tenant, tag, memory_id) values ('eve', 'by-hand', 2)",
    "insert into {schema}.link (tenant, source_id, target_id, type, weight, created_at)"
    " values ('eve', 3, 1, 'RELATES_TO', 1, 0)",
)

CHANGES_OF_ONE = (
    "update memory set importance = importance + 0.01 where id = 1",
    "delete from memory_tag where memory_id = 1",
    "insert into memory_tag (tenant, tag, memory_id) values ('eve', 'one', 1)",
    "delete from link where source_id = 1",
    "insert into link (tenant, source_id, target_id, type, weight, created_at)"
    " values ('eve', 1, 2, 'RELATES_TO', 1, 0)",
)


def test_a_statement_of_another_program_is_logged(url: str) -> None:
    with Jotsam(settings=Settings(db=url, worker="off", tenant="eve")) as jot:
        for number in range(4):
            jot.remember(f"The wall {number} is green.")
        with jot.database.transaction(tenant="eve") as tx:
            tx.execute(ENGINE)
        address, schema = split_schema(url)
        with psycopg.connect(address) as other:  # Its search_path does not have the schema.
            other.execute("set jotsam.tenant = 'eve'")
            for change in CHANGES:
                other.execute(change.format(schema=schema))
        with jot.database.snapshot(tenant="eve") as tx:
            assert [row["memory_id"] for row in tx.execute(LOGGED)] == [1, 2, 3]


def test_a_memory_is_logged_once_in_a_transaction_that_changes_all_of_it(url: str) -> None:
    """Until another one is changed, and again when it is deleted or has another UUID."""
    with Jotsam(settings=Settings(db=url, worker="off", tenant="eve")) as jot:
        first, second = (jot.remember(f"The wall {number} is green.").id for number in range(2))

        def logged(*statements: str) -> list[str]:
            with jot.database.transaction(tenant="eve") as tx:
                for sql in ("delete from mirror_change where tenant = 'eve'", *statements):
                    tx.execute(sql)
            with jot.database.snapshot(tenant="eve") as tx:
                return [row["uuid"] for row in tx.execute("select uuid from mirror_change order by id")]

        assert logged(*CHANGES_OF_ONE) == []
        with jot.database.transaction(tenant="eve") as tx:
            tx.execute(ENGINE)
        assert logged(*CHANGES_OF_ONE) == [first]
        assert logged(*CHANGES_OF_ONE[1:], CHANGES_OF_ONE[0]) == [first]
        assert logged(CHANGES_OF_ONE[0], "update memory set importance = 0.1 where id = 2", CHANGES_OF_ONE[0]) == [
            *(first, second, first)
        ]
        assert logged(CHANGES_OF_ONE[0], "update memory set uuid = 'other' where id = 1") == [first, "other"]
        assert logged("update memory set importance = 0.3 where id = 1", "delete from memory where id = 1") == [
            *("other", "other")
        ]
