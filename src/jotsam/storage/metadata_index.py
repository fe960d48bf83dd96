"""Hashes of metadata: one for each key and value, so that recall can filter memories by metadata with an index.

Pure. Values are compared as text: strings as they are, numbers and booleans as JSON writes them. Lists, objects and
`null` are not indexed, because they cannot be filtered by. The index holds hashes because values may be of any length.
"""

from __future__ import annotations

import json
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def hashes(metadata: str) -> Iterator[str]:
    """The hashes of the scalar values of a JSON object."""
    for key, value in json.loads(metadata, parse_int=str, parse_float=str).items():
        if isinstance(value, bool):
            yield pair_hash(key, "true" if value else "false")
        elif isinstance(value, str):
            yield pair_hash(key, value)


def pair_hash(key: str, value: str) -> str:
    """SHA-256 of a key and a value, in hex. As JSON, because plain concatenation would be ambiguous."""
    return sha256(json.dumps([key, value]).encode()).hexdigest()
