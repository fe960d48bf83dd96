"""Every column of a memory and a document is exported and imported, or has its reason why not."""

from __future__ import annotations

import re
from pathlib import Path

from jotsam import Jotsam
from jotsam.memory.transfer import export
from jotsam.memory.transfer.export_format import DocumentLine, MemoryLine
from jotsam.storage.statements import queries

TABLES = {
    "memory": (MemoryLine, {*export._SAME_IN_MEMORY, "metadata", "rejected"}),
    "document": (DocumentLine, {*export._SAME_IN_DOCUMENT}),
}
NOT_WRITTEN = {"id": "it is that of one database", "superseded_by": "a line", "archived_by": "a line"}
# Columns that are written, and what the line of an export has instead.
OTHERWISE = {
    "tenant": "that of the import",
    "uuid": "id",
    "body": "text",
    "document_id": "document",
    "cut_at": "chunked_at",
    "job_id": "no job",
}


def test_every_column_is_exported_and_imported(tmp_path: Path) -> None:
    offenders = []
    for table, (line, filled) in TABLES.items():
        with Jotsam(str(tmp_path / "jotsam.db"), worker="off") as jot, jot.database.snapshot() as tx:
            columns = {str(row["name"]) for row in tx.execute(f"pragma table_info({table})")}
        query = re.sub(r"--.*", "", queries("sqlite", "fragments")[f"row.{table}"])
        written = {*re.findall(r"\w+", query)}
        same = written - OTHERWISE.keys()
        offenders += [f"{table}.{name} is not imported" for name in columns - written - NOT_WRITTEN.keys()]
        offenders += [f"no line has {table}.{name}" for name in same - {*line.__struct_fields__}]
        offenders += [f"the line of a {table} is made without its {name}" for name in same - filled]
    assert offenders == []
