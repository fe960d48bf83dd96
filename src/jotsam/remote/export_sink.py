"""Takes the pieces of an export from a server, writes them, and knows at the end whether all of it arrived."""

from __future__ import annotations

import json

from jotsam.core.errors import DatabaseUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO


class ExportSink:
    """Writes pieces to a file. The last line of an export states how many lines of each kind it has."""

    def __init__(self, out: BinaryIO, *, tell: Callable[[str, int, int], object] | None) -> None:
        self._out, self._tell = out, tell
        self._line = b""  # the current one, not complete yet, or the last
        self._memories = 0
        self.bytes = 0

    def write(self, piece: bytes) -> None:
        self._out.write(piece)
        self.bytes += len(piece)
        *whole, rest = (self._line + piece).split(b"\n")
        self._memories += sum(line.startswith(b'{"kind":"memory"') for line in whole)
        self._line = rest or (whole[-1] + b"\n" if whole else b"")
        if self._tell is not None and whole:
            self._tell("memories", self._memories, self._memories)

    def finish(self) -> dict[str, int]:
        """The number of lines of each kind. Raises `DatabaseUnavailable` if the last line is missing."""
        try:
            footer = json.loads(self._line)
        except ValueError:
            footer = None
        if not isinstance(footer, dict) or footer.get("kind") != "footer":
            raise DatabaseUnavailable("the export was cut off before its last line: try again")
        return {str(kind): int(number) for kind, number in footer["counts"].items()}
