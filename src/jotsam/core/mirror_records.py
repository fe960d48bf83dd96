"""What an engine holds of a memory: a copy of SQL, complete enough to answer questions without SQL.

Times are milliseconds since 1970, UTC. Ids are UUIDs.
"""

from __future__ import annotations

from jotsam.core.records import Record


class MirroredEntity(Record):
    """An entity that a memory mentions. If it was merged into another, it is that other."""

    category: str
    slug: str
    name: str
    confidence: float | None = None


class MirroredFact(Record):
    """A fact of a memory. `superseded_at` is the time from which another fact replaces it."""

    id: str
    subject: str
    predicate: str
    object: str
    confidence: float
    valid_from: int | None = None
    valid_until: int | None = None
    superseded_at: int | None = None


class MirroredLink(Record):
    """A link from the memory to another one. `properties` is a JSON object or None."""

    target: str
    type: str
    weight: float
    properties: str | None = None
    extractor: str | None = None  # None: a caller made it


class MirroredVector(Record):
    """The vector of a memory: little-endian float32, of length 1, and the name of the model that made it."""

    embedder: str
    bytes: bytes


class MirroredMemory(Record):
    """A memory as engines hold it. `digest` changes whenever any other field does."""

    id: str
    digest: str
    content: str
    summary: str | None
    type: str | None
    tags: tuple[str, ...]
    importance: float | None
    confidence: float | None
    metadata: str | None  # a JSON object
    project: str | None
    actor: str | None
    session: str | None
    source: str | None
    external_id: str | None
    said_at: int | None
    created_at: int
    changed_at: int | None
    enriched_at: int | None
    valid_from: int | None
    valid_until: int | None
    superseded_at: int | None
    superseded_by: str | None
    entities: tuple[MirroredEntity, ...] = ()
    facts: tuple[MirroredFact, ...] = ()
    links: tuple[MirroredLink, ...] = ()
    vector: MirroredVector | None = None
