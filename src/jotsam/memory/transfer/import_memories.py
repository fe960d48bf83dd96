"""Imports an export, or the memories of another program from its files or its server."""

from __future__ import annotations

import os

from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.core.names import MEMORY_FORMATS
from jotsam.core.records import Record
from jotsam.ingest.memory_files import detect
from jotsam.ingest.validation import check_line
from jotsam.memory.transfer.import_export import import_export
from jotsam.memory.transfer.import_foreign import import_foreign

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.core.settings import Settings
    from jotsam.memory.transfer.import_export import Told
    from jotsam.memory.transfer.import_tally import MemoryImport
    from jotsam.storage.database import Database


class ImportMemoriesOptions(Record):
    """Options of `import_memories`."""

    format: str | None = None  # one of `MEMORY_FORMATS`; None: detected
    project: str | None = None
    reprocess: bool = False
    dry_run: bool = False


def import_memories(
    database: Database,
    settings: Settings,
    path: str | os.PathLike[str],
    wanted: Mapping[str, Any],
    *,
    tell: Told | None = None,
) -> MemoryImport:
    """Import the file, directory or server at `path`. Raises `InvalidInput`, and the errors of the database."""
    path = os.fspath(path)
    validate.check_fields(wanted, ImportMemoriesOptions._fields)
    options = ImportMemoriesOptions(**wanted)
    validate.check_choice("format", options.format, MEMORY_FORMATS)
    project = check_line("project", options.project)
    is_dry, again = validate.check_bool("dry_run", options.dry_run), validate.check_bool("reprocess", options.reprocess)
    format = options.format or detect(path)
    if format is None:
        raise InvalidInput(f"{path} is not a file of memories: give the format, one of {', '.join(MEMORY_FORMATS)}")
    if format != "jotsam":
        if again:
            raise InvalidInput("memories of other programs are always enriched: omit reprocess")
        return import_foreign(database, settings, path, format, project=project, dry_run=is_dry, tell=tell)
    if project is not None:
        raise InvalidInput("an export keeps the projects of its memories: omit project")
    return import_export(database, settings, path, reprocess=again, dry_run=is_dry, tell=tell)
