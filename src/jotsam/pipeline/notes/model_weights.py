"""The weights of a linear model, as `tools/train_sentences.py` writes them. Pure, and light: a hook loads it."""

from __future__ import annotations

import zlib
from functools import cache

SIZE = 1 << 15  # weights, of one byte each; a feature has the weight of its hash
STEP = 16.0  # a weight is an integer divided by this
CHECKSUM = 4  # bytes before them, of the examples
_HERE = __file__.rpartition("model_weights")[0]


@cache
def weights(model: str) -> tuple[memoryview, bytes]:
    """Of features, and the bytes behind them: what a model has besides."""
    with open(f"{_HERE}{model}", "rb") as file:
        content = zlib.decompress(file.read())[CHECKSUM:]
    return memoryview(content)[:SIZE].cast("b"), content[SIZE:]


def number_of(feature: str) -> int:
    """The place of its weight."""
    return zlib.crc32(feature.encode("utf-8", "surrogatepass")) % SIZE
