"""The marks of metadata: one hash for each key and its value, by which a memory is found without reading any metadata.

Pure. A value is compared as text: a string as it is, a number or `true` as JSON writes it. Lists, objects and `null`
have no mark, for nothing can be asked of them. A hash, because a value may be of any length and of any characters, and
what an index holds may not.
"""

from __future__ import annotations

import json
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def marks(metadata: str) -> Iterator[str]:
    """Of a JSON object, one for each of its plain values."""
    for key, value in json.loads(metadata, parse_int=str, parse_float=str).items():
        if isinstance(value, bool):
            yield mark(key, "true" if value else "false")
        elif isinstance(value, str):
            yield mark(key, value)


def mark(key: str, value: str) -> str:
    """SHA-256 of a key and a value, in hex. JSON between them keeps `a: bc` apart from `ab: c`."""
    return sha256(json.dumps([key, value]).encode()).hexdigest()
