"""A memory as the payload and the vector of a point, and back. Pure.

Names are those of AutoMem where it has the field: content, tags, tag_prefixes, importance, confidence, type, timestamp,
t_valid, t_invalid, updated_at, metadata. Those times are ISO 8601 to the second, and `metadata` is an object, for
programs that know AutoMem's payload; what is read back are Jotsam's own fields, which are exact.
"""

from __future__ import annotations

import json
import re
from array import array
from hashlib import sha256

from jotsam.core.clock import format_time
from jotsam.core.mirror_records import MirroredEntity, MirroredFact, MirroredLink, MirroredMemory, MirroredVector

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from jotsam.core.records import Record

# Fields that are not written as they are. Of the others `content`, `type`, `importance`, `confidence` are AutoMem's.
OTHERWISE = {"id", "tags", "metadata", "entities", "facts", "links", "vector"}
SAME = [name for name in MirroredMemory._fields if name not in OTHERWISE]
METADATA, EMBEDDER = "metadata_json", "embedder"

MAX_DEPTH = 32  # of metadata as an object: the parsers of Qdrant and of others have limits
MAX_INTEGER = 2**63 - 1
MAX_NAME = 100


def payload_of(memory: MirroredMemory, *, tenant: str, version: int) -> dict[str, Any]:
    """The payload, without fields that have no value: Qdrant finds neither."""
    said = memory.said_at if memory.said_at is not None else memory.created_at
    changed = memory.changed_at if memory.changed_at is not None else memory.created_at
    found = {name: getattr(memory, name) for name in SAME} | {
        "tenant": tenant,
        "version": version,
        "tags": list(memory.tags),
        "tag_prefixes": tag_prefixes(memory.tags),
        "timestamp": format_time(said),
        "t_valid": format_time(memory.valid_from if memory.valid_from is not None else said),
        "t_invalid": None if memory.valid_until is None else format_time(memory.valid_until),
        "updated_at": format_time(changed),
        "metadata": _object(memory.metadata),
        METADATA: memory.metadata,
        EMBEDDER: memory.vector.embedder if memory.vector else None,
        "entities": [_fields(one) for one in memory.entities],
        "facts": [_fields(one) for one in memory.facts],
        "links": [_fields(one) for one in memory.links],
    }
    return {name: value for name, value in found.items() if value is not None}


def memory_of(id: str, payload: Mapping[str, Any], vectors: Mapping[str, Sequence[float]]) -> MirroredMemory:
    same: dict[str, Any] = {name: payload.get(name) for name in SAME}
    embedder = payload.get(EMBEDDER)
    numbers = vectors.get(vector_name(embedder)) if embedder else None
    return MirroredMemory(
        id=id,
        **same,
        metadata=payload.get(METADATA),
        tags=tuple(payload.get("tags", ())),
        entities=tuple(MirroredEntity(**one) for one in payload.get("entities", ())),
        facts=tuple(MirroredFact(**one) for one in payload.get("facts", ())),
        links=tuple(MirroredLink(**one) for one in payload.get("links", ())),
        vector=None if numbers is None else MirroredVector(embedder=str(embedder), bytes=array("f", numbers).tobytes()),
    )


def vector_name(embedder: str) -> str:
    """The name of an embedder's vectors. Qdrant names folders by it, so a name with other letters gets a hash."""
    name = re.sub(r"[^A-Za-z0-9._-]", "-", embedder)[:MAX_NAME]
    return name if name == embedder else f"{name}-{sha256(embedder.encode()).hexdigest()[:8]}"


def tag_prefixes(tags: Sequence[str]) -> list[str]:
    """Each tag and what comes before a colon or slash in it, in lower case: `a/b` is found by `a` and `a:b`."""
    found: dict[str, None] = {}
    for tag in tags:
        parts = [part for part in re.split("[:/]", tag.strip().lower()) if part]
        found |= dict.fromkeys(":".join(parts[:count]) for count in range(1, len(parts) + 1))
    return [*found]


def _fields(record: Record) -> dict[str, Any]:
    return {name: value for name, value in record.as_dict().items() if value is not None}


def _object(metadata: str | None) -> dict[str, Any] | None:
    """Metadata as an object, if every part of it is one that Qdrant can hold."""
    value = json.loads(metadata) if metadata else None
    return value if isinstance(value, dict) and _is_plain(value, MAX_DEPTH) else None


def _is_plain(value: object, depth: int) -> bool:
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return depth > 0 and all(_is_plain(one, depth - 1) for one in inner)
    return not isinstance(value, int) or abs(value) <= MAX_INTEGER
