"""Lists, merges and splits entities.

A merge deletes nothing. The merged entity keeps its mentions; copies of them, marked with `merge_mark`, are added to
the entity it is merged into. A split removes exactly those copies.
"""

from __future__ import annotations

import json

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import MERGED
from jotsam.core.records import EntityText, NamedEntity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction


def merge_mark(number: int) -> str:
    """The extractor of a mention copied from a merged entity."""
    return f"{MERGED}{number}"


def every(
    tx: Transaction,
    *,
    category: str | None = None,
    words: str | None = None,
    actor: str | None = None,
    limit: int = 50,
) -> tuple[NamedEntity, ...]:
    """Entities with their aliases, those with the most memories first. `words` is a part of the name.

    With `actor`, those that memories of this actor mention.
    """
    rows = tx.all("graph.entities", category=category, words=_containing(words), actor=actor, limit=limit)
    others: dict[tuple[str, str], list[str]] = {}
    for row in tx.all("graph.other_names", actor=actor) if any(row["merged"] for row in rows) else []:
        others.setdefault((row["canonical_category"], row["canonical_slug"]), []).append(row["name"])
    return tuple(_named(row, others.get((row["category"], row["slug"]), ())) for row in rows)


def of_latest(
    tx: Transaction, *, latest: int, category: str | None = None, words: str | None = None, limit: int = 50
) -> list[Row]:
    """Entities that the latest memories mention, and how many of these: id, category, slug, name, memories, last_at."""
    return tx.all("graph.entities_of_latest", latest=latest, category=category, words=_containing(words), limit=limit)


def with_slug(tx: Transaction, *, category: str | None, slug: str) -> NamedEntity | None:
    """The entity with a slug or an alias; of several categories, the one that most memories mention."""
    rows = tx.all("graph.entities_by_slug", category=category, slug=slug)
    numbers = {row["canonical_id"] or row["id"] for row in rows}
    found = [row for number in numbers for row in tx.all("graph.entity_totals", id=number)]
    if not found:
        return None
    row = max(found, key=lambda row: (row["memories"], -row["id"]))
    named = _named(row, [alias["name"] for alias in tx.all("graph.merged_into", id=row["id"])])
    text = tx.one("identities.get", entity_id=row["id"])
    return named.replace(identity=_identity(text)) if text else named


def with_same_slug(tx: Transaction, slug: str) -> list[Row]:
    """The entities of all categories with a slug that are no aliases: id, category, slug, name, memories."""
    rows = tx.all("graph.entities_by_slug", category=None, slug=slug)
    own = [row["id"] for row in rows if row["canonical_id"] is None]
    return [row for number in own for row in tx.all("graph.entity_totals", id=number)]


def most_mentioned(tx: Transaction, *, limit: int) -> list[Row]:
    """The entities that most memories mention: id, category, slug, name, memories, `latest` (UUID of a memory)."""
    return tx.all("graph.most_mentioned", limit=limit)


def related(
    tx: Transaction,
    number: int,
    *,
    latest: int,
    limit: int,
    category: str | None = None,
    since: int | None = None,
    until: int | None = None,
) -> list[Row]:
    """Entities that the latest memories mention too which mention an entity: id, category, slug, name, memories.

    Of all categories or of one, and by memories said between two times.
    """
    span = {"since": since, "until": until}
    return tx.all("graph.related_entities", id=number, category=category, **span, latest=latest, limit=limit)


def decisions_about(tx: Transaction, number: int, *, project: str | None, latest: int, limit: int) -> list[Row]:
    """What was decided in the latest memories that mention an entity: uuid, body, actor, project, at, is_over."""
    return tx.all("graph.decisions_about", id=number, project=project, latest=latest, limit=limit)


def sessions_about(tx: Transaction, number: int, *, project: str | None, latest: int, limit: int) -> list[Row]:
    """The sessions of the latest memories that mention an entity: session, project, source, memories, last_at."""
    return tx.all("graph.sessions_about", id=number, project=project, latest=latest, limit=limit)


def latest_mentions(tx: Transaction, number: int, *, limit: int) -> list[int]:
    """The ids of the latest memories that mention an entity."""
    return [row["id"] for row in tx.all("graph.latest_mentions", id=number, limit=limit)]


def merged_into(tx: Transaction, number: int) -> list[Row]:
    """The entities that were merged into another one."""
    return tx.all("graph.merged_into", id=number)


