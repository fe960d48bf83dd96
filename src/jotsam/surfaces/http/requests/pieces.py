"""What a function writes to a file, as an iterator of pieces, while it is written: for answers of any size.

The function runs in a thread of its own, which waits when the reader is slow, and ends when the reader closes.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from queue import Full, Queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

PIECE = 1 << 16
WAITING = 8  # pieces that the writer is ahead of the reader
CHECK_S = 0.5  # how soon a waiting writer notices that the reader is gone


class _Writer:
    """An open binary file, as far as exports need one."""

    def __init__(self) -> None:
        self.pieces: Queue[bytes | BaseException | None] = Queue(WAITING)
        self.closed = threading.Event()
        self._parts: list[bytes] = []
        self._size = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self._size += len(data)
        if self._size >= PIECE:
            self.flush()
        return len(data)

    def flush(self) -> None:
        piece, self._parts, self._size = b"".join(self._parts), [], 0
        if piece:
            self.put(piece)

    def put(self, piece: bytes | BaseException | None) -> None:
        """Raises `BrokenPipeError` if the reader is gone."""
        while not self.closed.is_set():
            try:
                return self.pieces.put(piece, timeout=CHECK_S)
            except Full:
                continue
        raise BrokenPipeError("the reader is gone")


class Pieces:
    """The pieces in order. Closing it, or dropping it before its end, stops the writer."""

    def __init__(self, writer: _Writer) -> None:
        self._writer = writer
        self._first: bytes | None = self._read()

    def __iter__(self) -> Pieces:
        return self

    def __next__(self) -> bytes:
        piece, self._first = self._first, None
        if piece is None and not self._writer.closed.is_set():
            piece = self._read()
        if piece is None:
            raise StopIteration
        return piece

    def close(self) -> None:
        """Stop the writer."""
        self._writer.closed.set()

    # An answer whose client is gone may never be iterated, so that a generator would not notice.
    __del__ = close

    def _read(self) -> bytes | None:
        piece = self._writer.pieces.get()
        if piece is None or isinstance(piece, BaseException):
            self.close()
        if isinstance(piece, BaseException):
            raise piece
        return piece


def pieces_of(write: Callable[[BinaryIO], object]) -> Pieces:
    """The pieces that `write` writes. What it raises before the first piece is raised here."""
    writer = _Writer()
    threading.Thread(target=_run, args=(write, writer), name="jotsam-pieces", daemon=True).start()
    return Pieces(writer)


def _run(write: Callable[[BinaryIO], object], writer: _Writer) -> None:
    """Write, and then put the end or the error."""
    last: BaseException | None = None
    try:
        write(writer)  # type: ignore[arg-type]
        writer.flush()
    except BaseException as error:
        last = error
    with suppress(BrokenPipeError):
        writer.put(last)
