"""Removes what is older than the settings `keep_..._days` and `trash_days` allow, runs of the lifecycle included.

A worker calls it while it is idle.
"""

from __future__ import annotations

from jotsam.core.records import Record
from jotsam.core.selection import Selection
from jotsam.memory.forgetting import forget
from jotsam.storage.access import audits
from jotsam.storage.forgetting import erasure, retention, trash
from jotsam.storage.lifecycle import lifecycle
from jotsam.storage.memories import given_texts, items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database

DAY_MS = 24 * 3_600_000
SLICE = 100  # of each kind that one visit of a tenant removes


class Expired(Record):
    """How much of a tenant is past its time; a worker removes it. A setting of 0 keeps everything."""

    texts: int = 0  # of documents older than `keep_documents_days`; their memories stay
    versions: int = 0  # of updated memories, replaced more than `keep_history_days` ago
    superseded: int = 0  # memories superseded more than `keep_superseded_days` ago
    trash: int = 0  # commits of `forget` to the trash, more than `trash_days` ago
    audit: int = 0  # entries of the audit, older than `keep_audit_days`
    given: int = 0  # texts that hooks gave sessions more than 30 days ago
    items: int = 0  # of the store, past their own time to live


def expired(database: Database, settings: Settings) -> Expired:
    """What would be removed now. Changes nothing."""
    with database.snapshot(tenant=settings.tenant) as tx:
        kept = {
            "texts": settings.keep_documents_days,
            "versions": settings.keep_history_days,
            "superseded": settings.keep_superseded_days,
            "trash": settings.trash_days,
            "audit": settings.keep_audit_days,
            "given": given_texts.KEEP_DAYS,
        }
        before: dict[str, int] = {name: tx.now - days * DAY_MS if days else 0 for name, days in kept.items()}
        return Expired(**retention.counts(tx, **before, items=tx.now))


def remove_some(database: Database, settings: Settings) -> bool:
    """Remove a slice of what is past its time. Returns whether more may be left."""
    more, uuids, dropped, parts = False, list[str](), list[str](), 0
    with database.transaction(tenant=settings.tenant, durable=False) as tx:
        if settings.keep_documents_days:
            before = tx.now - settings.keep_documents_days * DAY_MS
            more |= retention.remove_texts(tx, before=before, limit=SLICE) == SLICE
        if settings.keep_history_days:
            before = tx.now - settings.keep_history_days * DAY_MS
            dropped = retention.remove_versions(tx, before=before, limit=SLICE)
            more |= len(dropped) == SLICE
        if settings.keep_superseded_days:
            before = tx.now - settings.keep_superseded_days * DAY_MS
            uuids = retention.superseded(tx, before=before, limit=SLICE)
        if settings.trash_days:
            before = tx.now - settings.trash_days * DAY_MS
            parts = trash.remove_before(tx, before=before, limit=SLICE)
            more |= parts == SLICE
        before = tx.now - settings.keep_runs_days * DAY_MS
        more |= lifecycle.remove_before(tx, before=before, limit=SLICE) == SLICE
        if settings.keep_audit_days:
            before = tx.now - settings.keep_audit_days * DAY_MS
            more |= audits.remove_before(tx, before=before, limit=SLICE) == SLICE
        before = tx.now - given_texts.KEEP_DAYS * DAY_MS
        more |= given_texts.remove_before(tx, before=before, limit=SLICE) == SLICE
        more |= items.remove_expired(tx, limit=SLICE) == SLICE
        if dropped:
            erasure.delete_orphans(tx, dropped)
        if dropped or parts:
            erasure.remove_traces(tx)
    if (dropped or parts) and not more:
        database.erase()
    if uuids:
        plan = forget.plan(database, settings, Selection(), among=tuple(uuids))
        more |= bool(forget.carry_out(database, settings, plan).memories)
    return more
