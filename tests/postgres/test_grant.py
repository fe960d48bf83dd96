"""`jotsam db migrate --grant ROLE`: a role that owns nothing uses the memory, and cannot disable row-level security."""

from __future__ import annotations

import pytest

from jotsam import InvalidInput, Jotsam
from jotsam.admin.copy_database import copy_database
from jotsam.admin.doctor import examine
from jotsam.admin.schema import grant, script
from jotsam.core.errors import DatabaseUnusable, JotsamError
from jotsam.core.settings import Settings
from jotsam.storage import connect

FORBIDDEN = (
    "alter table memory disable row level security",
    "alter table memory no force row level security",
    "alter table memory add column more text",
    "drop policy tenant_isolation on memory",
    "create policy more on memory using (true)",
    "alter policy tenant_isolation on memory using (true)",
    "truncate table memory cascade",
    "drop table memory cascade",
    "create table more (id bigint)",
    "create or replace function tenant_prefix() returns text language sql return 'x'",
    "update jotsam_migration set version = version + 9",
    "delete from jotsam_migration",
    "select setval('memory_id_seq', 1)",
    "select nextval('memory_id_seq')",
    "select last_value from memory_id_seq",
)
NAMES = ('app "x"; drop table memory; --', "Großes Wörterbuch %s $$ '", "select")


def settings(url: str, **more: object) -> Settings:
    return Settings(db=url, worker="off", worker_idle_ms=0, **more)


@pytest.fixture
def role(server, url):
    """Makes a role and returns its name."""
    schema = url.rpartition("schema=")[2]

    def make(name: str = f"app_{schema}", options: str = "login") -> str:
        quoted = name.replace('"', '""')
        server.execute(f'create role "{quoted}" {options}')
        return name

    return make


def test_a_role_that_owns_nothing_does_the_round_trip_and_nothing_else(url, server, role, command, capsys, tmp_path):
    name = role()
    assert command("--db", url, "migrate", "--grant", name) == 0
    assert command("--db", url, "migrate", "--grant", name) == 0
    assert capsys.readouterr().out.endswith(f"up to date\n{name} may read and write the tables, and owns nothing\n")
    app = server.url(url.rpartition("schema=")[2], role=name)
    with Jotsam(settings=settings(app, tenant="ana", embed_model="hashing")) as jot:
        jot.add("# Notes\n\nMet with John Smith.\n\nWe use Redis.", source="notes.md")
        jot.remember("Ana moved to Bonn.", tags=["home"], metadata={"a": "b"})
        jot.work()
        assert jot.recall("Bonn").coverage.total == 1
        assert jot.status().enriched == 2
        jot.admin.forget_tenant()
        assert jot.status().memories == 0
    checks = list(examine(settings(app)))
    assert [check for check in checks if check.level == "fail"] == []
    assert "an unknown tenant sees no row" in next(one.text for one in checks if one.name == "row-level security")

    with pytest.raises(DatabaseUnusable, match="copy as the role that owns the tables"):
        copy_database(settings(app), str(tmp_path / "copy.db"))
    database = connect(app, migrate=False)
    for sql in FORBIDDEN:
        with pytest.raises(DatabaseUnusable, match="permission denied"), database.transaction() as tx:
            tx.execute(sql)
    database.close()


def test_tables_of_later_migrations_are_granted_too(url, server, role):
    name = role()
    grant_to(url, name)
    owner = connect(url)
    with owner.transaction() as tx:
        tx.execute("create table later (id bigint)")
        tx.execute("create function later() returns bigint language sql return 1")
    owner.close()
    app = connect(server.url(url.rpartition("schema=")[2], role=name), migrate=False)
    with app.transaction() as tx:
        tx.execute("insert into later (id) values (1)")
        assert tx.execute("select later() as found") == [{"found": 1}]
    app.close()


def grant_to(url: str, name: str) -> list[str]:
    connect(url).close()
    return grant(settings(url), name)


@pytest.mark.parametrize("name", NAMES)
def test_a_strange_name_is_quoted(name, url, server, role):
    grant_to(url, role(name))
    ((granted,),) = server.execute(
        f"select count(*) from information_schema.role_table_grants where table_schema = '{url.rpartition('=')[2]}'"
        " and table_name = 'memory' and grantee = $$" + name.replace("$$", "$$ || '$$' || $$") + "$$"
    )
    assert granted == 4


def test_a_role_that_does_not_exist_or_bypasses_it_is_refused(url, server, role):
    connect(url).close()
    schema = url.rpartition("schema=")[2]
    server.execute(f'grant jotsam_test to "{role(f"member_{schema}")}"')
    wrong = {
        f'no "such" {schema}': f'does not exist; .*create role "no ""such"" {schema}" login',
        "": "does not exist",
        "public": "does not exist",
        role(f"root_{schema}", "superuser"): "superuser",
        role(f"by_{schema}", "bypassrls"): "bypassrls",
        "jotsam_test": "owns the tables",
        f"member_{schema}": "owns the tables",
    }
    for name, expected in wrong.items():
        for apply in (True, False):
            with pytest.raises(InvalidInput, match=f"invalid role .*{expected}"):
                grant(settings(url), name, apply=apply)
    app = server.url(schema, role=role())
    with pytest.raises(JotsamError, match="belong to the role 'jotsam_test'"):
        grant(settings(app), role(f"other_{schema}"))


def test_a_dry_run_prints_the_grants_after_the_migration(url, server, role, command, capsys):
    name = role('app "2"')
    assert command("--db", url, "migrate", "--dry-run", "--grant", name) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(script(settings(url)))
    assert 'to "app ""2""";\ncommit;' in printed
    connect(url).close()
    with_privileges = "select count(*) from information_schema.role_table_grants where grantee = 'app \"2\"'"
    assert server.execute(with_privileges) == [(0,)]


def test_only_a_server_has_roles(tmp_path, command, capsys):
    path = str(tmp_path / "jotsam.db")
    assert command("--db", path, "migrate", "--grant", "app") == 1
    assert "only a postgresql:// database has roles" in capsys.readouterr().err
    assert not (tmp_path / "jotsam.db").exists()
