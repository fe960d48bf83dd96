"""Deletion of a tenant: its texts, memories, graph, jobs, caches and costs."""

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
    """Delete everything the tenant has."""
    for ref in memories.ids(tx) + [-number for number in documents.ids(tx)]:
        search.unindex(tx, ref)
    for name in EVERY_QUEUE:
        queue.forget_tenant(tx, name, tenant=tx.tenant)
    for module in (documents, vectors, memories, graph, facts, patterns, allowed_secrets, redactions, ledger):
        module.forget_tenant(tx)
