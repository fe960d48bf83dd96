"""Short texts about entities, each with the facts that it was made of."""

from __future__ import annotations

import json

from jotsam.storage.graph.facts import key
from jotsam.storage.lifecycle import lifecycle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.storage.database import Row, Transaction


def entities(tx: Transaction, *, after: tuple[str, str], limit: int) -> list[Row]:
    """The entities that follow a category and slug: id, category, slug, name, canonical_id, rivals, and the text.

    The text is `body`, `sources`, `hash`, `made_by`, `changed_at`; None without one.
    """
    return tx.all("identities.entities", category=after[0], slug=after[1], limit=limit)


def first_rival(tx: Transaction, *, slug: str) -> int | None:
    """Of the entities with a slug, the one that most memories mention."""
    row = tx.one("identities.first_rival", slug=slug)
    return row["id"] if row else None


def facts(tx: Transaction, names: Iterable[str], *, limit: int) -> list[Row]:
    """The latest current facts about one of these names: id, subject, predicate, object, confidence, at, is_about."""
    keys = sorted({key(name) for name in names})
    rows = tx.all("identities.facts", keys=json.dumps(keys), at=tx.now, limit=limit)
    return [{**row, "is_about": row["subject_key"] in keys} for row in rows]


def of_entity(tx: Transaction, number: int) -> Row | None:
    """The text about an entity: body, sources, hash, made_by, changed_at."""
    return tx.one("identities.get", entity_id=number)


def save(tx: Transaction, number: int, text: Mapping[str, Any] | None) -> bool:
    """Set the text about an entity; None: remove it. False if the entity does not exist or was merged.

    A text with `changed_at` is restored as it was.
    """
    if text is None:
        tx.run("identities.delete", entity_id=number)
        return True
    names = ("body", "sources", "hash", "made_by")
    values = {name: text[name] for name in names} | {"changed_at": text.get("changed_at")}
    return tx.one("identities.set", entity_id=number, **values) is not None


def is_founded(tx: Transaction, row: Row) -> bool:
    """Whether all facts that a text was made of are stored."""
    uuids = {*json.loads(row["sources"])}
    return len(tx.all("identities.alive", uuids=json.dumps(sorted(uuids)))) == len(uuids)


def forget_sources(tx: Transaction, memories: str) -> None:
    """Remove the texts that were made of facts of these memories, a JSON list of ids, or of facts that are gone.

    Also from what runs can restore. Call it before the facts are deleted.
    """
    uuids = {row["uuid"] for row in tx.all("identities.fact_uuids", memories=memories)}
    if tx.one("identities.any"):
        tx.run("identities.forget_sources", uuids=json.dumps(sorted(uuids)))
    for row in tx.all("identities.kept_changes"):
        changes = json.loads(row["changes"])
        former = [one["undo"] for one in changes if one["undo"].get("before")]
        sources = {source for undo in former for source in json.loads(undo["before"]["sources"])} - uuids
        alive = {one["uuid"] for one in tx.all("identities.alive", uuids=json.dumps(sorted(sources)))}
        gone = [undo for undo in former if not alive.issuperset(json.loads(undo["before"]["sources"]))]
        for undo in gone:
            undo["before"] = None
        if gone:
            lifecycle.set_changes(tx, row["run_id"], part=row["part"], changes=changes)
