"""The tables of memory on PostgreSQL, partitioned by a hash of the tenant: changes the SQL of migrations accordingly.

The keys of these tables contain the tenant, as partitioning requires. A partition has row-level security and no policy:
who reads it directly sees no row, and queries of the table itself are bound by the policy of that. This module must
not execute anything.
"""

from __future__ import annotations

import re

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.storage import tables

# The partitions of a new database; 0: its tables are not partitioned.
DEFAULT = 0

# Creating them takes locks on all partitions in one transaction. With the usual `max_locks_per_transaction` of 64 and
# 100 connections a server has 6,400, and one partition of all tables with their indexes takes about 150.
MOST = 32

TABLES = tuple(table.name for table in tables.TABLES.values() if table.partitioned)

_TABLE = re.compile(r"^(?P<indent> *)create table (?P<name>\w+) \(\n(?P<body>.*?)\n(?P=indent)\);$", re.DOTALL | re.M)

# A unique index with an expression cannot be created on a partitioned table, but on each partition.
_INDEX = re.compile(r"^create unique index (?P<name>\w+) on (?P<table>\w+) (?P<columns>\(.*\|\|.*\));$", re.M)


class Partitions(Record):
    """The wanted number of partitions."""

    number: int


def checked(number: int) -> int:
    """Raises `InvalidInput` for a number of partitions that is not possible."""
    if not 0 <= number <= MOST:
        raise InvalidInput(f"invalid number of partitions {number:,}: must be 0 (not partitioned) to {MOST}")
    return number


def partitioned(script: str, number: int) -> str:
    """A migration whose large tables have this number of partitions. With 0 the same script."""
    if not number:
        return script
    script = _TABLE.sub(lambda found: _table(found, number), script)
    return _INDEX.sub(lambda found: _index(found, number), script)


def _table(found: re.Match[str], number: int) -> str:
    name, indent = found["name"], found["indent"]
    if name not in TABLES:
        return found[0]
    lines = [f"{indent}create table {name} (", found["body"], f"{indent}) partition by hash (tenant);"]
    for remainder in range(number):
        part = f"{name}_p{remainder}"
        values = f"with (modulus {number}, remainder {remainder})"
        lines.append(f"{indent}create table {part} partition of {name} for values {values};")
        lines.append(f"{indent}alter table {part} enable row level security, force row level security;")
    return "\n".join(lines)


def _index(found: re.Match[str], number: int) -> str:
    name, table, columns = found.groups()
    if table not in TABLES:
        return found[0]
    parts = range(number)
    return "\n".join(f"create unique index {name}_p{part} on {table}_p{part} {columns};" for part in parts)
