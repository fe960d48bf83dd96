"""FalkorDB as an engine: a graph for each tenant, with the labels, relations and property names of AutoMem.

    (:Memory)-[:RELATES_TO {strength}]->(:Memory)          links, each type a relation of its own
    (:Entity)-[:REFERENCED_IN {confidence}]->(:Memory)     mentions
    (:Memory)-[:STATES]->(:Fact)-[:SUBJECT]->(:Entity)     facts; OBJECT likewise

`:Missing` is the target of a link to a memory that is not there yet. Vectors are not held.

A batch is written in several queries. Each touches only memories that still have the version of the batch, and the
last writes the digests: a batch that was interrupted leaves memories without a digest. A property without a value is
absent. Times are ISO 8601 in UTC.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from jotsam.core.errors import InvalidInput
from jotsam.core.mirror_records import MirroredEntity, MirroredFact, MirroredLink, MirroredMemory
from jotsam.engines import falkordb_queries as cypher
from jotsam.engines.falkordb_connection import TIMEOUT_MS, Connection, check_library

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

PREFIX = "jotsam"
MAX_BATCH_CHARACTERS = 4_000_000  # of texts in one query, unless a single memory has more
READ_BATCH = 100
SCALE = 2**62

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SIMILAR_TO = "SIMILAR_TO"
# Relations with a meaning of their own; a link of such a type, or of one that is not a plain word, has the type `LINK`.
RESERVED = ("STATES", "REFERENCED_IN", "SUBJECT", "OBJECT", "LINK")
LINK_FIELDS = ("strength", "score", "type", "extractor", "properties")

# Fields of a memory by the names of their properties. Fields that are not listed have properties of the same name.
TIMES = {
    "said_at": "said_at",
    "created_at": "created_at",
    "changed_at": "updated_at",
    "enriched_at": "enriched_at",
    "valid_from": "t_valid",
    "valid_until": "t_invalid",
    "superseded_at": "superseded_at",
}
TEXTS = (
    *("id", "digest", "content", "summary", "type", "metadata", "project", "actor", "session", "source"),
    *("external_id", "superseded_by"),
)


class FalkorDBEngine:
    """Implements `engine.Engine`. `prefix` begins the names of its graphs: `jotsam:TENANT`."""

    def __init__(
        self,
        address: str,
        *,
        password: str | None = None,
        ca_file: str | None = None,
        prefix: str = PREFIX,
        timeout_ms: int = TIMEOUT_MS,
    ) -> None:
        if not prefix.replace("-", "_").isidentifier() or not prefix.isascii():
            raise InvalidInput(f"invalid prefix {prefix!r}: must be letters, digits, - and _")
        check_library()
        self._connection = Connection(address, password=password, ca_file=ca_file, timeout_ms=timeout_ms)
        if self._connection.address.graph:
            raise InvalidInput(f"invalid address {address!r}: it names a graph, and each tenant has a graph of its own")
        self._prefix = f"{prefix}:"

    def prepare(self) -> str:
        version = self._connection.version()
        for graph in self._graphs():
            self._create_indexes(graph)
            for query in (cypher.SWEEP_FACTS, cypher.SWEEP_ENTITIES, cypher.SWEEP_MISSING):
                self._connection.query(graph, query)
        return f"FalkorDB {version}".strip()

    def upsert(self, tenant: str, memories: Sequence[MirroredMemory], *, version: int) -> None:
        graph = self._graph(tenant)
        if memories:
            self._create_indexes(graph)
        for batch in _batches({memory.id: memory for memory in memories}.values()):
            self._upsert(graph, batch, version)

    def _upsert(self, graph: str, batch: list[MirroredMemory], version: int) -> None:
        def write(query: str, rows: list[dict[str, Any]]) -> None:
            if rows:
                self._connection.query(graph, query, {"rows": rows, "version": version})

        rows = [{"id": memory.id, "memory": {**_properties(memory), "version": version}} for memory in batch]
        (written,) = self._connection.query(graph, cypher.MEMORIES, {"rows": rows, "version": version})
        new = [memory for memory in batch if memory.id in set(written[0])]
        ends = self._clear(graph, [memory.id for memory in new], version)
        write(cypher.MENTIONS, [row for memory in new for row in _mentions(memory)])
        write(cypher.ENTITIES, list(_entities(new).values()))
        write(cypher.FACTS, [row for memory in new for row in _facts(memory)])
        for end, query in (("subject", cypher.SUBJECTS), ("object", cypher.OBJECTS)):
            write(query, [row for memory in new for row in _fact_ends(memory, end)])
        links = [row for memory in new for row in _links(memory)]
        write(cypher.MISSING, [{"target": target} for target in sorted({row["target"] for row in links})])
        for type in sorted({row["relation"] for row in links}):
            write(cypher.LINKS.format(type=type), [row for row in links if row["relation"] == type])
        self._remove_loose(graph, ends)
        write(cypher.DIGESTS, [{"id": memory.id, "digest": memory.digest} for memory in new])

    def delete(self, tenant: str, ids: Iterable[str]) -> None:
        graph, listed = self._graph(tenant), list(ids)
        if not listed or self._connection.read_rows(graph, cypher.ANY) is None:
            return
        ends = self._clear(graph, listed, None)
        for query in (cypher.TO_MISSING, cypher.DELETE):
            self._connection.query(graph, query, {"ids": listed})
        self._remove_loose(graph, ends)

    def forget_tenant(self, tenant: str) -> None:
        self._connection.delete_graph(self._graph(tenant))

    def tenants(self) -> list[str]:
        held = (graph for graph in self._graphs() if self._connection.read_rows(graph, cypher.ANY))
        return sorted(graph.removeprefix(self._prefix) for graph in held)

    def count(self, tenant: str) -> int:
        rows = self._connection.read_rows(self._graph(tenant), cypher.COUNT)
        return int(rows[0][0]) if rows else 0

    def digests(self, tenant: str, *, after: str, limit: int) -> list[tuple[str, str]]:
        rows = self._connection.read_rows(self._graph(tenant), cypher.PAGE, {"after": after, "limit": limit})
        return [(id, digest) for id, digest in rows[0][0]] if rows else []

    def read_memories(self, tenant: str, ids: Iterable[str]) -> dict[str, MirroredMemory]:
        graph, listed = self._graph(tenant), list(dict.fromkeys(ids))
        found: dict[str, MirroredMemory] = {}
        for start in range(0, len(listed), READ_BATCH):
            found |= self._read(graph, listed[start : start + READ_BATCH])
        return found

    def close(self) -> None:
        self._connection.close()

    def _read(self, graph: str, ids: list[str]) -> dict[str, MirroredMemory]:
        def rows(query: str) -> Iterator[list[Any]]:
            yield from self._connection.read_rows(graph, query, {"ids": ids}) or ()

        mentions, facts, links = (dict(rows(query)) for query in cypher.READ_PARTS)
        parts: dict[str, dict[str, Any]] = {
            id: {
                "entities": [_entity(*values) for values in mentions.get(id, ())],
                "facts": [_fact(*values) for values in facts.get(id, ())],
                "links": [_link(*values) for values in links.get(id, ())],
            }
            for id in ids
        }
        return {id: _memory(*values, **parts[id]) for id, *values in rows(cypher.READ_MEMORIES)}

    def _clear(self, graph: str, ids: list[str], version: int | None) -> tuple[list[str], list[str]]:
        """Remove what belongs to memories. Returns the entities and the missing memories that may be left without one.

        If it ends before they are removed, `prepare` does it.
        """

        def run(query: str) -> list[list[Any]]:
            return self._connection.query(graph, query, {"ids": ids, "version": version})

        run(cypher.CLEAR_FACTS)
        return run(cypher.CLEAR_MENTIONS)[0][0], run(cypher.CLEAR_LINKS)[0][0]

    def _remove_loose(self, graph: str, ends: tuple[list[str], list[str]]) -> None:
        for ids, query in zip(ends, (cypher.REMOVE_ENTITIES, cypher.REMOVE_MISSING), strict=True):
            if ids:
                self._connection.query(graph, query, {"ids": ids})

    def _create_indexes(self, graph: str) -> None:
        known = {(row[0], name) for row in self._connection.read_rows(graph, cypher.INDEXES) or () for name in row[1]}
        for label, name in cypher.INDEXED:
            if (label, name) not in known:
                self._connection.create_index(graph, label, name)

    def _graph(self, tenant: str) -> str:
        return self._prefix + tenant

    def _graphs(self) -> list[str]:
        return [name for name in self._connection.graphs() if name.startswith(self._prefix)]


def _batches(memories: Iterable[MirroredMemory]) -> Iterator[list[MirroredMemory]]:
    batch: list[MirroredMemory] = []
    size = 0
    for memory in memories:
        own = len(memory.content) + len(memory.metadata or "")
        if batch and size + own > MAX_BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
        batch.append(memory)
        size += own
    if batch:
        yield batch


def _properties(memory: MirroredMemory) -> dict[str, Any]:
    """The properties of a memory. Its digest is written when everything else is."""
    found: dict[str, Any] = {name: getattr(memory, name) for name in TEXTS}
    found |= {property: _iso(getattr(memory, name)) for name, property in TIMES.items()}
    found |= {"importance": memory.importance, "confidence": memory.confidence, "tags": list(memory.tags)}
    at = memory.created_at if memory.said_at is None else memory.said_at
    return {**found, "timestamp": _iso(at), "digest": ""}


def _mentions(memory: MirroredMemory) -> Iterator[dict[str, Any]]:
    for one in memory.entities:
        yield {"memory": memory.id, "entity": _entity_id(one), "confidence": one.confidence}


def _entities(memories: Iterable[MirroredMemory]) -> dict[str, dict[str, Any]]:
    found = {_entity_id(one): one for memory in memories for one in memory.entities}
    return {id: {"id": id, "category": one.category, "slug": one.slug, "name": one.name} for id, one in found.items()}


def _facts(memory: MirroredMemory) -> Iterator[dict[str, Any]]:
    for one in memory.facts:
        yield {
            "memory": memory.id,
            "fact": {
                "id": one.id,
                "subject": one.subject,
                "predicate": one.predicate,
                "object": one.object,
                "confidence": one.confidence,
                "t_valid": _iso(one.valid_from),
                "t_invalid": _iso(one.valid_until),
                "superseded_at": _iso(one.superseded_at),
            },
        }


def _fact_ends(memory: MirroredMemory, end: str) -> Iterator[dict[str, Any]]:
    """The entities that are subject, or object, of a fact, by a name that the memory mentions."""
    ids = {name.casefold(): _entity_id(one) for one in memory.entities for name in (one.slug, one.name)}
    for one in memory.facts:
        entity = ids.get(getattr(one, end).casefold())
        if entity is not None:
            yield {"fact": one.id, "entity": entity}


def _links(memory: MirroredMemory) -> Iterator[dict[str, Any]]:
    for one in memory.links:
        is_plain = one.type.isascii() and one.type.isidentifier() and one.type not in RESERVED
        link = {
            **_named(one.properties),
            "strength": one.weight,
            "score": one.weight if one.type == SIMILAR_TO else None,
            "type": None if is_plain else one.type,
            "extractor": one.extractor,
            "properties": one.properties,
        }
        yield {"memory": memory.id, "target": one.target, "relation": one.type if is_plain else "LINK", "link": link}


def _named(properties: str | None) -> dict[str, Any]:
    """Properties of a link that Cypher can compare, by their names. All of them are kept as JSON as well."""
    said = json.loads(properties) if properties else {}
    return {
        name: value
        for name, value in said.items()
        if name.isidentifier() and name not in LINK_FIELDS and _is_plain(value)
    }


def _is_plain(value: object) -> bool:
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    return isinstance(value, str | float)


def _entity_id(entity: MirroredEntity) -> str:
    """As AutoMem names entities in tags. An index of the server does not find texts with white space at their ends."""
    id = f"entity:{entity.category}:{entity.slug}"
    return "".join(f"%{ord(sign):02X}" if sign <= " " or sign == "%" else sign for sign in id)


def _iso(at: int | None) -> str | int | None:
    """A time as AutoMem writes it; a number of milliseconds outside of the years that such a text can hold."""
    if at is None:
        return None
    try:
        return (EPOCH + timedelta(milliseconds=at)).isoformat(timespec="milliseconds")
    except OverflowError:
        return at


def _ms(said: str | int | None) -> int | None:
    if said is None or isinstance(said, int):
        return said
    return (datetime.fromisoformat(said) - EPOCH) // timedelta(milliseconds=1)


def _share(parts: list[int] | None) -> float | None:
    """A number that was read in two parts, because an answer contains only 15 digits of a number."""
    return None if parts is None or parts[0] is None else (parts[0] + parts[1] / SCALE) / SCALE


def _memory(
    held: dict[str, Any], importance: list[int] | None, confidence: list[int] | None, **parts: Any
) -> MirroredMemory:
    texts = {name: held.get(name) for name in TEXTS}
    times = {name: _ms(held.get(property)) for name, property in TIMES.items()}
    shares = {"importance": _share(importance), "confidence": _share(confidence)}
    sorted_parts = {name: tuple(sorted(found, key=_order)) for name, found in parts.items()}
    return MirroredMemory(**texts, **times, **shares, **sorted_parts, tags=tuple(held.get("tags") or ()))  # type: ignore[arg-type]


def _order(part: MirroredEntity | MirroredFact | MirroredLink) -> tuple[str, ...]:
    if isinstance(part, MirroredEntity):
        return (part.category, part.slug)
    return (part.id,) if isinstance(part, MirroredFact) else (part.type, part.target)


def _entity(category: str, slug: str, name: str, confidence: list[int] | None) -> MirroredEntity:
    return MirroredEntity(category=category, slug=slug, name=name, confidence=_share(confidence))


def _fact(held: dict[str, Any], confidence: list[int] | None) -> MirroredFact:
    return MirroredFact(
        id=held["id"],
        subject=held["subject"],
        predicate=held["predicate"],
        object=held["object"],
        confidence=_share(confidence) or 0.0,
        valid_from=_ms(held.get("t_valid")),
        valid_until=_ms(held.get("t_invalid")),
        superseded_at=_ms(held.get("superseded_at")),
    )


def _link(relation: str, target: str, held: dict[str, Any], weight: list[int] | None) -> MirroredLink:
    return MirroredLink(
        target=target,
        type=held.get("type", relation),
        weight=_share(weight) or 0.0,
        properties=held.get("properties"),
        extractor=held.get("extractor"),
    )
