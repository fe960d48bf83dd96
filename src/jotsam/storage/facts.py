"""Facts: what memories say, as triples that can be looked for by subject, predicate and object."""

from __future__ import annotations

from jotsam.core.records import Fact, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from jotsam.storage.database import Row, Transaction

LAST = 2**62


class Wanted(Record):
    """Which facts are looked for; what is None does not matter."""

    subject: str | None = None  # a part of it, in whatever case
    predicate: str | None = None  # normalised
    object: str | None = None  # a part of it
    words: str | None = None  # stand in the subject or in the object
    project: str | None = None
    history: bool = False  # also what holds no more, or not yet


class Asked(Record):
    """What a question names."""

    keys: frozenset[str]  # what may be a subject or an object, as `key` writes it
    phrases: frozenset[str]  # those of several words
    predicates: frozenset[str]  # normalised


def save(tx: Transaction, *, number: int, memory: str, facts: Iterable[Fact]) -> None:
    """Keep what a memory (its number and UUID) says. The same fact said again stays one, by whoever is trusted more."""
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
    return tuple(Fact(**row) for row in tx.all("facts.of_memory", memory_id=number))


def get(tx: Transaction, *, uuid: str) -> Row | None:
    """A fact with its number `id`, the number and UUID of its memory, and its `date`."""
    return tx.one("facts.get", uuid=uuid)


def by_prefix(tx: Transaction, *, prefix: str) -> list[str]:
    """The UUIDs that begin with a prefix; two are enough to know that it is not unique."""
    return [row["uuid"] for row in tx.all("facts.by_prefix", low=prefix, high=prefix + "g")]


def find(tx: Transaction, wanted: Wanted, *, before: int = LAST, limit: int = 50) -> list[tuple[int, Fact]]:
    """Facts that hold, the latest first, with their numbers; `before` a number goes on after a page."""
    rows = tx.all(
        "facts.find",
        subject=_containing(wanted.subject),
        predicate=wanted.predicate,
        object=_containing(wanted.object),
        words=_containing(wanted.words),
        project=wanted.project,
        history=int(wanted.history),
        before=before,
        limit=limit,
    )
    return [(row.pop("number"), Fact(**row)) for row in rows]


def by_terms(tx: Transaction, asked: Asked, scope: Mapping[str, Any], *, limit: int) -> list[Row]:
    """Facts within a scope of which the keys and predicates name two of three parts, or a whole phrase the subject:
    with `ref` (the memory's number), `subject_key` and `object_key`; the latest first.

    `scope` is a `search.Scope` as a dict.
    """
    import json

    keys, phrases, predicates = (json.dumps(sorted(part)) for part in (asked.keys, asked.phrases, asked.predicates))
    return tx.all("facts.by_terms", **scope, keys=keys, phrases=phrases, predicates=predicates, limit=limit)


def keys(tx: Transaction, *, number: int) -> set[tuple[str, str]]:
    """Of what a memory says something: subject key and predicate."""
    rows = tx.all("facts.keys_of_memory", memory_id=number)
    return {(row["subject_key"], row["predicate"]) for row in rows}


def competing(tx: Transaction, *, project: str | None, subject: str, predicate: str) -> list[Row]:
    """All that is said of a subject (its key) with a predicate in one project: id, memory_id, object_key, date, ..."""
    return tx.all("facts.competing", project=project, subject_key=subject, predicate=predicate)


def valid_at(tx: Transaction, *, refs: Iterable[int], predicates: Iterable[str], at: int) -> list[Row]:
    """What memories say with some predicates and holds at a time: ref, subject_key, predicate, object_key, ...

    What somebody has decided about is left out.
    """
    import json

    return tx.all("facts.valid_at", refs=json.dumps([*refs]), predicates=json.dumps(sorted(predicates)), at=at)


def superseded(tx: Transaction, *, refs: Iterable[int], at: int) -> dict[int, tuple[Fact, ...]]:
    """By the number of the memory that says them: the facts that something else has ended by a time."""
    import json

    found: dict[int, tuple[Fact, ...]] = {}
    for row in tx.all("facts.superseded", refs=json.dumps([*refs]), at=at):
        ref = row.pop("ref")
        found[ref] = (*found.get(ref, ()), Fact(**row))
    return found


def set_superseded(tx: Transaction, *, id: int, at: int | None, by: int | None) -> None:
    """A fact holds until `at`, when what the memory `by` says took its place; None: it holds."""
    tx.run("facts.set_superseded", id=id, at=at, by=by)


def set_superseded_manually(tx: Transaction, *, id: int, at: int | None, by: int | None, how: str) -> None:
    """As `succeed`, because somebody says so: no later statement and no other reader changes it again."""
    tx.run("facts.set_superseded_manually", id=id, at=at, by=by, how=how)


def memory_state(tx: Transaction, *, number: int) -> Row | None:
    """A memory with how many `facts` it says, how many `ended`, the last of them `at`."""
    return tx.one("facts.memory_state", id=number)


def last_successor(tx: Transaction, *, number: int) -> int | None:
    row = tx.one("facts.last_successor", memory_id=number)
    return int(row["heir"]) if row else None


def supersede_memory(tx: Transaction, *, number: int, at: int | None, by: int | None, how: str | None) -> None:
    """A memory holds until `at`, because of facts; None: it holds."""
    tx.run("facts.supersede_memory", id=number, at=at, by=by, how=how)


def clear(tx: Transaction, *, number: int, whose: int) -> None:
    """Remove what was found in a memory, as `names.WHOSE` says."""
    tx.run("facts.clear", memory_id=number, whose=whose)


def count(tx: Transaction) -> int:
    row = tx.one("facts.count")
    return int(row["facts"]) if row else 0


def forget_tenant(tx: Transaction) -> None:
    tx.run("facts.forget_tenant")


def key(text: str) -> str:
    """Under what a subject or object is looked for: lower case, words one space apart."""
    return " ".join(text.casefold().split())


def _uuid(memory: str, fact: Fact) -> str:
    """The id of what a memory says: the same for the same words, whoever reads them, and however often.

    A UUID of version 8 (RFC 9562), which leaves to its maker what it is made of.
    """
    from hashlib import sha256

    told = "\n".join((memory, key(fact.subject), fact.predicate, key(fact.object)))
    digits = sha256(told.encode(errors="replace")).hexdigest()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-8{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:32]}"


def _containing(text: str | None) -> str | None:
    """A pattern of `like` for what holds a text."""
    if text is None or not text.strip():
        return None
    plain = key(text).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{plain}%"
