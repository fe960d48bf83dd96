"""The graph: entities that memories mention, and links between memories."""

from __future__ import annotations

from jotsam.core.names import MERGED
from jotsam.core.records import Entity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction, Value


def mention(tx: Transaction, *, number: int, entities: Iterable[Entity]) -> tuple[tuple[Entity, Entity], ...]:
    """Record which entities a memory mentions. The first spelling of a name stays.

    A mention of a merged entity is also recorded for the one it was merged into. Returns those pairs; the extractor of
    the second entity is `merged:<id>`. Call it once per transaction: new names are inserted in sorted order to prevent
    deadlocks.
    """
    canonical: list[tuple[Entity, Entity]] = []
    for entity in sorted(entities, key=lambda entity: (entity.category, entity.slug)):
        row = _entity(tx, entity)
        values = {"memory_id": number, "confidence": entity.confidence}
        tx.run("graph.mention", **values, entity_id=row["id"], extractor=entity.extractor)
        if row["canonical_id"] is not None:
            other = tx.one("graph.entity_by_id", id=row["canonical_id"])
            assert other is not None
            mark = f"{MERGED}{row['id']}"
            tx.run("graph.mention_canonical", **values, entity_id=other["id"], extractor=mark)
            signed = Entity(category=other["category"], slug=other["slug"], name=other["name"], extractor=mark)
            canonical.append((entity, signed))
    return tuple(canonical)


def _entity(tx: Transaction, entity: Entity) -> Row:
    """Read before writing, because an upsert would make all transactions that mention a common name wait."""
    known = tx.one("graph.find_entity", category=entity.category, slug=entity.slug)
    row = known or tx.one("graph.save_entity", category=entity.category, slug=entity.slug, name=entity.name)
    assert row is not None
    return row


def clear(tx: Transaction, *, number: int, whose: int) -> None:
    """Remove the mentions that were found in a memory, see `names.WHOSE`."""
    tx.run("graph.clear_mentions", memory_id=number, whose=whose)


def set_titles(tx: Transaction, *, number: int, slugs: Iterable[str]) -> None:
    """Replace the title slugs of a memory."""
    tx.run("graph.clear_titles", memory_id=number)
    tx.run_many("graph.title", [{"memory_id": number, "slug": slug} for slug in slugs])


def clear_links(tx: Transaction, number: int) -> None:
    """Remove extracted links in both directions. Links made by a caller stay."""
    tx.run("graph.clear_links", memory_id=number)


def mentions(tx: Transaction, number: int) -> tuple[Entity, ...]:
    return tuple(Entity(**row) for row in tx.all("graph.mentions", memory_id=number))


def link(
    tx: Transaction,
    *,
    source: int,
    target: int,
    type: str,
    weight: float = 1.0,
    extractor: str | None = None,
    properties: str | None = None,
) -> None:
    """Link two memories by their ids, or change the weight of their link, and its properties if they are given.

    `extractor` is None for a link made by a caller, which an extractor does not change. `properties` are JSON.
    """
    more: dict[str, Value] = {"extractor": extractor, "properties": properties}
    tx.run("graph.link", source_id=source, target_id=target, type=type, weight=weight, **more)


def clear_links_of_type(tx: Transaction, number: int, *, type: str) -> None:
    """Remove extracted links of a type in both directions."""
    tx.run("graph.clear_links_of_type", id=number, type=type)


def clear_links_from(tx: Transaction, number: int, *, type: str, but: int) -> None:
    """Remove extracted links of a type from a memory, except to the memory `but`."""
    tx.run("graph.clear_links_from", id=number, type=type, but=but)


def unlink_manual(tx: Transaction, *, source: int, target: int, type: str) -> Row | None:
    """Remove a link made by a caller. Returns its weight and properties, or None if it did not exist."""
    return tx.one("graph.unlink_manual", source_id=source, target_id=target, type=type)


def link_targets(tx: Transaction, number: int, *, type: str) -> frozenset[int]:
    """The ids of the memories to which a memory has links of a type with weight 1."""
    return frozenset(row["target_id"] for row in tx.all("graph.link_targets", id=number, type=type))


def neighbours(tx: Transaction, number: int, *, actor: str | None = None, limit: int = 200) -> list[Row]:
    """The memories at the other end of a memory's links: uuid, summary, type, weight, extractor, properties,
    outgoing (1 or 0). With `actor`, only those of this actor.
    """
    return tx.all("graph.neighbours", memory_id=number, actor=actor, limit=limit)


def links(tx: Transaction, number: int, *, actor: str | None = None) -> list[Row]:
    """The outgoing links of a memory: target (UUID), type, weight, extractor, properties (JSON).

    With `actor`, only those to memories of this actor.
    """
    return tx.all("graph.links", source_id=number, actor=actor)


def count(tx: Transaction) -> int:
    row = tx.one("graph.count")
    return int(row["entities"]) if row else 0
