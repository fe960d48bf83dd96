"""`/v1/export` and `/v1/import`: everything of a tenant as JSON lines, and back. Neither is held in memory."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from jotsam.core.errors import InvalidInput
from jotsam.memory.transfer.import_tally import MemoryImport
from jotsam.surfaces.http.requests.pieces import pieces_of
from jotsam.surfaces.http.requests.route import Call, Reply, Route, given
from jotsam.surfaces.http.v1.fields import options_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

PIECE = 64 << 10
NAME = "upload"
NDJSON = "application/x-ndjson"


class ImportQuery(Struct, forbid_unknown_fields=True):
    """How to import."""

    format: Literal["jotsam", "automem", "server-memory", "basic-memory", "mem0", "claude-mem"] | UnsetType = UNSET
    project: str | UnsetType = UNSET
    reprocess: bool = False
    dry_run: bool = False


def export(call: Call) -> Reply:
    """Everything of the tenant as JSON lines."""
    options = options_of(call.query)
    pieces = pieces_of(lambda out: call.jot.export(out, **options))
    headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="jotsam.jsonl"'}
    return Reply(body=pieces, media_type=NDJSON, headers=headers)


def import_memories(call: Call) -> Reply:
    """Import a file of an export, or of another program."""
    folder = tempfile.mkdtemp(prefix="jotsam-import-")
    path = os.path.join(folder, NAME)
    try:
        _copy(call.body, path)
        found = call.jot.import_memories(path, **given(call.query))
    except InvalidInput as error:
        raise InvalidInput(str(error).replace(path, NAME)) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Reply(body=found.replace(problems=tuple(one.replace(path=NAME) for one in found.problems)))


def _copy(upload: IO[bytes], path: str) -> None:
    with open(path, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        shutil.copyfileobj(upload, file, PIECE)


ROUTES = (
    Route(
        method="POST",
        path="/v1/import",
        handler=import_memories,
        scope="admin",
        query=ImportQuery,
        raw=True,
        result=MemoryImport,
        summary="Import a file of an export, or of another program",
    ),
)
