"""Tables and indexes of a SQLite file that its migrations created and that are missing."""

from __future__ import annotations

import re

from jotsam.storage import MEMORY, migrations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction

OBJECT = re.compile(r"^create (?:unique )?(table|index) (\w+)(?: on (\w+))?.*?;$", re.MULTILINE | re.DOTALL)


def missing_objects(tx: Transaction) -> tuple[dict[str, str], dict[str, str]]:
    """The missing tables, and the missing indexes of tables that are there: by name, the SQL that created each."""
    there = {row["name"] for row in tx.execute("select name from sqlite_schema")}
    found: dict[str, dict[str, str]] = {"table": {}, "index": {}}
    for step in migrations.outstanding("sqlite", found={}, wanted=dict.fromkeys(MEMORY, 1)):
        for one in OBJECT.finditer(step.script):
            if one[2] not in there and (one[3] is None or one[3] in there):
                found[one[1]][one[2]] = one[0]
    return found["table"], found["index"]
