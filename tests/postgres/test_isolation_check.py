"""`jotsam doctor` notices every way in which row-level security no longer separates the tenants, and repairs it."""

from __future__ import annotations

import pytest

from jotsam import Jotsam
from jotsam.admin.checks import data_checks
from jotsam.core.settings import Settings

BREAKS = {
    "alter table {table} disable row level security": "row-level security is disabled",
    "alter table {table} no force row level security": "row-level security is not forced",
    "drop policy tenant_isolation on {table}": "the policy 'tenant_isolation' is missing",
    "drop policy tenant_isolation on {table}; create policy tenant_isolation on {table} using (true)": "was changed",
    "alter policy tenant_isolation on {table} with check (true)": "was changed",
    "alter policy tenant_isolation on {table} using (tenant is not null)": "was changed",
    "alter policy tenant_isolation on {table} to current_user": "was changed",
    "drop policy tenant_isolation on {table}; create policy tenant_isolation on {table} for select"
    " using (tenant = nullif(current_setting('jotsam.tenant', true), ''))": "was changed",
    "create policy more on {table} using (true)": "it has another policy, 'more'",
    """create policy "a ""b" on {table} for insert with check (true)""": "it has another policy",
}
TABLES = (
    "select relname as name from pg_class"
    " where relrowsecurity and not relispartition and relnamespace = current_schema()::regnamespace"
)


@pytest.fixture
def jot(url):
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0)) as jot:
        jot.remember("Ana moved to Bonn.")
        yield jot


def run(jot: Jotsam, sql: str) -> None:
    with jot.database.transaction() as tx:
        for statement in sql.split(";"):
            tx.execute(statement)


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "all"])
def test_doctor_notices_each_fault_of_each_table_and_repairs_it(every, jot):
    """Some: every fault of one table, and one of every other table."""
    with jot.database.snapshot() as tx:
        tables = [row["name"] for row in tx.execute(TABLES)]
    assert len(tables) == 54
    wrong = []
    breaks = list(BREAKS.items())
    for number, table in enumerate(tables):
        for sql, expected in breaks if every or table == "memory" else [breaks[number % len(breaks)]]:
            run(jot, sql.format(table=table))
            found = data_checks.examine_row_level_security(jot)
            if found.level != "fail" or f"{table}: " not in found.text or expected not in found.text:
                wrong.append((table, sql, found))
            repaired = data_checks.restore_row_level_security(jot)
            found = data_checks.examine_row_level_security(jot)
            if repaired != [table] or found.level != "ok":
                wrong.append((table, sql, repaired, found))
    assert wrong == []
    assert data_checks.restore_row_level_security(jot) == []


def test_the_policy_that_only_reads_is_checked_too(jot):
    lookup = "current_setting('jotsam.token', true) = '*'"
    for sql, expected in {
        "drop policy token_lookup on api_token": "the policy 'token_lookup' is missing",
        f"alter policy token_lookup on api_token using ({lookup})": "the policy 'token_lookup' was changed",
        f"drop policy token_lookup on api_token; create policy token_lookup on api_token using ({lookup})": "changed",
    }.items():
        run(jot, sql)
        found = data_checks.examine_row_level_security(jot).text
        assert "api_token: " in found, sql
        assert expected in found, sql
        assert data_checks.restore_row_level_security(jot) == ["api_token"]
        assert data_checks.examine_row_level_security(jot).level == "ok"


def test_the_command_fails_and_says_what_to_do(jot, url, command, capsys, server):
    run(jot, "alter table memory disable row level security; create policy more on fact using (true)")
    assert command("--db", url, "doctor") == 3
    out = capsys.readouterr().out
    assert "does not isolate the tenants: fact: it has another policy, 'more'; memory: row-level security is" in out
    assert "jotsam doctor --repair" in out
    assert command("--db", url, "doctor", "--repair") == 0
    out = capsys.readouterr().out
    assert "row-level security was restored: fact, memory" in out
    assert "an unknown tenant sees no row" in out


def test_rows_that_an_unknown_tenant_sees_are_a_fault_whatever_the_policies_say(jot, server, url):
    """A function that a policy calls can be replaced, too."""
    schema = url.rpartition("schema=")[2]
    server.execute(
        f"create function {schema}.current_setting(text, boolean) returns text language sql stable"
        " return case when $1 = 'jotsam.tenant' then 'default' else pg_catalog.current_setting($1, $2) end"
    )
    run(
        jot,
        f"set local search_path = {schema}, pg_catalog; alter policy tenant_isolation on memory"
        " using (tenant = nullif(current_setting('jotsam.tenant', true), ''))",
    )
    found = data_checks.examine_row_level_security(jot)
    assert found.level == "fail"
    assert "memory: " in found.text
