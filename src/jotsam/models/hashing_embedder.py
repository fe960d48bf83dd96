"""An embedder without a model: words and their parts are hashed into places of a vector.

It knows which texts share words or pieces of words, and nothing of what they mean. It needs no library and gives the
same vectors everywhere, so that everything around an embedder can be tried, and tested, without one.
"""

from __future__ import annotations

import math
import re
import struct
from zlib import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DIMENSION = 512
PLACE_BITS = 23  # the upper 9 of 32 bits say the place, the next one the sign
SPREAD = 2_654_435_761  # Knuth, The Art of Computer Programming, 6.4: a CRC alone is too regular
SIZE_OF_PARTS = 3
WEIGHT_OF_PARTS = 0.4

_WORD = re.compile(r"\w+")


class HashingEmbedder:
    """See the top of this room."""

    name = f"hashing-{DIMENSION}"
    dimension = DIMENSION
    place = "hashing"

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """A vector for each text: little-endian float32, of length 1, or all 0 for a text without a word."""
        return [_vector(text) for text in texts]


def _vector(text: str) -> bytes:
    sums = [0.0] * DIMENSION
    for part, weight in _parts(text.lower()):
        digest = crc32(part.encode("utf-8", "replace")) * SPREAD & 0xFFFF_FFFF
        sums[digest >> PLACE_BITS] += weight if digest >> (PLACE_BITS - 1) & 1 else -weight
    length = math.sqrt(sum(value * value for value in sums)) or 1.0
    return struct.pack(f"<{DIMENSION}f", *(value / length for value in sums))


def _parts(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text):
        yield word, 1.0
        framed = f"<{word}>"
        for start in range(len(framed) - SIZE_OF_PARTS + 1):
            yield framed[start : start + SIZE_OF_PARTS], WEIGHT_OF_PARTS
