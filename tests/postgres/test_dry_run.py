"""`jotsam db migrate --dry-run` prints the complete migration: running it with another program migrates."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from jotsam import Jotsam
from jotsam.admin.schema import upgrade
from jotsam.core.settings import Settings
from jotsam.storage import connect, partitions, script

STEPS = ["queue_0001_initial", "queue_0002_server_of_tenant", "queue_0003_short_payloads"]
STEPS += ["memory_0001_initial", "memory_0002_projects", "memory_0003_operator_scope"]
STEPS += ["memory_0004_notes", "memory_0005_trash_rows", "memory_0006_hints", "memory_0007_given_texts"]
STEPS += ["memory_0008_store", "memory_0009_item_vectors"]


@pytest.fixture
def psql(server):
    """Runs a script as somebody at a terminal would."""

    def run(url: str, sql: str) -> None:
        program = [str(server._server.bin_path / "psql"), "--quiet", "--set", "ON_ERROR_STOP=1", url]
        ended = subprocess.run(program, input=sql, text=True, capture_output=True, check=False)
        assert ended.returncode == 0, ended.stderr

    return run


@pytest.fixture
def jotsam(tmp_path):
    env = {name: value for name, value in os.environ.items() if not name.startswith("JOTSAM_")}
    env |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "jotsam", *arguments]
        return subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)

    return run


def tables(server, schema: str) -> list[tuple[object, ...]]:
    """All that a schema consists of."""
    return server.execute(
        "select c.relname, c.relkind, a.attname, a.atttypid::text, a.attnotnull from pg_class c"
        " left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0"
        f" where c.relnamespace = '{schema}'::regnamespace order by 1, 3"
    )


def test_piped_into_psql_it_is_the_migration(jotsam, psql, server):
    printed, made = server.url(), server.url()
    schema, other = (url.rpartition("schema=")[2] for url in (printed, made))
    in_public = tables(server, "public")
    dry = jotsam("--db", printed, "migrate", "--dry-run")
    assert dry.returncode == 0, dry.stderr
    psql(printed.partition("&schema=")[0], dry.stdout)
    assert jotsam("--db", printed, "migrate").stdout == "up to date\n"
    assert jotsam("--db", printed, "migrate", "--dry-run").stdout == "-- up to date\n"
    assert jotsam("--db", made, "migrate").stdout == f"applied {len(STEPS)} migrations\n"
    assert tables(server, schema) == tables(server, other)
    assert tables(server, "public") == in_public
    with Jotsam(settings=Settings(db=printed, worker_idle_ms=0)) as jot:
        jot.remember("Ana moved to Bonn.")
        jot.work()
        assert jot.recall("Bonn").coverage.total == 1


def test_a_schema_that_somebody_made_for_a_role_that_may_make_none_is_filled(jotsam, psql, server, url):
    schema = url.rpartition("schema=")[2]
    server.execute(f"create role modest_{schema} login nosuperuser")
    server.execute(f"create schema {schema} authorization modest_{schema}")
    modest = server.url(schema, role=f"modest_{schema}")
    psql(modest.partition("&schema=")[0], script(modest))
    assert jotsam("--db", modest, "migrate").stdout == "up to date\n"


def test_of_many_that_migrate_at_once_one_says_that_it_did(url):
    settings = Settings(db=url)
    with ThreadPoolExecutor(6) as pool:
        applied = list(pool.map(lambda _: [step.name for step in upgrade(settings)], range(6)))
    assert sorted(applied, key=len) == [[], [], [], [], [], STEPS]


def test_json_has_the_script_too(jotsam, url, monkeypatch):
    monkeypatch.setattr(partitions, "DEFAULT", 0)  # The process does not know that of the tests.
    found = json.loads(jotsam("--db", url, "migrate", "--dry-run", "--json").stdout)
    assert [step["name"] for step in found["steps"]] == STEPS
    assert found["script"] == script(url)
    connect(url).close()
    assert script(url) == ""
