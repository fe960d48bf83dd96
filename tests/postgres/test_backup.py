"""A dump by a role that bypasses row-level security restores everything; one by the role of Jotsam does not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import psycopg
import pytest

from jotsam import Jotsam
from jotsam.admin import doctor
from jotsam.core.settings import Settings
from servers import ROLE


@pytest.fixture
def run(server):
    """Runs a program of the server's version as a role. Returns its exit code, output and errors."""
    programs = server.programs

    def run(program: str, role: str, *arguments: str | Path) -> tuple[int, str, str]:
        connection = ["-h", server.folder / "data", "-U", role]
        command = list(map(str, [programs / program, *connection, *arguments]))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    return run


def rows(dump: str, schema: str, table: str) -> list[str]:
    """The rows of a table in a dump as SQL."""
    return dump.partition(f"\nCOPY {schema}.{table} (")[2].partition("\n")[2].partition("\\.\n")[0].splitlines()


def answer(jot: Jotsam) -> list[tuple[str, str]]:
    return [(hit.id, hit.text) for hit in jot.recall("launch").hits]


def test_a_dump_by_a_role_that_bypasses_row_level_security_restores_everything(server, url, run, tmp_path):
    schema = url.rpartition("schema=")[2]
    with Jotsam(settings=Settings(db=url, worker="off", worker_idle_ms=0)) as jot:
        jot.add("# Plan\n\nThe launch is on Friday. Ana moved to Bonn.", source="plan.md")
        jot.scoped(tenant="other").remember("The launch of another tenant.")
        jot.work()
        expected = answer(jot), answer(jot.scoped(tenant="other"))
        assert min(map(len, expected)) > 0
    server.execute("create role backup login bypassrls in role pg_read_all_data")
    server.execute(f"create database restored_{schema}")
    try:
        saved = run("pg_dump", "backup", "-n", schema, "-Fc", "-f", tmp_path / "dump", "postgres")
        assert saved == (0, "", "")
        target = server.admin.replace("/postgres?", f"/restored_{schema}?")
        with psycopg.connect(target, autocommit=True) as connection:
            connection.execute("create extension vector")
        restored = run("pg_restore", "postgres", "-d", f"restored_{schema}", tmp_path / "dump")
        assert restored[0] == 0, restored[2]
        there = url.replace("/postgres?", f"/restored_{schema}?")
        with Jotsam(settings=Settings(db=there, worker="off")) as jot:
            assert (answer(jot), answer(jot.scoped(tenant="other"))) == expected
            checks = {check.name: check for check in doctor.examine(jot.settings)}
        assert {check.level for check in checks.values()} == {"ok"}, checks
        assert "cannot save memories" in checks["backup"].text
    finally:
        server.execute(f"drop database restored_{schema} with (force)")
        server.execute("drop role backup")


def test_a_dump_by_the_role_of_jotsam_fails_or_has_no_memories(server, url, run):
    schema = url.rpartition("schema=")[2]
    with Jotsam(settings=Settings(db=url, worker="off")) as jot:
        jot.remember("The launch is on Friday.")
    code, _, error = run("pg_dump", ROLE, "-n", schema, "postgres")
    assert code == 1
    assert "row-level security" in error
    code, dump, error = run("pg_dump", ROLE, "-n", schema, "--enable-row-security", "postgres")
    assert (code, error) == (0, "")
    assert rows(dump, schema, "memory") == []
    assert len(rows(dump, schema, "queue_job")) == 1
