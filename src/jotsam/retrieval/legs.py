"""The legs of recall: each finds candidates in its own way, and gives every one a score of its own scale.

A leg is a function from an open transaction to scores by reference: the number of a memory, or minus the number of a
document that still waits to be cut. It must not rank against another leg, that is what `fuse` does, and it must not
hide its failure: an error ends the whole answer.
"""

from __future__ import annotations

from jotsam.records import Record
from jotsam.storage import documents, memories, search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jotsam.retrieval.parse import Parsed
    from jotsam.storage.database import Row, Transaction

    Scores = Mapping[int, float]


class Scope(Record):
    """Where is looked: in one tenant, and if given in one project, and among what has one of the tags."""

    tenant: str
    project: str | None
    tags: str | None  # JSON list


def words(tx: Transaction, asked: Row, scope: Scope, *, depth: int) -> Scores:
    """What shares words with the question, the best `depth` of it. `asked` is the question's `search.expression`."""
    found = search.words(tx, asked=asked, limit=depth, **scope.as_dict())
    return {row["ref"]: row["score"] for row in found}


def named(tx: Transaction, parsed: Parsed, scope: Scope, *, depth: int) -> Scores:
    """What the question names by a UUID or the beginning of one, or, being nothing else, by the caller's own id."""
    own = memories.by_own_id(tx, tenant=scope.tenant, own_id=parsed.text)
    uuids = dict.fromkeys([own] if own else [])
    for id in parsed.ids:
        uuids |= dict.fromkeys(memories.matching(tx, tenant=scope.tenant, prefix=id))
        uuids |= dict.fromkeys(documents.matching(tx, tenant=scope.tenant, prefix=id))
    refs = [ref for uuid in uuids for ref in _refs(tx, scope.tenant, uuid)][:depth]
    return {ref: 1 - place / len(refs) for place, ref in enumerate(refs)}


def newest(tx: Transaction, scope: Scope, *, depth: int) -> Scores:
    """The newest memories, all alike: what is newer comes first anyway among equals."""
    return {row["ref"]: row["score"] for row in search.newest(tx, limit=depth, **scope.as_dict())}


def _refs(tx: Transaction, tenant: str, uuid: str) -> Iterator[int]:
    """A memory; or a document while it waits to be cut, and its chunks from then on."""
    memory = memories.get(tx, tenant=tenant, uuid=uuid)
    if memory:
        yield memory["id"]
        return
    document = documents.get(tx, tenant=tenant, uuid=uuid)
    if document and document["cut_at"] is None:
        yield -document["id"]
    elif document:
        yield from (row["id"] for row in memories.of_document(tx, document["id"]))
