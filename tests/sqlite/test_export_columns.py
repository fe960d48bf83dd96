"""Every column of a memory and a document is exported and imported, or has its reason why not."""

from __future__ import annotations

from pathlib import Path

from jotsam import Jotsam
from jotsam.memory.transfer.export_format import DocumentLine, MemoryLine

LINES = {"memory": MemoryLine, "document": DocumentLine}
# Columns for which no field of a line has the same name, and what a line has instead.
OTHERWISE = {
    "id": "it is that of one database",
    "superseded_by": "a line of its own",
    "archived_by": "a line of its own",
    "tenant": "that of the import",
    "uuid": "id",
    "body": "text",
    "document_id": "document",
    "cut_at": "chunked_at",
    "job_id": "no job",
}


def test_every_column_has_a_field_from_which_it_is_written_and_read(tmp_path: Path) -> None:
    offenders = []
    for table, line in LINES.items():
        with Jotsam(str(tmp_path / "jotsam.db"), worker="off") as jot, jot.database.snapshot() as tx:
            columns = {str(row["name"]) for row in tx.execute(f"pragma table_info({table})")}
        offenders += [f"no line has {table}.{name}" for name in columns - OTHERWISE.keys() - {*line.__struct_fields__}]
    assert offenders == []
