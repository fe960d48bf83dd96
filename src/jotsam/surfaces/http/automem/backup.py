"""AutoMem's `/backup`: an export of the tenant as an archive, made while it is sent.

The archive is `tar.gz`, as that of AutoMem, but holds JSON lines as `jotsam db export` writes them, in parts that
`tar -xzO` joins.
"""

from __future__ import annotations

import io
import tarfile
from functools import partial
from typing import Any

from msgspec import Struct

from jotsam.core.clock import format_time, system_clock
from jotsam.core.errors import InvalidInput
from jotsam.surfaces.http.requests.pieces import pieces_of
from jotsam.surfaces.http.requests.route import Call, Reply, Route

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from jotsam.memory.api.client import Jotsam

GRAPH, VECTORS = INCLUDES = ("falkordb", "qdrant")
PART_BYTES = 4 << 20


class BackupQuery(Struct):
    """What to include: `falkordb` is everything but vectors, `qdrant` is the vectors. Both by default."""

    include: str | None = None


def backup(call: Call) -> Reply:
    """Everything of the tenant as tar.gz."""
    wanted = INCLUDES if call.query.include is None else _parts(call.query.include)
    now_ms = system_clock()
    stamp = format_time(now_ms).replace("-", "").replace(":", "").replace("T", "_").rstrip("Z")
    write = partial(_archive, call.jot, vectors=VECTORS in wanted, now_ms=now_ms)
    headers = {"Content-Disposition": f'attachment; filename="jotsam-backup-{stamp}.tar.gz"'}
    return Reply(body=pieces_of(write), headers={**headers, "Cache-Control": "no-store"}, media_type="application/gzip")


def _parts(text: str) -> list[str]:
    parts = [part.strip().lower() for part in text.split(",")]
    if not parts or any(part not in INCLUDES for part in parts):
        raise InvalidInput(f"invalid include {text[:100]!r}: must be a comma-separated subset of {', '.join(INCLUDES)}")
    if GRAPH not in parts:
        raise InvalidInput("invalid include 'qdrant': vectors are exported with their memories: add falkordb")
    return parts


def _archive(jot: Jotsam, out: BinaryIO, *, vectors: bool, now_ms: int) -> None:
    with tarfile.open(fileobj=out, mode="w|gz") as archive:
        lines = _Parts(archive, now_ms)
        jot.export(lines, vectors=vectors)  # type: ignore[arg-type]
        lines.end_part()


class _Parts:
    """A file whose lines become members of an archive, because the size of a member is written before it."""

    def __init__(self, archive: tarfile.TarFile, now_ms: int) -> None:
        self._archive, self._now_ms = archive, now_ms
        self._part, self._number = io.BytesIO(), 0

    def write(self, line: bytes) -> int:
        if self._part.tell() >= PART_BYTES:
            self.end_part()
        return self._part.write(line)

    def flush(self) -> None:
        """Nothing to do: a part is written when it is full."""

    def end_part(self) -> None:
        """Add what is left as a member."""
        self._number += 1
        member = tarfile.TarInfo(f"jotsam/{self._number:06}.jsonl")
        member.size, member.mtime, member.mode = self._part.tell(), self._now_ms // 1000, 0o600
        self._part.seek(0)
        self._archive.addfile(member, self._part)
        self._part = io.BytesIO()


ROUTES: tuple[Any, ...] = (
    Route(
        method="GET",
        path="/backup",
        handler=backup,
        scope="read",
        query=BackupQuery,
        summary="Everything of the tenant as tar.gz of JSON lines",
        errors="automem",
        admin_token=True,
    ),
)
