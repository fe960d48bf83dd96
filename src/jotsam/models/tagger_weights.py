"""Weights of the bundled name tagger, loaded once on first use.

`tools/train_tagger.py` writes the file: the number of features, then, zlib-compressed, the differences of their sorted
hashes and, per label, the low and the high bytes of the weights.
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

_lock = threading.Lock()


def load_weights() -> Mapping[int, Sequence[tuple[int, int]]]:
    """Feature hash -> pairs of a label's number and its weight."""
    with _lock:  # Threads that start together would each load the file.
        return _load()


@cache
def _load() -> Mapping[int, Sequence[tuple[int, int]]]:
    return unpack(files("jotsam.models").joinpath(FILE).read_bytes())


def unpack(data: bytes) -> dict[int, tuple[tuple[int, int], ...]]:
    """The weights in the bytes of the file. Equal rows share one tuple: two thirds are duplicates."""
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
