"""What memories change by their own words: its words, and links from what is replaced, with the sentence."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Row, Transaction

EXTRACTOR = "changes/1"
REPLACED_BY = "INVALIDATED_BY"
REPLACED, DOUBTED = 1.0, 0.5  # weights of the links


def set_words(tx: Transaction, *, number: int, at: int, words: Iterable[str]) -> None:
    """Replace the words of what a memory changes."""
    tx.run("changes.clear_words", memory_id=number)
    tx.run_many("changes.add_word", [{"memory_id": number, "at": at, "word": word} for word in sorted(set(words))])


def is_any_later(tx: Transaction, *, at: int) -> bool:
    """Whether a memory said after a time states a change."""
    return tx.one("changes.any_later", at=at) is not None


def stating_later(tx: Transaction, *, project: str | None, at: int, words: Iterable[str], limit: int) -> list[Row]:
    """Memories said after a time that state a change of one of these words: id, body, actor, session, date, ..."""
    return tx.all("changes.stating_later", project=project, at=at, words=json.dumps(sorted(set(words))), limit=limit)


def holding(
    tx: Transaction, *, parts: Iterable[str], project: str | None, at: int, limit: int, below: int | None = None
) -> list[Row]:
    """Memories said before a time that match all parts, each the `match` of a `search.expression`; latest first.

    With `below`, only those with a lower id, which were stored before it.
    """
    return tx.all("changes.holding", terms=json.dumps([*parts]), project=project, at=at, below=below, limit=limit)


def earlier(tx: Transaction, *, refs: Iterable[int], project: str | None, at: int) -> list[Row]:
    """Those of some memories that exist, are of a project and were said before a time."""
    return tx.all("changes.earlier", refs=json.dumps([*refs]), project=project, at=at)


def link(tx: Transaction, old: int, new: int, *, is_end: bool, sentence: str, extractor: str) -> None:
    """Link a memory to the one that replaces it, or casts doubt on it. Of two reasons the stronger one stays."""
    tx.run(
        "changes.link",
        source_id=old,
        target_id=new,
        weight=REPLACED if is_end else DOUBTED,
        extractor=extractor,
        properties=json.dumps({"reason": sentence}, ensure_ascii=False),
    )


def replaced(tx: Transaction, number: int) -> list[int]:
    """The memories that the text of one replaces or casts doubt on."""
    return [row["id"] for row in tx.all("changes.linked", id=number, extractor=EXTRACTOR)]


def replaced_by_document(tx: Transaction, document: int) -> list[int]:
    """The memories that the chunks of a document replace or cast doubt on."""
    return [row["id"] for row in tx.all("changes.linked_to_document", document_id=document, extractor=EXTRACTOR)]


def unlink(tx: Transaction, number: int) -> None:
    """Remove what the rules found, of what a memory changes and of what changes it."""
    tx.run("changes.unlink", id=number, extractor=EXTRACTOR)


def unlink_judged(tx: Transaction, number: int, *, whose: int, both_ways: bool = False) -> None:
    """Remove what models, or with `BY_ALL` agents too, say that a memory changes; `both_ways`: and what changes it."""
    tx.run("changes.unlink_judged", id=number, whose=whose, both=int(both_ways))


def ending(tx: Transaction, number: int) -> Row | None:
    """`by`, the memory whose text replaces one, and since when, `at`."""
    return tx.one("changes.ending", id=number, extractor=EXTRACTOR)


def reasons(tx: Transaction, *, refs: Iterable[int], at: int) -> dict[int, list[Row]]:
    """By reference: the memories whose text replaces it or casts doubt on it: other, uuid, weight, sentence."""
    found: dict[int, list[Row]] = {}
    for row in tx.all("changes.reasons", refs=json.dumps([*refs]), at=at, extractor=EXTRACTOR):
        sentence = json.loads(row.pop("properties") or "{}").get("reason")
        found.setdefault(row["ref"], []).append({**row, "sentence": sentence})
    return found


def keep(tx: Transaction, number: int) -> None:
    """Record that a person decided that a memory still holds."""
    tx.run("changes.keep", id=number)
