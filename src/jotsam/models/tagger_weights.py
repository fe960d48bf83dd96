"""Weights of the bundled name tagger, loaded once, and kept packed: as objects they take many times the space.

`tools/train_tagger.py` writes the file: the number of features, then, zlib-compressed, the differences of their sorted
hashes and, per label, the low and the high bytes of the weights.
"""

from __future__ import annotations

import struct
import threading
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Row = tuple[tuple[int, int], ...]

FILE = "names.bin"
MAX_UNPACKED = 32_768  # rows that are kept unpacked, because a few features occur in every sentence

_lock = threading.Lock()


class PackedWeights(Mapping[int, "Row"]):
    """Feature hash -> pairs of a label's number and its weight, from the bytes of the file."""

    def __init__(self, data: bytes) -> None:
        (count,) = struct.unpack_from("<I", data)
        body = zlib.decompress(data[4:])
        self._hashes = array("I", accumulate(struct.unpack_from(f"<{count}I", body)))
        self._width = len(body) // count - 4  # bytes in a row
        rows = bytearray(count * self._width)
        for column in range(self._width):
            rows[column :: self._width] = body[(4 + column) * count : (5 + column) * count]
        self._rows = bytes(rows)
        self._row = struct.Struct(f"<{self._width // 2}h")
        self._unpacked: dict[int, Row] = {}

    def __getitem__(self, feature: int) -> Row:
        if row := self.get(feature):
            return row
        raise KeyError(feature)

    def get(self, feature: int, default: Row = ()) -> Row:  # type: ignore[override]
        """As that of a dict. Most features of a text are unknown, and an exception for each is slow."""
        row = self._unpacked.get(feature)
        if row is None:
            row = self._unpack(feature)
            if len(self._unpacked) >= MAX_UNPACKED:
                self._unpacked.clear()
            self._unpacked[feature] = row
        return row or default

    def __iter__(self) -> Iterator[int]:
        return iter(self._hashes)

    def __len__(self) -> int:
        return len(self._hashes)

    def _unpack(self, feature: int) -> Row:
        """The row of a feature, empty if it is unknown."""
        at = bisect_left(self._hashes, feature)
        if at == len(self._hashes) or self._hashes[at] != feature:
            return ()
        row = self._row.unpack_from(self._rows, at * self._width)
        return tuple((label, weight) for label, weight in enumerate(row) if weight)


def load_weights() -> PackedWeights:
    """The weights of the bundled tagger."""
    with _lock:  # Threads that start together would each load the file.
        return _load()


@cache
def _load() -> PackedWeights:
    return PackedWeights(files("jotsam.models").joinpath(FILE).read_bytes())
