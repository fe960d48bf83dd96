"""Numbered migrations: forward only, applied once, all or nothing.

A schema (`queue`, `memory`) consists of migrations `sql/<dialect>/migrations/<schema>_<number>_<name>`, each of them a
file `.sql` or a folder of such files, which are applied in the order of their names. The table `jotsam_migration`
records what was applied; SQLite's `user_version` is not used, because a queue can share a file with another program.
This module reads files and checks versions; the drivers execute.
"""

from __future__ import annotations

import os

from jotsam.core.errors import DatabaseUnusable, SchemaTooNew, SchemaTooOld
from jotsam.core.records import Record
from jotsam.storage.statements import SQL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

# A schema that exists only while another database is copied into this one.
COPYING = "copying"

# Hashes of the scripts by version, recorded when they are applied, because a script changed until its first release.
# Computed by tests/unit/test_migration_fingerprints.py: opening a database must not read the scripts.
FINGERPRINTS: dict[str, dict[str, tuple[str, ...]]] = {
    "sqlite": {
        "copying": ("99b7b58ed85f",),
        "memory": ("0ad14a461b54", "", "181f08ac55f0"),
        "queue": ("2e5243832fb4",),
    },
    "postgres": {
        "copying": ("02697007118c",),
        "memory": ("6ed148033bb7", "", "1e0b744186c9"),
        "queue": ("0a560d4f9dd8",),
    },
}

APPLIED = "select * from jotsam_migration"  # The first development versions had fewer columns.
RECORD = """insert into jotsam_migration (schema, version, name, fingerprint, applied_at)
values (:schema, :version, :name, :fingerprint, :now)"""
LEDGER = """create table if not exists jotsam_migration (
  schema text not null,
  version integer not null,
  name text not null,
  fingerprint text not null,
  applied_at bigint not null,
  primary key (schema, version)
)"""


class Migration(Record):
    """A migration that is not applied yet."""

    schema: str
    version: int
    name: str
    script: str
    fingerprint: str

    def record(self, now: int) -> dict[str, str | int]:
        """The parameters of `RECORD`."""
        return {
            "schema": self.schema,
            "version": self.version,
            "name": self.name,
            "fingerprint": self.fingerprint,
            "now": now,
        }


def newest(dialect: str, schema: str) -> int:
    """The latest version of a schema that this program knows."""
    return _migrations(dialect, schema)[-1][0]


def versions(url: str, rows: Iterable[Mapping[str, Any]], *, dialect: str) -> dict[str, int]:
    """The version of each schema, from the rows of `APPLIED`.

    Raises `DatabaseUnusable` if one of them has another script in this program.
    """
    found: dict[str, int] = {}
    for row in rows:
        schema, version = str(row["schema"]), int(row["version"])
        found[schema] = max(version, found.get(schema, 0))
        known = fingerprint(dialect, schema, version)
        if known and row.get("fingerprint") != known:
            raise DatabaseUnusable(
                f"{url}: made by an unreleased version of jotsam, whose schema {schema} {version} was another one:"
                " choose another --db to create a new database"
            )
    return found


def fingerprint(dialect: str, schema: str, version: int) -> str:
    """The fingerprint of a migration; empty if this program does not know it."""
    known = FINGERPRINTS[dialect].get(schema, ())
    return known[version - 1] if version <= len(known) else ""


def check(url: str, *, found: dict[str, int], wanted: dict[str, int], migrate: bool) -> None:
    """Raise an error if this program cannot, or may not, migrate the database to the wanted versions."""
    if COPYING in found and COPYING not in wanted:
        raise DatabaseUnusable(
            f"{url}: an unfinished copy of another database;"
            " run the same `jotsam migrate --to` again, or choose another --db"
        )
    for schema, version in wanted.items():
        has = found.get(schema, 0)
        if has > version:
            raise SchemaTooNew(f"{url}: schema {schema} is {has}, this version knows {version}: upgrade jotsam")
        if has < version and not migrate:
            raise SchemaTooOld(f"{url}: schema {schema} is {has}, this version needs {version}: run `jotsam status`")


def outstanding(
    dialect: str, *, found: dict[str, int], wanted: dict[str, int], partitions: int = 0
) -> Iterator[Migration]:
    """The migrations that are not applied yet, in order, for a database with this number of partitions."""
    for schema in wanted:
        for version, file in _migrations(dialect, schema):
            if version > found.get(schema, 0):
                name = file.removesuffix(".sql")
                mark = fingerprint(dialect, schema, version)
                script = _script(dialect, file)
                if partitions:
                    from jotsam.storage.partitions import partitioned  # Slow to import, and rarely needed.

                    script = partitioned(script, partitions)
                yield Migration(schema=schema, version=version, name=name, script=script, fingerprint=mark)


def script(steps: Iterable[Migration], *, begin: str, now: str) -> str:
    """All steps as one transaction, for another program to run. Empty if up to date."""
    done = [
        f"-- {step.name}\n{step.script.strip()}\n"
        "insert into jotsam_migration (schema, version, name, fingerprint, applied_at)\n"
        f"values ('{step.schema}', {step.version}, '{step.name}', '{step.fingerprint}', {now});"
        for step in steps
    ]
    return "\n\n".join([begin, f"{LEDGER};", *done, "commit;"]) if done else ""


def _migrations(dialect: str, schema: str) -> list[tuple[int, str]]:
    names = os.listdir(os.path.join(SQL, dialect, "migrations"))
    return sorted((int(name.split("_")[1]), name) for name in names if name.startswith(f"{schema}_"))


def _script(dialect: str, name: str) -> str:
    path = os.path.join(SQL, dialect, "migrations", name)
    parts = [os.path.join(path, part) for part in sorted(os.listdir(path))] if os.path.isdir(path) else [path]
    texts = []
    for part in parts:
        with open(part, encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)
