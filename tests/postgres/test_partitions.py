"""Tables partitioned by tenant: complete, closed to who names a partition, and copied to any other number of them."""

from __future__ import annotations

import pytest

from jotsam import InvalidInput, Jotsam
from jotsam.admin.checks import data_checks
from jotsam.admin.copy_database import copy_database
from jotsam.admin.schema import grant, script, upgrade
from jotsam.core.errors import JotsamError
from jotsam.core.settings import Settings
from jotsam.storage import connect, migrations, partitions
from jotsam.storage.postgres import tenant_isolation

TENANTS = ("ana", "bo", "cy")
PARTITIONS = """
select c.relname as name, p.relname as parent
from pg_class c join pg_inherits on inhrelid = c.oid join pg_class p on p.oid = inhparent
where c.relispartition and c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by c.relname
"""
BREAKS = {
    "alter table {table} disable row level security": "row-level security is disabled",
    "alter table {table} no force row level security": "row-level security is not forced",
    "create policy tenant_isolation on {table} using (true)": "it has another policy, 'tenant_isolation'",
    "create policy more on {table} for insert with check (true)": "it has another policy, 'more'",
}


def settings(url: str, tenant: str = "ana") -> Settings:
    return Settings(db=url, tenant=tenant, worker="off", worker_idle_ms=0, embed_model="hashing")


def fill(url: str) -> None:
    for tenant in TENANTS:
        with Jotsam(settings=settings(url, tenant)) as jot:
            jot.add(f"# Notes of {tenant}\n\nMet with John Smith.\n\nWe use Redis. The port is 81.", source="notes.md")
            jot.remember(f"{tenant} moved to Bonn.", tags=["home"], key="k", metadata={"a": "b"})
            jot.work()
            assert jot.recall("Bonn").coverage.total == 1


def found(url: str) -> dict[str, list[str]]:
    answers = {}
    for tenant in TENANTS:
        with Jotsam(settings=settings(url, tenant)) as jot:
            answers[tenant] = sorted(hit.text for hit in jot.recall("Bonn Redis port").hits)
    return answers


@pytest.fixture
def partitioned(url: str) -> str:
    upgrade(settings(url), partitions=3)
    return url


def of_partitions(url: str) -> list[dict[str, str]]:
    database = connect(url)
    with database.snapshot() as tx:
        rows = tx.execute(PARTITIONS)
    database.close()
    return rows


def test_each_listed_table_has_as_many_partitions(partitioned):
    counts: dict[str, int] = {}
    for row in of_partitions(partitioned):
        counts[row["parent"]] = counts.get(row["parent"], 0) + 1
    assert counts == dict.fromkeys(partitions.TABLES, 3)


def test_the_scripts_stay_as_they_are_without_partitions():
    wanted = {"queue": 1, "memory": 1}
    plain = [step.script for step in migrations.outstanding("postgres", found={}, wanted=wanted)]
    assert [partitions.partitioned(one, 0) for one in plain] == plain


def test_a_partition_that_is_named_shows_no_row_and_takes_none(partitioned, server):
    fill(partitioned)
    schema = partitioned.rpartition("schema=")[2]
    server.execute(f"create role named_{schema} login")
    grant(settings(partitioned), f"named_{schema}")
    rows = of_partitions(partitioned)
    filled = sum(server.execute(f"select count(*) from {schema}.{row['name']}")[0][0] for row in rows)
    assert filled > 50, "a superuser sees them"
    for address in (partitioned, server.url(schema, role=f"named_{schema}")):
        database = connect(address, migrate=False)
        seen = []
        for tenant in TENANTS:
            with database.transaction(tenant=tenant) as tx:
                seen += [row["name"] for row in rows if tx.execute(f"select 1 from {row['name']} limit 1")]
                seen += tx.execute("delete from memory_p0 returning id") + tx.execute("update fact_p1 set object = 'x'")
        assert seen == []
        for part in range(3):
            insert = f"insert into memory_tag_p{part} (tenant, tag, memory_id) values ('ana', 't', 1)"
            with pytest.raises(JotsamError, match="row-level security"), database.transaction(tenant="ana") as tx:
                tx.execute(insert)
        database.close()
    assert all(found(partitioned).values())


def test_doctor_notices_each_fault_of_each_partition_and_repairs_it(partitioned):
    wrong = []
    with Jotsam(settings=settings(partitioned)) as jot:
        jot.remember("Ana moved to Bonn.")
        assert data_checks.examine_row_level_security(jot).level == "ok"
        tables = [row["name"] for row in of_partitions(partitioned)]
        for sql, expected in BREAKS.items():
            with jot.database.transaction() as tx:
                for table in tables:
                    tx.execute(sql.format(table=table))
                found = {fault.table: fault.text for fault in tenant_isolation.faults(tx)}
            wrong += [(table, sql) for table in tables if expected not in found.get(table, "")]
            fault = data_checks.examine_row_level_security(jot)
            assert (fault.level, expected in fault.text) == ("fail", True)
            wrong += {*tables} ^ {*data_checks.restore_row_level_security(jot)}
        assert data_checks.examine_row_level_security(jot).level == "ok"
    assert wrong == []


def test_another_number_is_refused_and_names_the_way_out(partitioned, command, capsys, tmp_path):
    assert command("--db", partitioned, "migrate", "--partitions", "3") == 0
    for number in ("4", "0"):
        for more in ((), ("--dry-run",)):
            assert command("--db", partitioned, "migrate", "--partitions", number, *more) != 0
            said = capsys.readouterr().err
            assert f"invalid number of partitions {number}: " in said
            assert "has 3 partitions" in said
            assert f"jotsam db migrate --partitions {number} --to NEW_DATABASE" in said
    for number in (-1, 33, 10**9):
        with pytest.raises(InvalidInput, match=r"must be 0 \(not partitioned\) to 32"):
            upgrade(settings(partitioned), partitions=number)
    path = str(tmp_path / "a.db")
    assert command("--db", path, "migrate", "--partitions", "4") != 0
    assert "is a file, and only a server has partitions" in capsys.readouterr().err


def test_what_is_printed_makes_the_same_partitions(url, server, partitioned):
    other = server.url()
    sql = script(settings(other), partitions=3)
    with connect(partitioned).transaction() as tx:
        tx.execute(sql.rpartition("commit;")[0].partition("begin;")[2])
    assert of_partitions(other) == of_partitions(partitioned)
    with Jotsam(settings=settings(other)) as jot:
        jot.remember("Ana moved to Bonn.")
        assert jot.recall("Bonn").hits


@pytest.mark.long
def test_a_copy_may_have_another_number_and_a_file_is_copied_there_and_back(server, tmp_path):
    place, back = str(tmp_path / "a.db"), str(tmp_path / "b.db")
    fill(place)
    expected = found(place)
    for number in (3, 1, 0, 2):
        source, place = place, server.url()
        copy_database(settings(source), place, partitions=number)
        assert len(of_partitions(place)) == number * len(partitions.TABLES)
        assert found(place) == expected
    assert copy_database(settings(source), place, partitions=2).already
    copy_database(settings(place), back)
    assert found(back) == expected
    with Jotsam(settings=settings(place)) as jot:
        assert data_checks.examine_row_level_security(jot).level == "ok"
        assert jot.remember("Again.", key="k").duplicate
        jot.remember("Something new.")
        jot.work()
        assert jot.status().enriched == jot.status().memories
