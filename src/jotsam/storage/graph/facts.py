"""Facts of memories: subject-predicate-object triples with provenance and validity."""

from __future__ import annotations

from jotsam.core.predicates import is_free
from jotsam.core.records import Fact, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.storage.database import Row, Transaction

LAST = 2**62


class Wanted(Record):
    """Filter of `find`. None matches any value."""

    subject: str | None = None  # a part of it, in any case
    predicate: str | None = None  # normalised
    object: str | None = None  # a part of it
    words: str | None = None  # contained in the subject or in the object
    project: str | None = None
    actor: str | None = None
    history: bool = False  # also facts that are not valid now
    archived: bool = False  # also facts of archived memories


class Asked(Record):
    """The terms of a question that facts can match."""

    keys: frozenset[str]  # possible subjects and objects, normalized by `key`
    phrases: frozenset[str]  # those of several words
    predicates: frozenset[str]  # normalised


def save(tx: Transaction, *, number: int, memory: str, facts: Iterable[Fact]) -> None:
    """Save facts of a memory (its id and UUID). A repeated fact is stored once, from the most trusted extractor."""
    tx.run_many(
        "facts.save",
        [
            {
                "uuid": _uuid(memory, fact),
                "memory_id": number,
                "subject": fact.subject,
                "predicate": fact.predicate,
                "object": fact.object,
                "subject_key": key(fact.subject),
                "object_key": key(fact.object),
                "confidence": float(fact.confidence),
                "valid_from": fact.valid_from,
                "valid_until": fact.valid_until,
                "extractor": fact.extractor,
            }
            for fact in facts
        ],
    )


def of_memory(tx: Transaction, *, number: int) -> tuple[Fact, ...]:
    return tuple(from_row(row) for row in tx.all("facts.of_memory", memory_id=number))


def from_row(row: Row) -> Fact:
    """The fact of a row of its fields, marked if its predicate is free."""
    return Fact(**row, free=is_free(row["predicate"]))


def of_each(tx: Transaction, numbers: Iterable[int]) -> dict[int, list[Fact]]:
    """By memory its facts."""
    import json

    found: dict[int, list[Fact]] = {}
    for row in tx.all("facts.of_each", memories=json.dumps([*numbers])):
        found.setdefault(row.pop("number"), []).append(from_row(row))
    return found


def get(tx: Transaction, *, uuid: str) -> Row | None:
    """A fact with its `id`, the id and UUID of its memory, and its `date`."""
    return tx.one("facts.get", uuid=uuid)


def by_prefix(tx: Transaction, *, prefix: str) -> list[str]:
    """The UUIDs that start with a prefix, at most two: enough to know whether it is unique."""
    return [row["uuid"] for row in tx.all("facts.by_prefix", low=prefix, high=prefix + "g")]


def find(tx: Transaction, wanted: Wanted, *, before: int = LAST, limit: int = 50) -> list[tuple[int, Fact]]:
    """Matching facts with their ids, latest first. For the next page pass the last id as `before`."""
    rows = tx.all(
        "facts.find",
        subject=_containing(wanted.subject),
        predicate=wanted.predicate,
        object=_containing(wanted.object),
        words=_containing(wanted.words),
        project=wanted.project,
        actor=wanted.actor,
        history=int(wanted.history),
        archived=int(wanted.archived),
        before=before,
        limit=limit,
    )
    return [(row.pop("number"), from_row(row)) for row in rows]


def by_terms(tx: Transaction, asked: Asked, scope: Mapping[str, Any], *, limit: int) -> list[Row]:
    """Facts in scope that match two of three parts, or whose subject is a phrase of the question; latest first.

    Each has `ref` (the id of its memory), `subject_key` and `object_key`.

    `scope` is a `search.Scope` as a dict.
    """
    import json

    keys, phrases, predicates = (json.dumps(sorted(part)) for part in (asked.keys, asked.phrases, asked.predicates))
    return tx.all("facts.by_terms", **scope, keys=keys, phrases=phrases, predicates=predicates, limit=limit)


def keys(tx: Transaction, *, number: int) -> set[tuple[str, str]]:
    """The pairs of subject key and predicate of a memory's facts."""
    rows = tx.all("facts.keys_of_memory", memory_id=number)
    return {(row["subject_key"], row["predicate"]) for row in rows}


