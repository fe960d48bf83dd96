"""Forgetting: what was remembered is removed, with everything that was made of it."""

from __future__ import annotations

from jotsam.core.names import EVERY_QUEUE
from jotsam.storage import (
    allowed_secrets,
    documents,
    facts,
    graph,
    ledger,
    memories,
    patterns,
    queue,
    redactions,
    search,
    vectors,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def tenant(tx: Transaction) -> None:
    """Remove everything a tenant has: documents, memories, graph, jobs, what was paid."""
    for ref in memories.numbers(tx) + [-number for number in documents.numbers(tx)]:
        search.unindex(tx, ref)
    for each in EVERY_QUEUE:
        queue.forget_tenant(tx, each, tenant=tx.tenant)
    for room in (documents, vectors, memories, graph, facts, patterns, allowed_secrets, redactions, ledger):
        room.forget_tenant(tx)
