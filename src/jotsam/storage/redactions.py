"""Redactions: what was taken out of what was accepted, so that somebody can see it. No secret ever stands here.

It is loaded, and written to, only where something was taken out: a text without secrets pays nothing for it.
"""

from __future__ import annotations

from jotsam.core.records import Redaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Transaction, Value

MOST = 100
"""So many of one text are noted: a hostile text may have very many, and its receipt says how many there were."""


def save(
    tx: Transaction,
    found: Iterable[Redaction],
    *,
    document: int | None = None,
    memory: int | None = None,
) -> None:
    """Note what was taken out of a document or a memory, by its number."""
    whose: dict[str, Value] = {"document_id": document, "memory_id": memory}
    rows = [whose | {"kind": one.kind, "place": one.place, "fingerprint": one.fingerprint} for one in found]
    tx.run_many("redactions.save", rows[:MOST])


def of_document(tx: Transaction, number: int) -> tuple[Redaction, ...]:
    return tuple(Redaction(**row) for row in tx.all("redactions.of_document", document_id=number))


def of_memory(tx: Transaction, number: int) -> tuple[Redaction, ...]:
    return tuple(Redaction(**row) for row in tx.all("redactions.of_memory", memory_id=number))


def latest(tx: Transaction, *, limit: int) -> tuple[Redaction, ...]:
    """Of everything, the latest first."""
    return tuple(Redaction(**row) for row in tx.all("redactions.latest", limit=limit))


def matching(tx: Transaction, *, prefix: str) -> list[str]:
    """The fingerprints that begin with a prefix; two are enough to know that it is not unique."""
    rows = tx.all("redactions.find", low=prefix, high=prefix + "g")
    return [row["fingerprint"] for row in rows]


def forget_tenant(tx: Transaction) -> None:
    tx.run("redactions.forget_tenant")
