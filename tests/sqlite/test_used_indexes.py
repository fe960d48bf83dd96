"""Each index is used: by a query, by a foreign key, or because it refuses duplicates.

An index that nothing reads makes each write slower and the file larger.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from jotsam.storage.statements import SQL, queries, statement

if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

OF_MODULES = ("vec1_cos_distance", "jotsam_copy")
"""A function and a table that exist only while they are needed."""


def used(tx: Transaction) -> set[str]:
    """The indexes in the plans of all named queries."""
    found = set()
    files = sorted({path.stem for folder in ("common", "sqlite") for path in Path(SQL, folder).glob("*.sql")})
    for query in (f"{file}.{name}" for file in files if file != "fragments" for name in queries("sqlite", file)):
        found |= indexes(tx, statement("sqlite", query))
    return found


def indexes(tx: Transaction, sql: str) -> set[str]:
    text = re.sub(r"--.*", "", sql)
    explained = "; ".join(f"explain query plan {one}" for one in text.split(";"))
    try:
        steps = tx.execute(explained, dict.fromkeys(re.findall(r":(\w+)", text)))
    except apsw.SQLError as error:
        if not any(name in str(error) for name in OF_MODULES):
            raise
        return set()
    return {name for step in steps for name in re.findall(r"INDEX (\w+)", step["detail"])}


def of_foreign_keys(tx: Transaction) -> set[str]:
    """The indexes that find the rows of a deleted parent: SQLite takes the first one with the column."""
    sql = """
    select i.name
    from sqlite_schema t, pragma_foreign_key_list(t.name) k, pragma_index_list(t.name) i, pragma_index_info(i.name) c
    where t.type = 'table' and c.seqno = 0 and c.name = k."from"
    """
    return {row["name"] for row in tx.execute(sql)}


def test_each_index_is_used(tx: Transaction) -> None:
    sql = "select i.name from sqlite_schema t, pragma_index_list(t.name) i where t.type = 'table' and not i.\"unique\""
    every = {row["name"] for row in tx.execute(sql)}
    assert len(every) > 40
    assert every - used(tx) - of_foreign_keys(tx) == set()


def test_an_unused_index_would_be_noticed(tx: Transaction) -> None:
    assert indexes(tx, "select id from memory where tenant = :tenant and actor = :actor") == {"memory_actor"}
    assert "memory_actor" not in indexes(tx, "select id from memory where tenant = :tenant and body = :body")
