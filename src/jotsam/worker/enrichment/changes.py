"""Retires or marks older memories because a newer text replaces, ends or corrects them, as rules or a model read it.

The result is links of type INVALIDATED_BY from the older to the newer memory, with the sentence as their reason.
Whether a memory is superseded follows from its links (`fact_validity.update_memory`). So the order of arrival does not
matter, repetition changes nothing, and a memory is valid again when the newer one is gone. Candidates come from the
text index, or for an older statement that arrives late from the words of later changes; both are bounded. It compares
memories of one project only, and retires no chunk of a document, because a chunk has more than one sentence.
"""

from __future__ import annotations

from jotsam.core.answers import Terms
from jotsam.core.clock import format_time
from jotsam.core.names import BY_ALL, BY_MODELS
from jotsam.pipeline.statements.compare import Said, effect
from jotsam.pipeline.statements.compatible import MARK, RETIRE
from jotsam.pipeline.statements.find_changes import find_changes
from jotsam.pipeline.statements.search_words import keys_of_change, keys_of_text, parts_of_change
from jotsam.storage.memories import changes
from jotsam.storage.recall import search
from jotsam.worker.enrichment import fact_validity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.pipeline.extraction.extract import JudgedChange
    from jotsam.pipeline.statements.find_changes import Change
    from jotsam.storage.database import Row, Transaction

MAX_CANDIDATES, MAX_LATER = 40, 20
MAX_OLDER_CHARACTERS = 4_000


def apply_changes(
    tx: Transaction, row: Row, stated: tuple[Change, ...], judged: tuple[JudgedChange, ...] | None = None
) -> None:
    """Link what a memory changes, and what later memories change in it. Idempotent.

    `stated` are the changes that its text states by the rules, `judged` those that a model reads in it; None leaves
    the links of a model as they are.
    """
    number, at = row["id"], row["created_at"] if row["said_at"] is None else row["said_at"]
    own = {**row, "date": at}
    touched = changes.replaced(tx, number)
    changes.unlink(tx, number)
    if judged is not None:
        changes.unlink_judged(tx, number, whose=BY_MODELS)
    changes.set_words(tx, number=number, at=at, words={key for one in stated for key in keys_of_change(one)})
    found = [*_older(tx, own, stated), *_later(tx, own)]
    if found or touched or judged or row["superseded_how"] == fact_validity.CHANGE:
        tx.lock(f"facts {tx.tenant}")
    for old, new, kind, sentence in found:
        touched.append(old)
        changes.link(tx, old, new, is_end=kind == RETIRE, sentence=sentence, extractor=changes.EXTRACTOR)
    touched += _link_judged(tx, own, judged or ())
    if row["superseded_how"] == fact_validity.CHANGE:
        touched.append(number)
    update_memories(tx, touched)


def apply_judged(tx: Transaction, row: Row, judged: tuple[JudgedChange, ...]) -> None:
    """Link what an agent says that a memory changes, instead of what it or a model said before."""
    number, at = row["id"], row["created_at"] if row["said_at"] is None else row["said_at"]
    tx.lock(f"facts {tx.tenant}")
    touched = changes.replaced(tx, number)
    changes.unlink_judged(tx, number, whose=BY_ALL)
    touched += _link_judged(tx, {**row, "date": at}, judged)
    update_memories(tx, touched)


def _link_judged(tx: Transaction, own: Row, judged: tuple[JudgedChange, ...]) -> list[int]:
    """Link the earlier memories that are still as they were judged. Returns them."""
    found = {one.memory: one for one in judged}
    linked = []
    for older in changes.earlier(tx, refs=found, project=own["project"], at=own["date"]) if found else ():
        one = found[older["id"]]
        if older["body"] == one.text and are_comparable(own, older):
            changes.link(tx, older["id"], own["id"], is_end=one.is_end, sentence=one.sentence, extractor=one.extractor)
            linked.append(older["id"])
    return linked


def are_comparable(newer: Row, older: Row) -> bool:
    """Whether two memories are of different texts. Sections of one document never replace each other."""
    is_apart = newer["document_id"] is None or newer["document_id"] != older["document_id"]
    return bool(newer["id"] != older["id"] and is_apart)


def clear_changes(tx: Transaction, number: int) -> None:
    """Remove what was found in the text of a memory, because the text changes."""
    touched = [number, *changes.replaced(tx, number)]
    changes.unlink(tx, number)
    changes.unlink_judged(tx, number, whose=BY_ALL, both_ways=True)
    changes.set_words(tx, number=number, at=0, words=())
    update_memories(tx, touched)


def update_memories(tx: Transaction, numbers: Iterable[int]) -> None:
    for number in sorted(set(numbers)):
        fact_validity.update_memory(tx, number)


def update_replaced_by_document(tx: Transaction, document: int) -> None:
    """After a document was superseded, or is valid again: what its chunks replace is valid again, or replaced."""
    numbers = changes.replaced_by_document(tx, document)
    if numbers:
        tx.lock(f"facts {tx.tenant}")
        update_memories(tx, numbers)


def _older(tx: Transaction, own: Row, stated: tuple[Change, ...]) -> Iterator[tuple[int, int, str, str]]:
    """What the changes of a text do to earlier memories."""
    done: set[int] = set()
    for change in stated:
        for candidate in _candidates(tx, own, change):
            kind = None if candidate["id"] in done else _effect(change, own, candidate)
            if kind is not None:
                done.add(candidate["id"])
                yield candidate["id"], own["id"], kind, change.sentence


def _candidates(tx: Transaction, own: Row, change: Change) -> list[Row]:
    parts = []
    for words, grams in parts_of_change(change, actor=own["actor"]):
        expression = search.expression(tx, Terms(words=words, grams=grams))
        if expression["match"]:
            parts.append(expression["match"])
    if not parts:
        return []
    return changes.holding(tx, parts=parts, project=own["project"], at=own["date"], limit=MAX_CANDIDATES)


def _later(tx: Transaction, own: Row) -> Iterator[tuple[int, int, str, str]]:
    """What later texts, stored before this one, do to it."""
    if not changes.is_any_later(tx, at=own["date"]):
        return
    keys = keys_of_text(own["body"], actor=own["actor"])
    if not keys:
        return
    for later in changes.stating_later(tx, project=own["project"], at=own["date"], words=keys, limit=MAX_LATER):
        for change in find_changes(later["body"]):
            kind = _effect(change, later, own)
            if kind is not None:
                yield own["id"], later["id"], kind, change.sentence
                break


def _effect(change: Change, newer: Row, older: Row) -> str | None:
    if not are_comparable(newer, older) or len(older["body"]) > MAX_OLDER_CHARACTERS:
        return None
    kind = effect(change, _said(newer), _said(older))
    return MARK if kind == RETIRE and older["document_id"] is not None else kind


def _said(row: Row) -> Said:
    return Said(
        text=row["body"],
        actor=row["actor"],
        session=row["session"],
        year=int(format_time(row["date"])[:4]),
        is_chunk=row["document_id"] is not None,
    )