def competing(tx: Transaction, *, project: str | None, subject: str, predicate: str) -> list[Row]:
    """The statements about a subject (its key) with a predicate in one project: id, memory_id, object_key, date, ..."""
    return tx.all("facts.competing", project=project, subject_key=subject, predicate=predicate)


def valid_at(tx: Transaction, *, refs: Iterable[int], predicates: Iterable[str], at: int) -> list[Row]:
    """Facts of memories with some predicates that are valid at a time: ref, subject_key, predicate, object_key, ...

    Facts that were restored manually are left out.
    """
    import json

    return tx.all("facts.valid_at", refs=json.dumps([*refs]), predicates=json.dumps(sorted(predicates)), at=at)


def superseded(tx: Transaction, *, refs: Iterable[int], at: int) -> dict[int, tuple[Fact, ...]]:
    """By memory id: the facts that were superseded at a time."""
    import json

    found: dict[int, tuple[Fact, ...]] = {}
    for row in tx.all("facts.superseded", refs=json.dumps([*refs]), at=at):
        ref = row.pop("ref")
        found[ref] = (*found.get(ref, ()), from_row(row))
    return found


def set_superseded(tx: Transaction, *, id: int, at: int | None, by: int | None) -> None:
    """End a fact at `at`, superseded by the memory `by`; None makes it current again."""
    tx.run("facts.set_superseded", id=id, at=at, by=by)


def set_superseded_manually(tx: Transaction, *, id: int, at: int | None, by: int | None, how: str) -> None:
    """Like `set_superseded`, decided manually: no later fact or extraction changes it."""
    tx.run("facts.set_superseded_manually", id=id, at=at, by=by, how=how)


def judge(tx: Transaction, ends: Iterable[tuple[int, int | None]], *, how: str | None) -> None:
    """Save what a person says of facts, by id with the time at which each ended: None makes it current."""
    rows = [{"id": id, "at": at, "by": None, "how": how} for id, at in ends]
    tx.run_many("facts.set_superseded_manually", rows)


def stated(tx: Transaction, *, subject: str, predicate: str, object: str, limit: int) -> list[Row]:
    """The statements of one triple, by the keys of its subject and object: id, memory_id, superseded_how, ..."""
    keys = {"subject_key": subject, "predicate": predicate, "object_key": object}
    return tx.all("facts.stated", **keys, limit=limit)


def statements_about(tx: Transaction, names: Iterable[str], *, project: str | None, limit: int) -> list[Row]:
    """What is said with one of these names as the subject or the object, the latest first."""
    import json

    keys = json.dumps(sorted({key(name) for name in names}))
    return tx.all("facts.statements_about", keys=keys, project=project, limit=limit)


def memory_state(tx: Transaction, *, number: int) -> Row | None:
    """A memory with the number of its `facts`, how many `ended`, and the time `at` of the last of those."""
    return tx.one("facts.memory_state", id=number)


def last_successor(tx: Transaction, *, number: int) -> int | None:
    row = tx.one("facts.last_successor", memory_id=number)
    return int(row["heir"]) if row else None


def supersede_memory(tx: Transaction, *, number: int, at: int | None, by: int | None, how: str | None) -> None:
    """Supersede a memory at `at` because of its facts; None makes it current again."""
    tx.run("facts.supersede_memory", id=number, at=at, by=by, how=how)


def clear(tx: Transaction, *, number: int, whose: int) -> None:
    """Remove what was found in a memory, see `names.WHOSE`."""
    tx.run("facts.clear", memory_id=number, whose=whose)


def count(tx: Transaction) -> int:
    row = tx.one("facts.count")
    return int(row["facts"]) if row else 0


def key(text: str) -> str:
    """The normalized form of a subject or object: lower case, single spaces."""
    return " ".join(text.casefold().split())


def _uuid(memory: str, fact: Fact) -> str:
    """The UUID of a fact, derived from its memory and its parts, so that every extraction gives it the same.

    Version 8 (RFC 9562), the one for application-specific content.
    """
    from hashlib import sha256

    text = "\n".join((memory, key(fact.subject), fact.predicate, key(fact.object)))
    digits = sha256(text.encode(errors="replace")).hexdigest()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"


def _containing(text: str | None) -> str | None:
    """A `like` pattern that matches texts containing `text`."""
    if text is None or not text.strip():
        return None
    plain = key(text).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{plain}%"
