"""Entities as a whole: which there are, and which of them a person said are one.

Merging removes nothing. The one that is merged keeps its mentions; the other is given a copy of them, signed, so that
whoever looks for it finds both at once, and taking the merge back takes exactly the copies back.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.records import NamedEntity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction


def merge_mark(number: int) -> str:
    """Who says that a memory mentions an entity, when it was found under another name."""
    return f"merged:{number}"


def every(
    tx: Transaction, *, category: str | None = None, words: str | None = None, limit: int = 50
) -> tuple[NamedEntity, ...]:
    """Those that most memories mention first, with their other names. `words` is a part of the name."""
    plain = (words or "").lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    rows = tx.all("graph.entities", category=category, words=f"%{plain}%" if plain else None, limit=limit)
    others: dict[tuple[str, str], list[str]] = {}
    for row in tx.all("graph.other_names") if any(row["merged"] for row in rows) else []:
        others.setdefault((row["canonical_category"], row["canonical_slug"]), []).append(row["name"])
    return tuple(
        NamedEntity(
            category=row["category"],
            slug=row["slug"],
            name=row["name"],
            memories=row["memories"],
            aliases=tuple(others.get((row["category"], row["slug"]), ())),
        )
        for row in rows
    )


def one(tx: Transaction, *, category: str | None, slug: str) -> Row:
    """The entity of a slug. Raises `NotFound`, and `InvalidInput` where several categories have it."""
    rows = tx.all("graph.entities_by_slug", category=category, slug=slug)
    if not rows:
        raise NotFound(f"there is no entity {slug!r}: `jotsam entities` lists them")
    if len(rows) > 1:
        names = ", ".join(f"{row['category']}:{row['slug']}" for row in rows)
        raise InvalidInput(f"{slug!r} is several entities: say which of {names}")
    return rows[0]


def merge(tx: Transaction, *, entity: Row, into: Row) -> Row:
    """From now on `entity` is another name of `into`, or of what that is another name of. Returns the canonical one.

    Raises `InvalidInput` if it is another name of something else already: a merge is undone by `split`, and not unseen.
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
            f"{name} is another name of {before['category']}:{before['slug']} already: "
            f"split {name} first, or merge {before['category']}:{before['slug']}"
        )
    for child in tx.all("graph.merged_into", id=entity["id"]):
        _take_back(tx, child, of=entity)
        _give(tx, child, to=into)
    _give(tx, entity, to=into)
    return into


def split(tx: Transaction, *, entity: Row) -> Row:
    """The entity stands for itself again. Returns what it had been merged into. Raises `InvalidInput` if nothing."""
    canonical = tx.one("graph.entity_by_id", id=entity["canonical_id"]) if entity["canonical_id"] else None
    if canonical is None:
        raise InvalidInput(f"{entity['category']}:{entity['slug']} is merged into nothing: there is nothing to split")
    _take_back(tx, entity, of=canonical)
    for child in tx.all("graph.merged_into", id=canonical["id"]):
        _give(tx, child, to=canonical)
    return canonical


def _give(tx: Transaction, entity: Row, *, to: Row) -> None:
    mark = merge_mark(entity["id"])
    tx.run("graph.set_canonical", id=entity["id"], canonical_id=to["id"])
    tx.run("graph.copy_mentions", id=entity["id"], canonical_id=to["id"], extractor=mark)
    tx.run("graph.copy_tags", id=entity["id"], tag=_tag(to), extractor=mark)


def _take_back(tx: Transaction, entity: Row, *, of: Row) -> None:
    mark = merge_mark(entity["id"])
    tx.run("graph.set_canonical", id=entity["id"], canonical_id=None)
    tx.run("graph.delete_copied_mentions", entity_id=of["id"], extractor=mark)
    tx.run("graph.delete_copied_tags", tag=_tag(of), extractor=mark)


def _tag(entity: Row) -> str:
    return f"entity:{entity['category']}:{entity['slug']}"
