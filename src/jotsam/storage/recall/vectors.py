"""Vectors of memories, and the embedders that made them.

A memory has at most one vector, little-endian float32 of length 1. When another embedder is chosen, a new vector is
wanted, and searches use the old one until it is saved. `vector_index` keeps copies in memory.
"""

from __future__ import annotations

from jotsam.core.errors import JotsamError
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jotsam.storage.database import Row, Transaction, Value

    Within = Mapping[str, Value]
    # The fields of a `search.Scope`.


class Maker(Record):
    """An embedder with stored vectors. `version` rises with every batch."""

    id: int
    name: str
    dimension: int
    place: str  # a folder or an address
    version: int = 0


def want(tx: Transaction, *, number: int) -> bool:
    """Request a vector of a memory. False if it has one or cannot have one."""
    return tx.one("vectors.want", memory_id=number) is not None


def want_again(tx: Transaction, *, number: int) -> None:
    """Request a new vector of a memory, and with it new links."""
    tx.run("vectors.want_again", memory_id=number)


def want_all(tx: Transaction, *, name: str) -> int:
    """Request a vector of every memory without one of this embedder. Returns how many are wanted."""
    tx.one("vectors.prepare")
    tx.run("vectors.want_missing")
    tx.run("vectors.want_others", name=name)
    return count_wanted(tx)


def count_wanted(tx: Transaction) -> int:
    """How many vectors are wanted."""
    return int(_row(tx.one("vectors.count_wanted"))["wanted"])


def wanted(tx: Transaction, *, limit: int) -> list[Row]:
    """The first memories whose vector is wanted: id, version, body, actor, section."""
    return tx.all("vectors.wanted", limit=limit)


def begin_batch(tx: Transaction, *, name: str, place: str, dimension: int) -> Maker:
    """Register the embedder before saving vectors, and lock it until the transaction ends.

    Raises `JotsamError` if earlier vectors have another dimension.
    """
    row = _row(tx.one("vectors.save_embedder", name=name, place=place, dimension=dimension))
    if row["dimension"] != dimension:
        raise JotsamError(
            f"{name} returns {dimension} dimensions, but returned {row['dimension']} before: another model has its name"
        )
    version = _row(tx.one("vectors.raise_version", id=row["id"]))["version"]
    return Maker(id=row["id"], name=name, dimension=dimension, place=place, version=version)


def save(
    tx: Transaction, found: Mapping[int, bytes], *, maker: Maker, versions: Mapping[int, int] | None = None
) -> None:
    """Save vectors by the id of their memory. Requires `begin_batch`.

    With `versions`, the vector of a memory that has another version by now is not saved.
    """
    texts = versions or {}
    rows = [{**_parameters(number, found[number], maker), "text_version": texts.get(number)} for number in found]
    tx.run_many("vectors.save", rows)


def texts_changed(tx: Transaction, versions: Mapping[int, int]) -> list[int]:
    """Of these memories and their versions, those that have another version by now, or do not exist."""
    import json

    return [row["id"] for row in tx.all("vectors.texts_changed", versions=json.dumps([*versions.items()]))]


def index(tx: Transaction, rows: Sequence[Row]) -> None:
    """Copy vectors that were inserted directly to the index of the database."""
    for row in rows:
        if row["bytes"] is not None:
            tx.run(
                "vectors.index", id=row["memory_id"], embedder_id=row["embedder_id"], listed=pgvector_text(row["bytes"])
            )


def states(tx: Transaction, *, refs: str) -> dict[int, bool]:
    """Of these references, a JSON list, those with a vector or a wanted one, and whether it is wanted."""
    return {row["ref"]: bool(row["wanted"]) for row in tx.all("vectors.states", refs=refs)}


def fail(tx: Transaction, *, number: int, error: str) -> None:
    """Record that a text cannot be embedded, so that others are not blocked."""
    tx.run("vectors.fail", memory_id=number, error=error)


def count_failed(tx: Transaction) -> int:
    """How many memories cannot be embedded."""
    return int(_row(tx.one("vectors.count_failed"))["failed"])


def embedder(tx: Transaction, name: str) -> Maker | None:
    """The embedder of a name; None if it never made a vector."""
    row = tx.one("vectors.embedder", name=name)
    return Maker(**row) if row else None


