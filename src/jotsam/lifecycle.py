"""The life of what is remembered after it was accepted: how it ends."""

from __future__ import annotations

from jotsam.records import EVERY_QUEUE
from jotsam.storage import allowed, documents, facts, graph, ledger, memories, patterns, queue, search, vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def forget_tenant(tx: Transaction, tenant: str) -> None:
    """Remove everything a tenant has: documents, memories, graph, jobs, what was paid."""
    tx.enter(tenant)
    for ref in memories.numbers(tx, tenant) + [-number for number in documents.numbers(tx, tenant)]:
        search.unindex(tx, ref)
    for name in EVERY_QUEUE:
        queue.forget_tenant(tx, name, tenant=tenant)
    for room in (documents, vectors, memories, graph, facts, patterns, allowed, ledger):
        room.forget_tenant(tx, tenant)
