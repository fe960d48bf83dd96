"""Numbered migrations: forward only, applied once, all or nothing.

A schema (`queue`, `memory`) consists of migrations `sql/<dialect>/migrations/<schema>_<number>_<name>`, each of them a
file `.sql` or a folder of such files, which are applied in the order of their names. The table `jotsam_migration`
records what was applied; SQLite's `user_version` is not used, because a queue can share a file with another program.
This module reads files and checks versions; the drivers execute.
"""

from __future__ import annotations

import os

from jotsam.core.errors import DatabaseUnusable, JotsamError, SchemaTooNew, SchemaTooOld
from jotsam.core.records import Record
from jotsam.core.version import VERSION
from jotsam.storage.statements import SQL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

# A schema that exists only while another database is copied into this one.
COPYING = "copying"

# Hashes of the scripts by version, recorded when they are applied, because a script changed until its first release.
# `python -m tools.fingerprints` computes them, and so does each build of the package, which fails if one is missing or
# wrong: opening a database must not read the scripts.
FINGERPRINTS: dict[str, dict[str, tuple[str, ...]]] = {
    "sqlite": {
        "copying": ("99b7b58ed85f",),
        "memory": (
            "0ad14a461b54",
            "7b50bf9d5e14",
            "181f08ac55f0",
            "6753e1a08f02",
            "970c1fed53c3",
            "447b01cbe934",
            "650fd5333dd6",
            "7549cdd87457",
            "d923a976df30",
            "15a78908280e",
        ),
        "queue": ("2e5243832fb4", "8787a5e68ac7"),
    },
    "postgres": {
        "copying": ("02697007118c",),
        "memory": (
            "6ed148033bb7",
            "d819a29328c9",
            "1e0b744186c9",
            "e66d64d173c7",
            "970c1fed53c3",
            "09494beee8cb",
            "b1d6bb389370",
            "6593083b2dd0",
            "397e4c9ff5d8",
        ),
        "queue": ("0a560d4f9dd8", "b23f6ce021fd", "8787a5e68ac7"),
    },
}

APPLIED = "select * from jotsam_migration"  # Earlier versions had fewer columns.
RECORD = """insert into jotsam_migration (schema, version, name, fingerprint, applied_at, program)
values (:schema, :version, :name, :fingerprint, :now, :program)"""
LEDGER = """create table if not exists jotsam_migration (
  schema text not null,
  version integer not null,
  name text not null,
  fingerprint text not null,
  applied_at bigint not null,
  program text, -- the version of Jotsam that applied it
  primary key (schema, version)
)"""
ADD_PROGRAM = "alter table jotsam_migration add column {}program text"  # to a table that an earlier version made


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
            "program": VERSION,
        }


def newest(dialect: str, schema: str) -> int:
    """The latest version of a schema that this program knows."""
    return _migrations(dialect, schema)[-1][0]


class Versions(dict[str, int]):
    """The version of each schema of a database, and the version of Jotsam that applied the newest; "" if unknown."""

    program = ""


def numbers(rows: Iterable[Mapping[str, Any]]) -> Versions:
    """The version of each schema, from the rows of `APPLIED`."""
    found = Versions()
    for row in sorted(rows, key=lambda row: int(row["applied_at"])):
        schema = str(row["schema"])
        found[schema] = max(int(row["version"]), found.get(schema, 0))
        found.program = str(row.get("program") or "")
    return found


def newest_of(dialect: str, found: Iterable[str]) -> dict[str, int]:
    """The latest version that this program knows of each of these schemas, without `COPYING`."""
    known = FINGERPRINTS[dialect].keys() - {COPYING}
    return {schema: newest(dialect, schema) for schema in found if schema in known}


def is_earlier(rows: Iterable[Mapping[str, Any]], *, dialect: str) -> bool:
    """Whether a script that was applied is another one in this program, or is not the latest."""
    rows = list(rows)
    found = numbers(rows)
    return _changed(rows, dialect) is not None or found != newest_of(dialect, found)


def versions(url: str, rows: Iterable[Mapping[str, Any]], *, dialect: str) -> Versions:
    """The same as `numbers`. Raises `DatabaseUnusable` if one of them has another script in this program."""
    rows = list(rows)
    if changed := _changed(rows, dialect):
        way_out = (
            f"`jotsam db salvage {url} NEW_FILE` copies everything in it to a new database"
            if dialect == "sqlite"
            else "copy it with `jotsam db export FILE` of that version, and `jotsam import FILE` into a new database"
        )
        raise DatabaseUnusable(f"{url}: made by a development version of jotsam, with another {changed}: {way_out}")
    return numbers(rows)


def _changed(rows: Iterable[Mapping[str, Any]], dialect: str) -> str | None:
    """The first schema and version whose script is another one in this program."""
    for row in rows:
        known = fingerprint(dialect, str(row["schema"]), int(row["version"]))
        if known and row.get("fingerprint") != known:
            return f"schema {row['schema']} {row['version']}"
    return None


def fingerprint(dialect: str, schema: str, version: int) -> str:
    """The fingerprint of a migration; empty if this program does not know it."""
    known = FINGERPRINTS[dialect].get(schema, ())
    return known[version - 1] if version <= len(known) else ""


def check(url: str, *, found: dict[str, int], wanted: dict[str, int], migrate: bool) -> None:
    """Raise an error if this program cannot, or may not, migrate the database to the wanted versions."""
    if COPYING in found and COPYING not in wanted:
        raise DatabaseUnusable(
            f"{url}: an unfinished copy of another database;"
            " run the same `jotsam db migrate --to` again, or choose another --db"
        )
    for schema, version in wanted.items():
        has = found.get(schema, 0)
        if has > version:
            by = getattr(found, "program", "")
            raise SchemaTooNew(
                f"{url}: {f'jotsam {by}' if by else 'a newer jotsam'} made its schema {schema} {has},"
                f" and this is jotsam {VERSION}, which knows {version}: upgrade jotsam, and start again what still runs"
            )
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
                if not mark:  # Without it a later change of the script would not be noticed.
                    raise JotsamError(f"{file} has no fingerprint: run `python -m tools.fingerprints`")
                script = _script(dialect, file)
                if partitions:
                    from jotsam.storage.partitions import partitioned  # Slow to import, and rarely needed.

                    script = partitioned(script, partitions)
                yield Migration(schema=schema, version=version, name=name, script=script, fingerprint=mark)


def script(steps: Iterable[Migration], *, begin: str, now: str) -> str:
    """All steps as one transaction, for another program to run. Empty if up to date.

    `begin` starts it, and makes the table of migrations.
    """
    done = [
        f"-- {step.name}\n{step.script.strip()}\n"
        "insert into jotsam_migration (schema, version, name, fingerprint, applied_at, program)\n"
        f"values ('{step.schema}', {step.version}, '{step.name}', '{step.fingerprint}', {now}, '{VERSION}');"
        for step in steps
    ]
    return "\n\n".join([begin, *done, "commit;"]) if done else ""


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
