"""Weights of the bundled name tagger, loaded once, and kept packed: as objects they take many times the space.

`tools/train_tagger.py` writes the file: the number of features, then, zlib-compressed, the differences of their sorted
hashes and, per label, the low and the high bytes of the weights. Totals are one integer with 32 bits for each label, so
that one addition adds the weights of all labels.
"""

from __future__ import annotations

import struct
import threading
import zlib
from array import array
from bisect import bisect_left
from functools import cache
from importlib.resources import files
from itertools import accumulate
from operator import itemgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = "names.bin"
OFFSET = 1 << 15  # added to each weight, so that none is negative

_FIELD = 4  # bytes of a label in a total
_WITH_OFFSET = bytes(high ^ 0x80 for high in range(256))
_FILTER = (1 << 19) - 1
_HIGH_BITS = 16

_lock = threading.Lock()


class PackedWeights:
    """The weights of features, each known by its CRC-32, from the bytes of the file."""

    def __init__(self, data: bytes) -> None:
        (count,) = struct.unpack_from("<I", data)
        body = zlib.decompress(data[4:])
        self._width = len(body) // count - 4  # bytes in a row, two for each label
        self._hashes = array("I", accumulate(struct.unpack_from(f"<{count}I", body)))
        self._rows = bytearray(count * self._width)
        for column in range(self._width):
            values = body[(4 + column) * count : (5 + column) * count]
            self._rows[column :: self._width] = values.translate(_WITH_OFFSET) if column % 2 else values
        # A total has the even labels first, so that two masks are enough to give each the space for a sum.
        labels = self._width // 2
        self._fields = struct.Struct(f"<{labels}I")
        self._even = sum(0xFFFF << 8 * _FIELD * field for field in range(-(-labels // 2)))
        self._odd_bits = 8 * _FIELD * -(-labels // 2)
        self._in_order = itemgetter(*(label // 2 + label % 2 * -(-labels // 2) for label in range(labels)))
        # Whether a feature with such low bits exists, because most features of a text are unknown; and where the
        # features with such high bits begin, because a bisection of all takes longer.
        exists, starts = bytearray(_FILTER + 1), array("I", bytes(4 * ((1 << _HIGH_BITS) + 1)))
        for feature in self._hashes:
            exists[feature & _FILTER] = 1
            starts[(feature >> 32 - _HIGH_BITS) + 1] += 1
        self._exists, self._starts = exists, array("I", accumulate(starts))

    def __len__(self) -> int:
        return len(self._hashes)

    def total(self, features: Iterable[int]) -> int:
        """The weights of all these features for each label, as one integer that can be added to others."""
        exists, starts, hashes, rows, width = self._exists, self._starts, self._hashes, self._rows, self._width
        even, odd_bits, total = self._even, self._odd_bits, 0
        for feature in features:
            if exists[feature & _FILTER]:
                part = feature >> 32 - _HIGH_BITS
                at = bisect_left(hashes, feature, starts[part], starts[part + 1])
                if at < starts[part + 1] and hashes[at] == feature:
                    row = int.from_bytes(rows[at * width : at * width + width], "little")
                    total += (row & even) + ((row >> 16 & even) << odd_bits)
        return total

    def by_label(self, total: int) -> tuple[int, ...]:
        """The weights in a total for each label. Each is larger by `OFFSET` for each known feature."""
        sums: tuple[int, ...] = self._in_order(self._fields.unpack(total.to_bytes(self._fields.size, "little")))
        return sums


def load_weights() -> PackedWeights:
    """The weights of the bundled tagger."""
    with _lock:  # Threads that start together would each load the file.
        return _load()


@cache
def _load() -> PackedWeights:
    return PackedWeights(files("jotsam.models").joinpath(FILE).read_bytes())
