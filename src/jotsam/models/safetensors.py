"""Reads the tensors of a `.safetensors` file: a header of JSON, then the numbers, mapped into memory and not copied.

The format is that of https://github.com/huggingface/safetensors#format. Nothing in such a file is ever executed.
"""

from __future__ import annotations

import json

import numpy as np

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Array = np.ndarray[Any, np.dtype[Any]]

LENGTH = 8  # bytes in front of the header that say how long it is
LONGEST_HEADER = 100_000_000


def read(path: str) -> dict[str, Array]:
    """Every tensor of numbers with a point, as float32; whole numbers are passed over.

    Those that are float32 in the file stay in it and are read when they are needed. Raises `InvalidInput`.
    """
    try:
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
        length = int.from_bytes(mapped[:LENGTH].tobytes(), "little")
        if not 2 <= length <= min(LONGEST_HEADER, mapped.size - LENGTH):
            raise ValueError(f"its header would have {length} bytes")
        header: dict[str, Any] = json.loads(mapped[LENGTH : LENGTH + length].tobytes())
        numbers = mapped[LENGTH + length :]
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        return {name: _tensor(numbers, entry) for name, entry in entries.items() if entry["dtype"] in _READERS}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path} is no safetensors file that can be read: {error}") from error


def _tensor(numbers: np.ndarray[Any, np.dtype[np.uint8]], entry: dict[str, Any]) -> Array:
    start, end = entry["data_offsets"]
    if not 0 <= start <= end <= numbers.size:
        raise ValueError(f"a tensor lies from {start} to {end} of {numbers.size} bytes")
    tensor: Array = _READERS[entry["dtype"]](numbers[start:end]).reshape(entry["shape"])
    return tensor


def _widened(raw: np.ndarray[Any, np.dtype[np.uint8]]) -> Array:
    """bfloat16 is the upper half of a float32."""
    return (raw.view("<u2").astype("<u4") << 16).view("<f4")


_READERS = {
    "F32": lambda raw: raw.view("<f4"),
    "F16": lambda raw: raw.view("<f2").astype(np.float32),
    "BF16": _widened,
}
