"""An embedder without a model: hashes words and character trigrams into a vector.

Texts are similar when they share words or parts of words; meaning plays no role. It needs no library and returns the
same vectors on every machine, so vector search can be tried and tested without a model.
"""

from __future__ import annotations

import math
import struct
from zlib import crc32

from jotsam.core.patterns import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DIMENSION = 512
INDEX_SHIFT = 23  # the upper 9 of 32 bits are the index, the next one the sign
MULTIPLIER = 2_654_435_761  # Knuth, The Art of Computer Programming, 6.4: a CRC alone is too regular
PART_LENGTH = 3
PART_WEIGHT = 0.4

_WORD = lazy_pattern(r"\w+")


class HashingEmbedder:
    """Hashed bag of words and trigrams, 512 dimensions."""

    name = f"hashing-{DIMENSION}"
    dimension = DIMENSION
    location = "hashing"

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A unit vector per text as little-endian float32; all zeros for a text without words."""
        return [_vector(text) for text in texts]


def _vector(text: str) -> bytes:
    sums = [0.0] * DIMENSION
    for part, weight in _parts(text.lower()):
        digest = crc32(part.encode("utf-8", "replace")) * MULTIPLIER & 0xFFFF_FFFF
        sums[digest >> INDEX_SHIFT] += weight if digest >> (INDEX_SHIFT - 1) & 1 else -weight
    length = math.sqrt(sum(value * value for value in sums)) or 1.0
    return struct.pack(f"<{DIMENSION}f", *(value / length for value in sums))


def _parts(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text):
        yield word, 1.0
        framed = f"<{word}>"
        for start in range(len(framed) - PART_LENGTH + 1):
            yield framed[start : start + PART_LENGTH], PART_WEIGHT
