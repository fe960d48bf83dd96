"""The legs of recall: each finds candidates in its own way, and gives every one a score of its own scale.

A leg is a function from an open transaction to scores by reference: the number of a memory, or minus the number of a
document that still waits to be cut. It must not rank against another leg, that is what `fuse` does.
"""

from __future__ import annotations

from math import log

from jotsam.core.records import Record
from jotsam.retrieval.question.terms import as_uuid
from jotsam.storage import documents, memories, search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from jotsam.retrieval.question.terms import Parsed
    from jotsam.retrieval.rank.weights import Weights
    from jotsam.storage.database import Row, Transaction
    from jotsam.storage.search import Scope

    Scores = Mapping[int, float]

    class Meaning(Protocol):
        """The question's vectors, made before the snapshot, for a model may take its time."""

        @property
        def missing(self) -> tuple[str, ...]:
            """What could not be made, each with its reason."""
            ...

        def near(self, tx: Transaction, scope: Scope, *, depth: int) -> Scores:
            """The best `depth` within the scope, each above 0, higher is nearer. Raises `JotsamError`."""
            ...


class Found(Record):
    """What a leg found, and how many there are in all, of which it brings the best."""

    scores: Scores
    total: int


class Joined(Record):
    """That the graph joins `ref` to one of the best, so strongly (0 to 1), and how."""

    seed: int
    ref: int
    strength: float
    by: str  # the weight that it is measured with: hop or relation
    path: str


def words(tx: Transaction, asked: Row, scope: Scope, *, depth: int) -> Found:
    """What shares words with the question, the best `depth` of it. `asked` is the question's `search.expression`."""
    return _found(search.words(tx, scope, asked=asked, limit=depth))


def newest(tx: Transaction, scope: Scope, *, depth: int) -> Found:
    """The newest memories by their dates, all alike."""
    return _found(search.newest(tx, scope, limit=depth))


def typed(tx: Transaction, word: str, scope: Scope, *, depth: int) -> Found:
    """The newest memories of the type that a word names, in the singular or the plural, all alike."""
    singular = f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")
    return _found(search.typed(tx, scope, types=(word, singular), limit=depth))


def quoted(tx: Transaction, parsed: Parsed, scope: Scope, *, depth: int) -> Scores:
    """What holds a phrase that stands in quotes, as it stands there: 1 for what holds each of them."""
    shares: dict[int, float] = {}
    for terms in parsed.quoted:
        for ref in words(tx, search.expression(tx, terms), scope, depth=depth).scores:
            shares[ref] = shares.get(ref, 0.0) + 1 / len(parsed.quoted)
    return shares


def named(tx: Transaction, parsed: Parsed, scope: Scope, *, depth: int) -> Scores:
    """What the question names by a UUID or the beginning of one, or, being nothing else, by the caller's own id."""
    own = memories.by_external_id(tx, external_id=parsed.text)
    uuids = dict.fromkeys([own] if own else [])
    for id in parsed.ids:
        uuids |= dict.fromkeys(_beginning(tx, id))
    return _in_order(tx, scope, uuids, depth)


def pinned(tx: Transaction, ids: Iterable[str], scope: Scope, *, depth: int) -> tuple[Scores, list[str]]:
    """What the caller wants in any case, by UUID, by the beginning of one, or by own id; and what of it cannot be
    shown, each id with the reason.
    """
    uuids: dict[str, None] = {}
    missing: list[str] = []
    for id in ids:
        found = _with_id(tx, id)
        refs = [ref for uuid in found for ref in _refs(tx, uuid)]
        uuids |= dict.fromkeys(found)
        if not found:
            missing.append(f"pinned {id} (there is no such memory)")
        elif not search.about(tx, scope, refs=refs):
            missing.append(f"pinned {id} ({_hidden(tx, scope, refs)})")
    return _in_order(tx, scope, uuids, depth), missing


def _hidden(tx: Transaction, scope: Scope, refs: Iterable[int]) -> str:
    """Why none of these is shown: it holds no more, or is of somewhere else."""
    if search.about(tx, scope.replace(history=1), refs=refs):
        return "it is superseded, or not valid at this time: history shows it"
    return "it is outside of what was asked for"


def _with_id(tx: Transaction, id: str) -> list[str]:
    own = memories.by_external_id(tx, external_id=id)
    prefix = None if own else as_uuid(id)
    if prefix is None:
        return [own] if own else []
    return _beginning(tx, prefix)


def _beginning(tx: Transaction, prefix: str) -> list[str]:
    return memories.matching(tx, prefix=prefix) + documents.matching(tx, prefix=prefix)


def sharing(tx: Transaction, seeds: Sequence[int], scope: Scope, weights: Weights) -> Iterator[Joined]:
    """What shares a rare entity with one of the best, the stronger the rarer it is."""
    for row in search.sharing(tx, refs=seeds, most=weights.rare):
        strength = 1 / (1 + log(row["mentions"]))
        path = f"shares {row['entity']} with"
        yield Joined(seed=row["seed"], ref=row["ref"], strength=strength, by="hop", path=path)


def titled(tx: Transaction, seeds: Sequence[int], scope: Scope, weights: Weights) -> Iterator[Joined]:
    """What is called as something that one of the best mentions."""
    for row in search.titled(tx, refs=seeds, most=weights.bearers):
        strength = 1 / (1 + log(row["bearers"]))
        path = f"called {row['entity']}, as mentioned in"
        yield Joined(seed=row["seed"], ref=row["ref"], strength=strength, by="title", path=path)


def related(tx: Transaction, seeds: Sequence[int], *, least: float) -> Iterator[Joined]:
    """What a link joins to one of the best, as strong as the link."""
    for row in search.related(tx, refs=seeds, least=least):
        strength = min(1.0, max(0.0, row["weight"]))
        yield Joined(seed=row["seed"], ref=row["ref"], strength=strength, by="relation", path=_way(row))


def _way(row: Row) -> str:
    """How a link leads here: of "a LEADS_TO b" the way to a is "LEADS_TO b", and the way to b "LEADS_TO from a"."""
    return row["type"] if row["outgoing"] else f"{row['type']} from"


def _found(rows: Sequence[Row]) -> Found:
    return Found(scores={row["ref"]: row["score"] for row in rows}, total=rows[0]["total"] if rows else 0)


def _in_order(tx: Transaction, scope: Scope, uuids: Iterable[str], depth: int) -> Scores:
    refs = [ref for uuid in uuids for ref in _refs(tx, uuid)][:depth]
    return {ref: 1 - place / len(refs) for place, ref in enumerate(refs)}


def _refs(tx: Transaction, uuid: str) -> Iterator[int]:
    """A memory; or a document while it waits to be cut, and its chunks from then on."""
    memory = memories.get(tx, uuid=uuid)
    if memory:
        yield memory["id"]
        return
    document = documents.get(tx, uuid=uuid)
    if document and document["cut_at"] is None:
        yield -document["id"]
    elif document:
        yield from (row["id"] for row in memories.of_document(tx, document["id"]))
