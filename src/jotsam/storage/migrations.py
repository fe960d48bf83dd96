"""Numbered migrations: forward only, applied once, all or nothing.

A schema (`queue`, `memory`) is a row of files `sql/<dialect>/migrations/<schema>_<number>_<what>.sql`.
What was applied stands in the table `jotsam_migration`, and not in SQLite's `user_version`, so that a queue can live
in a file that has a program of its own. This module reads and judges; a driver executes.
"""

from __future__ import annotations

import os

from jotsam.core.errors import DatabaseUnusable, SchemaTooNew, SchemaTooOld
from jotsam.core.records import Record
from jotsam.storage.database import SQL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOVING = "moving"
"""The schema that a database has only as long as another one is moved into it."""

APPLIED = "select schema, max(version) from jotsam_migration group by schema"
RECORD = "insert into jotsam_migration (schema, version, name, applied_at) values (:schema, :version, :name, :now)"
LEDGER = """create table if not exists jotsam_migration (
  schema text not null,
  version integer not null,
  name text not null,
  applied_at bigint not null,
  primary key (schema, version)
)"""


class Migration(Record):
    """One file, not applied yet."""

    schema: str
    version: int
    name: str
    script: str

    def record(self, now: int) -> dict[str, str | int]:
        """What `RECORD` is told of it."""
        return {"schema": self.schema, "version": self.version, "name": self.name, "now": now}


def newest(dialect: str, schema: str) -> int:
    """The version that this program brings a schema to."""
    return _files(dialect, schema)[-1][0]


def check(url: str, *, found: dict[str, int], wanted: dict[str, int], migrate: bool) -> None:
    """Refuse what this program cannot, or may not, bring to the wanted versions."""
    if MOVING in found and MOVING not in wanted:
        raise DatabaseUnusable(
            f"{url} is being filled with another database, and that is not finished:"
            " run the same `jotsam migrate --to` again, or give another --db"
        )
    for schema, version in wanted.items():
        has = found.get(schema, 0)
        if has > version:
            raise SchemaTooNew(f"{url}: schema {schema} is {has}, this version knows {version}: upgrade jotsam")
        if has < version and not migrate:
            raise SchemaTooOld(f"{url}: schema {schema} is {has}, this version needs {version}: run `jotsam status`")


def outstanding(dialect: str, *, found: dict[str, int], wanted: dict[str, int]) -> Iterator[Migration]:
    """What is still to be applied, in order."""
    for schema in wanted:
        for version, name in _files(dialect, schema):
            if version > found.get(schema, 0):
                with open(os.path.join(SQL, dialect, "migrations", name), encoding="utf-8") as file:
                    yield Migration(schema=schema, version=version, name=name, script=file.read())


def script(steps: Iterable[Migration], *, begin: str, now: str) -> str:
    """All that applying them does, in one transaction, for another program to run. Empty if there are none."""
    done = [
        f"-- {step.name}\n{step.script.strip()}\n"
        "insert into jotsam_migration (schema, version, name, applied_at)\n"
        f"values ('{step.schema}', {step.version}, '{step.name}', {now});"
        for step in steps
    ]
    return "\n\n".join([begin, f"{LEDGER};", *done, "commit;"]) if done else ""


def _files(dialect: str, schema: str) -> list[tuple[int, str]]:
    names = os.listdir(os.path.join(SQL, dialect, "migrations"))
    return sorted((int(name.split("_")[1]), name) for name in names if name.startswith(f"{schema}_"))
