"""The tagger that is shipped: its weights, read once, when a worker first needs them.

The file is made by `tools/train_tagger.py`: the number of features, then, compressed, their hashes as differences and
the low and the high bytes of every label's weights. This room must not know what a feature is.
"""

from __future__ import annotations

import struct
import threading
import zlib
from functools import cache
from importlib.resources import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FILE = "names.bin"

_loading = threading.Lock()


def weights() -> Mapping[int, Sequence[tuple[int, int]]]:
    """By the hash of a feature: pairs of a label's number and its weight."""
    with _loading:  # Several threads want them first at the same moment, and each would read them for itself.
        return _weights()


@cache
def _weights() -> Mapping[int, Sequence[tuple[int, int]]]:
    return unpacked(files("jotsam.models").joinpath(FILE).read_bytes())


def unpacked(data: bytes) -> dict[int, tuple[tuple[int, int], ...]]:
    """Rows that say the same are one, for two thirds of them say what others say too."""
    (count,) = struct.unpack_from("<I", data)
    body = zlib.decompress(data[4:])
    differences = struct.unpack_from(f"<{count}I", body)
    keys, key = [], 0
    for difference in differences:
        key += difference
        keys.append(key)
    columns = len(body) // count - 4
    rows: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for label in range(columns // 2):
        low, high = (body[(4 + 2 * label + byte) * count :][:count] for byte in (0, 1))
        for row, small, large in zip(rows, low, high, strict=True):
            if small or large:
                row.append((label, small + 256 * large - (65536 if large > 127 else 0)))
    same: dict[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]] = {}
    return dict(zip(keys, (same.setdefault(row, row) for row in map(tuple, rows)), strict=True))