def shared_part(tx: Transaction, number: int, other: int, *, most: int) -> float:
    """The part of the latest memories that mention an entity which mention another one too."""
    row = tx.one("graph.shared_mentions", id=number, other=other, limit=most)
    return row["shared"] / row["mentions"] if row and row["mentions"] else 0.0


def _identity(row: Row) -> EntityText:
    return EntityText(
        body=row["body"],
        sources=tuple(json.loads(row["sources"])),
        made_by=row["made_by"],
        changed_at=row["changed_at"],
    )


def _named(row: Row, aliases: Iterable[str]) -> NamedEntity:
    return NamedEntity(
        category=row["category"],
        slug=row["slug"],
        name=row["name"],
        memories=row["memories"],
        aliases=tuple(aliases),
        first_at=row["first_at"],
        last_at=row["last_at"],
    )


def one(tx: Transaction, *, category: str | None, slug: str) -> Row:
    """The entity with a slug. Raises `NotFound`, or `InvalidInput` if several categories have it."""
    rows = tx.all("graph.entities_by_slug", category=category, slug=slug)
    if not rows:
        raise NotFound(f"no entity {slug!r}: `jotsam entities` lists them")
    if len(rows) > 1:
        names = ", ".join(f"{row['category']}:{row['slug']}" for row in rows)
        raise InvalidInput(f"{slug!r} is ambiguous: choose one of {names}")
    return rows[0]


def merge(tx: Transaction, *, entity: Row, into: Row) -> Row:
    """Make `entity` an alias of `into`, or of the entity that `into` is an alias of. Returns the canonical one.

    Raises `InvalidInput` if it is an alias of another entity already: `split` it first.
    """
    if into["canonical_id"] is not None:
        canonical = tx.one("graph.entity_by_id", id=into["canonical_id"])
        assert canonical is not None
        into = canonical
    if into["id"] == entity["id"]:
        raise InvalidInput(f"{entity['category']}:{entity['slug']} cannot be merged into itself")
    if entity["canonical_id"] is not None and entity["canonical_id"] != into["id"]:
        before = tx.one("graph.entity_by_id", id=entity["canonical_id"])
        assert before is not None
        name = f"{entity['category']}:{entity['slug']}"
        raise InvalidInput(
            f"{name} is already merged into {before['category']}:{before['slug']}: "
            f"split {name} first, or merge {before['category']}:{before['slug']}"
        )
    for child in tx.all("graph.merged_into", id=entity["id"]):
        _remove_copies(tx, child, of=entity)
        _add_copies(tx, child, to=into)
    _add_copies(tx, entity, to=into)
    return into


def split(tx: Transaction, *, entity: Row) -> Row:
    """Undo a merge. Returns the entity it was merged into. Raises `InvalidInput` if it is not merged."""
    canonical = tx.one("graph.entity_by_id", id=entity["canonical_id"]) if entity["canonical_id"] else None
    if canonical is None:
        raise InvalidInput(f"{entity['category']}:{entity['slug']} is not merged into another entity")
    _remove_copies(tx, entity, of=canonical)
    for child in tx.all("graph.merged_into", id=canonical["id"]):
        _add_copies(tx, child, to=canonical)
    return canonical


def _add_copies(tx: Transaction, entity: Row, *, to: Row) -> None:
    mark = merge_mark(entity["id"])
    tx.run("graph.set_canonical", id=entity["id"], canonical_id=to["id"])
    tx.run("graph.copy_mentions", id=entity["id"], canonical_id=to["id"], extractor=mark)
    tx.run("graph.copy_tags", id=entity["id"], tag=tag(to), extractor=mark)


def _remove_copies(tx: Transaction, entity: Row, *, of: Row) -> None:
    mark = merge_mark(entity["id"])
    tx.run("graph.set_canonical", id=entity["id"], canonical_id=None)
    tx.run("graph.delete_copied_mentions", entity_id=of["id"], extractor=mark)
    tx.run("graph.delete_copied_tags", tag=tag(of), extractor=mark)


def tag(entity: Row) -> str:
    """Its tag, `entity:<category>:<slug>`."""
    return f"entity:{entity['category']}:{entity['slug']}"


def _containing(words: str | None) -> str | None:
    """A `like` pattern that matches names containing `words`."""
    plain = (words or "").lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{plain}%" if plain else None
