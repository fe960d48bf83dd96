"""Redactions: what was removed from accepted texts, and where. No secret is stored.

Imported only when something was redacted, so that other texts cost nothing.
"""

from __future__ import annotations

from jotsam.core.records import Redaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.storage.database import Transaction, Value

# Recorded per text, because a hostile text may have many. Its receipt has the full number.
MAX_RECORDED = 100


def save(
    tx: Transaction,
    found: Iterable[Redaction],
    *,
    document: int | None = None,
    memory: int | None = None,
) -> None:
    """Record the redactions of a document or a memory, by its id."""
    whose: dict[str, Value] = {"document_id": document, "memory_id": memory}
    rows = [whose | {"kind": one.kind, "place": one.place, "fingerprint": one.fingerprint} for one in found]
    tx.run_many("redactions.save", rows[:MAX_RECORDED])


def of_document(tx: Transaction, number: int) -> tuple[Redaction, ...]:
    return tuple(Redaction(**row) for row in tx.all("redactions.of_document", document_id=number))


def of_memory(tx: Transaction, number: int) -> tuple[Redaction, ...]:
    return tuple(Redaction(**row) for row in tx.all("redactions.of_memory", memory_id=number))


def latest(tx: Transaction, *, limit: int) -> tuple[Redaction, ...]:
    """The latest redactions of all texts, latest first."""
    return tuple(Redaction(**row) for row in tx.all("redactions.latest", limit=limit))


def matching(tx: Transaction, *, prefix: str) -> list[str]:
    """The fingerprints that start with a prefix, at most two: enough to know whether it is unique."""
    rows = tx.all("redactions.find", low=prefix, high=prefix + "g")
    return [row["fingerprint"] for row in rows]
