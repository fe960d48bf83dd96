"""Vectors as they are stored and compared: of length 1, little-endian float32."""

from __future__ import annotations

import math
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


ROUNDED = 1e-3  # how much the length may differ from 1


def packed(values: Iterable[Any]) -> bytes:
    """Numbers as a vector of length 1. Raises `TypeError`, `ValueError`."""
    numbers = [float(value) for value in values]
    length = math.sqrt(sum(number * number for number in numbers))
    if not length or not math.isfinite(length):
        raise ValueError("its length is not a positive number")
    return struct.pack(f"<{len(numbers)}f", *(number / length for number in numbers))


def is_packed(data: bytes) -> bool:
    """Whether bytes are such a vector."""
    if not data or len(data) % 4:
        return False
    return abs(math.hypot(*struct.unpack(f"<{len(data) // 4}f", data)) - 1) <= ROUNDED
