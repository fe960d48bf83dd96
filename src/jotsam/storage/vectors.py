"""Vectors of memories: which are wanted, which are there, and what has made them.

A memory has at most one vector, little-endian float32 of length 1. When another embedder is chosen, a new one is
wanted, and the old one is searched until it comes. What is kept here is the truth; `nearest` keeps a copy in memory.
"""

from __future__ import annotations

from jotsam.core.errors import JotsamError
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jotsam.storage.database import Row, Transaction, Value

    Within = Mapping[str, Value]
    """Where is looked: the fields of a `search.Scope`."""


class Maker(Record):
    """An embedder whose vectors are kept. `version` rises with every batch of them."""

    id: int
    name: str
    dimension: int
    place: str  # where it was found: a folder, or an address
    version: int = 0


def want(tx: Transaction, *, number: int) -> bool:
    """Ask for a vector of a memory. False: it has one, or cannot have one, and no other is wanted."""
    return tx.one("vectors.want", memory_id=number) is not None


def want_again(tx: Transaction, *, number: int) -> None:
    """Let a memory's vector be made anew, and its links with it, once somebody asks for it."""
    tx.run("vectors.want_again", memory_id=number)


def want_all(tx: Transaction, *, name: str) -> int:
    """Ask for a vector by the embedder of this name, for every memory that has none of it. Returns how many wait."""
    tx.one("vectors.prepare")
    tx.run("vectors.want_missing")
    tx.run("vectors.want_others", name=name)
    return count_wanted(tx)


def count_wanted(tx: Transaction) -> int:
    """How many memories wait for their vector."""
    return int(_row(tx.one("vectors.count_wanted"))["wanted"])


def wanted(tx: Transaction, *, limit: int) -> list[Row]:
    """The first memories that wait for their vector: id, body, actor, section."""
    return tx.all("vectors.wanted", limit=limit)


def begin_batch(tx: Transaction, *, name: str, place: str, dimension: int) -> Maker:
    """Before vectors are saved: who has made them. Until this transaction ends, nobody else saves any of that maker.

    Raises `JotsamError` if their dimension is not that of the earlier ones.
    """
    row = _row(tx.one("vectors.save_embedder", name=name, place=place, dimension=dimension))
    if row["dimension"] != dimension:
        raise JotsamError(
            f"{name} gives vectors of {dimension} numbers, and gave {row['dimension']} before: it is another model"
            " under the same name"
        )
    version = _row(tx.one("vectors.raise_version", id=row["id"]))["version"]
    return Maker(id=row["id"], name=name, dimension=dimension, place=place, version=version)


def save(tx: Transaction, found: Mapping[int, bytes], *, maker: Maker) -> None:
    """Keep vectors, by the number of their memory. `begin` comes first."""
    tx.run_many("vectors.save", [_parameters(number, found[number], maker) for number in found])


def index(tx: Transaction, rows: Sequence[Row]) -> None:
    """Let the database compare vectors that were written into the table as they are."""
    for row in rows:
        if row["bytes"] is not None:
            tx.run(
                "vectors.index", id=row["memory_id"], embedder_id=row["embedder_id"], listed=pgvector_text(row["bytes"])
            )


def states(tx: Transaction, *, refs: str) -> dict[int, bool]:
    """Of these references, a JSON list, those that have a vector or wait for one, and whether they wait."""
    return {row["ref"]: bool(row["wanted"]) for row in tx.all("vectors.states", refs=refs)}


def fail(tx: Transaction, *, number: int, error: str) -> None:
    """Remember that a text cannot be embedded, so that it does not hold up the others."""
    tx.run("vectors.fail", memory_id=number, error=error)


def count_failed(tx: Transaction) -> int:
    """How many memories cannot be embedded."""
    return int(_row(tx.one("vectors.count_failed"))["failed"])


def embedder(tx: Transaction, name: str) -> Maker | None:
    """The embedder of a name, if it has ever made a vector here."""
    row = tx.one("vectors.embedder", name=name)
    return Maker(**row) if row else None


def embedders(tx: Transaction) -> list[Maker]:
    """The embedders whose vectors this tenant has."""
    return [Maker(**row) for row in tx.all("vectors.embedders")]


def count_embedded(tx: Transaction) -> int:
    """How many memories have a vector, whoever made it."""
    return int(_row(tx.one("vectors.count"))["embedded"])


def counts(tx: Transaction) -> list[tuple[Maker, int]]:
    """The embedders whose vectors this tenant has, and how many of each."""
    rows = tx.all("vectors.counts")
    return [(Maker(**{name: row[name] for name in Maker._fields}), row["vectors"]) for row in rows]


def count_memories(tx: Transaction) -> int:
    """How many memories there are that could have a vector."""
    return int(_row(tx.one("vectors.count_memories"))["memories"])


def missing(tx: Transaction, *, name: str) -> Row:
    """How many `memories` have no vector of an embedder and wait for none, and how many `characters` they have."""
    return _row(tx.one("vectors.missing", name=name))


def newest_version(tx: Transaction, *, maker: Maker) -> int:
    """The newest version that this transaction sees."""
    return int(_row(tx.one("vectors.newest_version", embedder_id=maker.id))["version"])


def since(tx: Transaction, *, maker: Maker, version: int) -> list[Row]:
    """What was saved after a version: memory_id and bytes."""
    return tx.all("vectors.since", embedder_id=maker.id, version=version)


def whole_scope(tx: Transaction) -> Within:
    """All that a tenant has and that holds now."""
    return {"tenant": tx.tenant, "at": tx.now, "project": None, "narrowed": None, "past": 0, "history": 0}


def nearest(tx: Transaction, query: bytes, *, maker: Maker, within: Within, limit: int) -> dict[int, float]:
    """The memories that are nearest to a vector, by their cosine, found by the database itself."""
    rows = tx.all(
        "vectors.nearest", vector=query, listed=pgvector_text(query), embedder_id=maker.id, limit=limit, **within
    )
    return {row["ref"]: row["score"] for row in rows}


def cosines(tx: Transaction, query: bytes, *, maker: Maker, refs: str) -> dict[int, float]:
    """The cosines of these memories, a JSON list, as far as they have a vector of this embedder."""
    rows = tx.all("vectors.cosines", vector=query, listed=pgvector_text(query), embedder_id=maker.id, refs=refs)
    return {row["ref"]: row["score"] for row in rows}


def visibility(tx: Transaction, *, maker: Maker, within: Within, refs: str) -> dict[int, bool]:
    """Of these references, a JSON list, those that have a vector of this embedder, and whether each may be shown."""
    rows = tx.all("vectors.visibility", embedder_id=maker.id, refs=refs, **within)
    return {row["ref"]: bool(row["shown"]) for row in rows}


def all_visible(tx: Transaction, *, maker: Maker, within: Within) -> list[int]:
    """All that may be shown and has a vector of this embedder."""
    return [row["ref"] for row in tx.all("vectors.all_visible", embedder_id=maker.id, **within)]


def forget_tenant(tx: Transaction) -> None:
    tx.run("vectors.forget_tenant")


def pgvector_text(vector: bytes) -> str:
    """A vector as pgvector reads it."""
    from array import array  # Only who compares or saves vectors pays for it.

    return f"[{','.join(map(repr, array('f', vector)))}]"


def _parameters(number: int, vector: bytes, maker: Maker) -> dict[str, int | str | bytes]:
    same = {"memory_id": number, "embedder_id": maker.id, "version": maker.version}
    return {**same, "bytes": vector, "listed": pgvector_text(vector)}


def _row(row: Row | None) -> Row:
    assert row is not None
    return row
