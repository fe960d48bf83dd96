"""Id retriever: memories and documents that a question names by UUID, UUID prefix or external id, and pinned ones.

Title retriever: memories whose title is in the question. "Who directed Brother?" finds the page called Brother.
"""

from __future__ import annotations

from collections import Counter
from math import log

from jotsam.retrieval.question.terms import uuid_prefix
from jotsam.storage.memories import documents, memories
from jotsam.storage.recall import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jotsam.retrieval.question.parse import ParsedQuestion
    from jotsam.storage.database import Transaction
    from jotsam.storage.recall.search import Scope


def by_id(tx: Transaction, parsed: ParsedQuestion, scope: Scope, *, limit: int) -> dict[int, float]:
    """What the question names by UUID or UUID prefix, or by an external id if it consists of nothing else."""
    external = memories.by_external_id(tx, external_id=parsed.text)
    uuids = dict.fromkeys([external] if external else [])
    for prefix in parsed.ids:
        uuids |= dict.fromkeys(_with_prefix(tx, prefix))
    return _scores(tx, scope, uuids, limit)


def pinned(tx: Transaction, ids: Iterable[str], scope: Scope, *, limit: int) -> tuple[dict[int, float], list[str]]:
    """What the caller pinned, by UUID, UUID prefix or external id; and a note for each id that cannot be shown."""
    uuids: dict[str, None] = {}
    notes: list[str] = []
    for id in ids:
        found = _with_id(tx, id)
        refs = [ref for uuid in found for ref in _refs(tx, uuid)]
        uuids |= dict.fromkeys(found)
        if not found:
            notes.append(f"pinned {id} (not found)")
        elif not search.ranking_fields(tx, scope, refs=refs):
            notes.append(f"pinned {id} ({_why_hidden(tx, scope, refs)})")
    return _scores(tx, scope, uuids, limit), notes


def _why_hidden(tx: Transaction, scope: Scope, refs: Iterable[int]) -> str:
    if search.ranking_fields(tx, scope.replace(archived=1), refs=refs):
        return "archived: use archived to show it"
    if search.ranking_fields(tx, scope.replace(history=1, archived=1), refs=refs):
        return "superseded or not valid at this time: use history to show it"
    return "excluded by the filters"


def _with_id(tx: Transaction, id: str) -> list[str]:
    external = memories.by_external_id(tx, external_id=id)
    prefix = None if external else uuid_prefix(id)
    if prefix is None:
        return [external] if external else []
    return _with_prefix(tx, prefix)


def _with_prefix(tx: Transaction, prefix: str) -> list[str]:
    return memories.by_prefix(tx, prefix=prefix) + documents.by_prefix(tx, prefix=prefix)


def _scores(tx: Transaction, scope: Scope, uuids: Iterable[str], limit: int) -> dict[int, float]:
    """Falling scores in the order of the ids."""
    refs = [ref for uuid in uuids for ref in _refs(tx, uuid)][:limit]
    return {ref: 1 - place / len(refs) for place, ref in enumerate(refs)}


def _refs(tx: Transaction, uuid: str) -> Iterator[int]:
    """The reference of a memory or of a pending document, or those of all chunks of a document."""
    memory = memories.get(tx, uuid=uuid)
    if memory:
        yield memory["id"]
        return
    document = documents.get(tx, uuid=uuid)
    if document and document["cut_at"] is None:
        yield -document["id"]
    elif document:
        yield from (row["id"] for row in memories.of_document(tx, document["id"]))


def by_title(tx: Transaction, slugs: Sequence[str], scope: Scope, *, max_same: int) -> dict[int, float]:
    """Memories with one of these titles: 1 each, or less if up to `max_same` share it; more are ignored."""
    rows = search.by_title(tx, slugs=slugs, most=max_same) if slugs else []
    counts = Counter(row["slug"] for row in rows)
    return {row["ref"]: 1 / (1 + log(counts[row["slug"]])) for row in rows if counts[row["slug"]] <= max_same}