def embedders(tx: Transaction) -> list[Maker]:
    """The embedders of this tenant's vectors."""
    return [Maker(**row) for row in tx.all("vectors.embedders")]


def count_embedded(tx: Transaction) -> int:
    """How many memories have a vector, of any embedder."""
    return int(_row(tx.one("vectors.count"))["embedded"])


def counts(tx: Transaction) -> list[tuple[Maker, int]]:
    """The embedders of this tenant's vectors, with the number of vectors."""
    rows = tx.all("vectors.counts")
    return [(Maker(**{name: row[name] for name in Maker._fields}), row["vectors"]) for row in rows]


def count_memories(tx: Transaction) -> int:
    """How many memories could have a vector."""
    return int(_row(tx.one("vectors.count_memories"))["memories"])


def missing(tx: Transaction, *, name: str) -> Row:
    """How many `memories` have no vector of an embedder and none is wanted, and their `characters`."""
    return _row(tx.one("vectors.missing", name=name))


def newest_version(tx: Transaction, *, maker: Maker) -> int:
    """The newest version that this transaction sees."""
    return int(_row(tx.one("vectors.newest_version", embedder_id=maker.id))["version"])


def since(tx: Transaction, *, maker: Maker, version: int) -> list[Row]:
    """The vectors saved after a version: memory_id and bytes."""
    return tx.all("vectors.since", embedder_id=maker.id, version=version)


def whole_scope(tx: Transaction) -> Within:
    """The scope of all current memories."""
    every = {"project": None, "actor": None, "narrowed": None}
    return {"tenant": tx.tenant, "at": tx.now, "past": 0, "history": 0, "archived": 0, **every}


def nearest(tx: Transaction, query: bytes, *, maker: Maker, within: Within, limit: int) -> dict[int, float]:
    """The nearest memories to a vector with their cosines, compared by the database."""
    rows = tx.all(
        "vectors.nearest", vector=query, listed=pgvector_text(query), embedder_id=maker.id, limit=limit, **within
    )
    return {row["ref"]: row["score"] for row in rows}


def cosines(tx: Transaction, query: bytes, *, maker: Maker, refs: str) -> dict[int, float]:
    """The cosines of those memories of a JSON list that have a vector of this embedder."""
    rows = tx.all("vectors.cosines", vector=query, listed=pgvector_text(query), embedder_id=maker.id, refs=refs)
    return {row["ref"]: row["score"] for row in rows}


def some(tx: Transaction, *, maker: Maker, refs: str) -> list[tuple[int, bytes]]:
    """The vectors of those memories of a JSON list that have one of this embedder."""
    rows = tx.all("vectors.some", embedder_id=maker.id, refs=refs)
    return [(row["ref"], bytes(row["bytes"])) for row in rows]


def refs(tx: Transaction, uuids: Iterable[str]) -> list[int]:
    """The references of those memories that exist."""
    import json

    return [row["ref"] for row in tx.all("vectors.refs", uuids=json.dumps([*uuids]))]


def is_large(tx: Transaction, *, maker: Maker, least: int) -> bool:
    """Whether there are at least this number of vectors of this embedder."""
    return int(_row(tx.one("vectors.is_large", embedder_id=maker.id, limit=least))["vectors"]) >= least


def visibility(tx: Transaction, *, maker: Maker, within: Within, refs: str) -> dict[int, bool]:
    """Of these references, a JSON list, those with a vector of this embedder, and whether each is visible."""
    rows = tx.all("vectors.visibility", embedder_id=maker.id, refs=refs, **within)
    return {row["ref"]: bool(row["shown"]) for row in rows}


def all_visible(tx: Transaction, *, maker: Maker, within: Within) -> list[int]:
    """All visible memories that have a vector of this embedder."""
    return [row["ref"] for row in tx.all("vectors.all_visible", embedder_id=maker.id, **within)]


def pgvector_text(vector: bytes) -> str:
    """A vector in the text format of pgvector."""
    from array import array  # Imported late: other functions need no array.

    return f"[{','.join(map(repr, array('f', vector)))}]"


def _parameters(number: int, vector: bytes, maker: Maker) -> dict[str, int | str | bytes]:
    same = {"memory_id": number, "embedder_id": maker.id, "version": maker.version}
    return {**same, "bytes": vector, "listed": pgvector_text(vector)}


def _row(row: Row | None) -> Row:
    assert row is not None
    return row
