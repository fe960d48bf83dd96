"""What ends a fact: of some predicates a subject has one object at a time, and the later statement holds.

Which fact holds is worked out anew from all there are of one subject, predicate, project and tenant, each time that
one comes or goes. So it does not matter in which order they arrive, doing it twice changes nothing, and what was ended
holds again when its successor is gone. Sections of one document never end each other, and of equal dates both stand.
Where somebody lives ends when they move, too; that they moved stays true, so what says only that is not hidden.
"""

from __future__ import annotations

from jotsam.pipeline.facts.predicates import MIN_CONFIDENCE, competing_predicates, functional
from jotsam.storage import facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

    Key = tuple[str, str]  # subject key and predicate

FACTS, KEPT, HAND = "facts", "kept", "hand"
"""How something came to hold no more, or to hold again: by a later fact; brought back, or ended, by somebody."""

LONGEST, MOST_WORDS = 80, 12
"""Characters and words of a memory that may say one thing only; a longer one says more than its facts."""


def settle(tx: Transaction, keys: Iterable[Key], *, number: int) -> None:
    """Work out which facts of these keys hold, in the project of a memory, and whether what says them does."""
    row = facts.state(tx, number=number)
    if row is None:
        return
    touched = {number}
    for subject, predicates in sorted(
        {(subject, competing_predicates(predicate)) for subject, predicate in functional(keys)}
    ):
        rivals = [
            rival
            for predicate in predicates
            for rival in facts.rivals(tx, project=row["project"], subject=subject, predicate=predicate)
        ]
        for rival in rivals:
            touched.add(rival["memory_id"])
            if rival["superseded_how"] == HAND:
                continue
            heir = None if rival["superseded_how"] == KEPT else _heir(rival, rivals)
            at, by = (heir["date"], heir["memory_id"]) if heir else (None, None)
            if (at, by) != (rival["superseded_at"], rival["superseded_by"]):
                facts.succeed(tx, id=rival["id"], at=at, by=by)
    for memory in sorted(touched):
        _settle_memory(tx, memory)


def _heir(old: Row, rivals: Iterable[Row]) -> Row | None:
    """The first that was said later and says something else."""
    later = [new for new in rivals if _ends(new, old)]
    return min(later, key=lambda new: (new["date"], new["id"]), default=None)


def _ends(new: Row, old: Row) -> bool:
    is_apart = new["memory_id"] != old["memory_id"]
    is_other_text = new["document_id"] is None or new["document_id"] != old["document_id"]
    is_later = new["date"] > old["date"] and new["object_key"] != old["object_key"]
    return bool(is_later and is_apart and is_other_text and new["confidence"] >= MIN_CONFIDENCE)


def _settle_memory(tx: Transaction, number: int) -> None:
    """A short memory all of whose facts have ended holds no more; only its source supersedes a chunk of a document."""
    row = facts.state(tx, number=number)
    if row is None or row["superseded_how"] == KEPT or (row["superseded_at"] and row["superseded_how"] != FACTS):
        return
    is_over = row["facts"] and row["facts"] == row["ended"] and row["document_id"] is None and _is_short(row["body"])
    at, how = (row["at"], FACTS) if is_over else (None, None)
    by = facts.heir(tx, number=number) if is_over else None
    if (at, by) != (row["superseded_at"], row["superseded_by"]):
        facts.end_memory(tx, number=number, at=at, by=by, how=how)


def _is_short(body: str) -> bool:
    return len(body) <= LONGEST and len(body.split()) <= MOST_WORDS and "\n" not in body.strip()
