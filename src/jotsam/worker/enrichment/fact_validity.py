"""Fact validity: invalidates facts that a newer statement replaces.

A functional predicate has one object per subject at a time; the latest statement is valid. Each time a fact is added or
removed, validity is computed again from all facts of the same subject, predicate, project and tenant. So the order of
arrival does not matter, repetition changes nothing, and a fact becomes valid again when its successor is removed.
Sections of one document never invalidate each other, and of facts with equal dates both are valid. A move also
invalidates the previous residence; the fact of the move itself stays valid.
"""

from __future__ import annotations

from jotsam.pipeline.facts.predicates import MIN_CONFIDENCE, competing_predicates, functional
from jotsam.storage.graph import facts
from jotsam.storage.memories import changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

    Key = tuple[str, str]  # subject key and predicate

# What set `superseded_at`: a later fact; a newer text; a person who restored or confirmed it; a person who named what
# replaced it; a person who said that it never held, or when it ended.
FACTS, CHANGE, KEPT, HAND, WRONG, ENDED = "facts", "change", "kept", "hand", "wrong", "ended"
DECIDED = (HAND, WRONG, ENDED)  # to be over, by a person

# A memory up to this length is superseded with its facts. A longer one contains more than its facts.
MAX_CHARACTERS, MAX_WORDS = 80, 12


def update_validity(tx: Transaction, keys: Iterable[Key], *, number: int) -> None:
    """Update the validity of all facts with these keys in the project of a memory, and of the memories stating them."""
    row = facts.memory_state(tx, number=number)
    if row is None:
        return
    touched = {number}
    for subject, predicates in sorted(
        {(subject, competing_predicates(predicate)) for subject, predicate in functional(keys)}
    ):
        competing = [
            fact
            for predicate in predicates
            for fact in facts.competing(tx, project=row["project"], subject=subject, predicate=predicate)
        ]
        for fact in competing:
            touched.add(fact["memory_id"])
            if fact["superseded_how"] in DECIDED:
                continue
            successor = None if fact["superseded_how"] == KEPT else _successor(fact, competing)
            at, by = (successor["date"], successor["memory_id"]) if successor else (None, None)
            if (at, by) != (fact["superseded_at"], fact["superseded_by"]):
                facts.set_superseded(tx, id=fact["id"], at=at, by=by)
    for memory in sorted(touched):
        update_memory(tx, memory)


def _successor(old: Row, competing: Iterable[Row]) -> Row | None:
    """The earliest later fact with another object."""
    later = [new for new in competing if _ends(new, old)]
    return min(later, key=lambda new: (new["date"], new["id"]), default=None)


def _ends(new: Row, old: Row) -> bool:
    is_apart = new["memory_id"] != old["memory_id"]
    is_other_text = new["document_id"] is None or new["document_id"] != old["document_id"]
    is_later = new["date"] > old["date"] and new["object_key"] != old["object_key"]
    is_right = new["superseded_how"] != WRONG and new["confidence"] >= MIN_CONFIDENCE
    return bool(is_later and is_apart and is_other_text and is_right)


def update_memory(tx: Transaction, number: int) -> None:
    """Supersede a short memory whose facts have all ended, or one that a newer text replaces; otherwise restore it.

    A chunk is only superseded with its source.
    """
    row = facts.memory_state(tx, number=number)
    if row is None or row["superseded_how"] == KEPT:
        return
    if row["superseded_at"] is not None and row["superseded_how"] not in (FACTS, CHANGE):
        return
    is_over = row["facts"] and row["facts"] == row["ended"] and row["document_id"] is None and _is_short(row["body"])
    at, by, how = None, None, None
    if is_over:
        at, by, how = row["at"], facts.last_successor(tx, number=number), FACTS
    elif (newer := changes.ending(tx, number)) is not None:
        at, by, how = newer["at"], newer["by"], CHANGE
    if (at, by, how) != (row["superseded_at"], row["superseded_by"], row["superseded_how"]):
        facts.supersede_memory(tx, number=number, at=at, by=by, how=how)


def _is_short(body: str) -> bool:
    return len(body) <= MAX_CHARACTERS and len(body.split()) <= MAX_WORDS and "\n" not in body.strip()
