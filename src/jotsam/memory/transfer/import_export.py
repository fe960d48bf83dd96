"""Imports an export: rows keep their ids, and what exists already is skipped.

Lines are written in batches of one commit each, and an item is in one batch with everything that belongs to it. So an
import that was interrupted is continued by running it again. What was extracted is not extracted again.
"""

from __future__ import annotations

import os

from jotsam.core.errors import InvalidInput
from jotsam.ingest import files, start_worker
from jotsam.memory.transfer import export_format as lines
from jotsam.memory.transfer.import_rows import Rows
from jotsam.memory.transfer.import_tally import Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from jotsam.core.settings import Settings
    from jotsam.memory.transfer.import_tally import MemoryImport
    from jotsam.storage.database import Database, Transaction

    Told = Callable[[str, int, int], None]  # progress callback: file, bytes done, bytes in total
    Numbered = tuple[int, lines.Line]

BATCH_LINES, BATCH_BYTES = 500, 2_000_000
MAX_LINE_BYTES = 512_000_000  # the longest document, in JSON
FOOTER_BYTES = 65_536  # a footer is shorter
CUT = "the file is cut off: its last line is not the footer of an export; copy it again, or export again"


def import_export(
    database: Database,
    settings: Settings,
    path: str,
    *,
    reprocess: bool = False,
    dry_run: bool = False,
    tell: Told | None = None,
) -> MemoryImport:
    """Import an export. With `reprocess`, everything is extracted again.

    Lines that cannot be imported are reported in the result. Raises `InvalidInput` if the file is not an export, was
    cut off, or has a newer version of the format.
    """
    with files.open_regular(path) as file:
        footer = _check_whole(file, path)
        tally = Tally(path)
        rows = Rows(settings, tally, reprocess=reprocess)
        counts: dict[str, int] = {}
        done, total = 0, os.fstat(file.fileno()).st_size
        for batch, size in _batches(file, tally, counts):

            def write(tx: Transaction, batch: list[Numbered] = batch) -> None:
                rows.write(tx, batch)

            if dry_run:
                with database.snapshot(tenant=settings.tenant) as tx:
                    rows.count(tx, batch)
            else:
                start_worker.commit(database, write, worker=settings.worker)
            rows.commit()
            done += size
            if tell:
                tell(os.path.basename(path), done, total)
        if not dry_run:
            start_worker.commit(database, rows.finish, worker=settings.worker)
            rows.commit()
        if counts != footer.counts and not tally.invalid:
            tally.reject(None, f"the footer counts {_counts(footer.counts)}, and the file has {_counts(counts)}")
    return tally.result("jotsam", dry_run=dry_run)


def _check_whole(file: BinaryIO, path: str) -> lines.Footer:
    """The footer, after the header was checked. The file is at its second line afterwards."""
    try:
        end = file.seek(0, os.SEEK_END)
        file.seek(0)
        lines.header(file.readline(FOOTER_BYTES))
        begin = file.tell()
        file.seek(max(begin, end - FOOTER_BYTES))
        last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
        footer = lines.decode(last) if last else None
        file.seek(begin)
    except InvalidInput as error:
        reason = CUT if "line 1:" not in str(error) else str(error)
        raise InvalidInput(f"{path}: {reason}") from error
    if not isinstance(footer, lines.Footer):
        raise InvalidInput(f"{path}: {CUT}")
    return footer


def _batches(file: BinaryIO, tally: Tally, counts: dict[str, int]) -> Iterator[tuple[list[Numbered], int]]:
    """Batches of lines with their numbers, and the bytes read. Lines between header and footer are counted by kind."""
    batch: list[Numbered] = []
    number, size = 1, 0
    while data := file.readline(MAX_LINE_BYTES):
        number += 1
        size += len(data)
        try:
            line = lines.decode(data)
        except InvalidInput as error:
            tally.reject(number, str(error))
            continue
        if isinstance(line, lines.Footer):
            break
        if isinstance(line, lines.Header):
            tally.reject(number, "a second header: import the files one by one")
            continue
        kind = lines.kind(line)
        counts[kind] = counts.get(kind, 0) + 1
        batch.append((number, line))
        if len(batch) >= BATCH_LINES or size >= BATCH_BYTES:
            yield batch, size
            batch, size = [], 0
    if batch:
        yield batch, size


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {kind}" for kind, number in sorted(counts.items())) or "nothing"
