"""Reads `.safetensors` files: a JSON header, then the numbers, memory-mapped and not copied.

Format: https://github.com/huggingface/safetensors#format. Reading such a file executes nothing.
"""

from __future__ import annotations

import json

import numpy as np

from jotsam.core.errors import InvalidInput

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Array = np.ndarray[Any, np.dtype[Any]]

LENGTH_BYTES = 8  # of the header, before it
MAX_HEADER_BYTES = 100_000_000


def read_tensors(path: str) -> dict[str, Array]:
    """The floating-point tensors of a file by name, as float32. Integer tensors are skipped.

    Tensors stored as float32 are mapped and read on demand. Raises `InvalidInput`.
    """
    try:
        mapped = np.memmap(path, dtype=np.uint8, mode="r")
        length = int.from_bytes(mapped[:LENGTH_BYTES].tobytes(), "little")
        if not 2 <= length <= min(MAX_HEADER_BYTES, mapped.size - LENGTH_BYTES):
            raise ValueError(f"invalid header length {length}")
        header: dict[str, Any] = json.loads(mapped[LENGTH_BYTES : LENGTH_BYTES + length].tobytes())
        numbers = mapped[LENGTH_BYTES + length :]
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        return {name: _tensor(numbers, entry) for name, entry in entries.items() if entry["dtype"] in _READERS}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidInput(f"{path} is not a readable safetensors file: {error}") from error


def _tensor(numbers: np.ndarray[Any, np.dtype[np.uint8]], entry: dict[str, Any]) -> Array:
    start, end = entry["data_offsets"]
    if not 0 <= start <= end <= numbers.size:
        raise ValueError(f"a tensor spans bytes {start} to {end} of {numbers.size}")
    tensor: Array = _READERS[entry["dtype"]](numbers[start:end]).reshape(entry["shape"])
    return tensor


def _from_bfloat16(raw: np.ndarray[Any, np.dtype[np.uint8]]) -> Array:
    """bfloat16 is the upper half of a float32."""
    return (raw.view("<u2").astype("<u4") << 16).view("<f4")


_READERS = {
    "F32": lambda raw: raw.view("<f4"),
    "F16": lambda raw: raw.view("<f2").astype(np.float32),
    "BF16": _from_bfloat16,
}
