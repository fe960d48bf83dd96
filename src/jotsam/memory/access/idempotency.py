"""Requests with an idempotency key: the effect of the first, and its reply for each repetition.

The reply is stored in the transaction of what was accepted, so there is never one without the other. It must hold ids
and numbers only: what is forgotten later, or looks like a secret, must not be in it.
"""

from __future__ import annotations

from jotsam.core import validate
from jotsam.core.errors import KeyReused
from jotsam.core.records import Record
from jotsam.ingest import start_worker
from jotsam.pipeline.redaction.redact import redact
from jotsam.storage.access import replies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Transaction

DAY_MS = 24 * 3_600_000
KEPT_MS = 30 * DAY_MS  # as long as the keys of the queue


class KeptReply(Record):
    """A reply to a request: its HTTP status, where to follow what was accepted, and its body as JSON text."""

    status: int
    body: str
    location: str | None = None


def fingerprint(*parts: bytes) -> str:
    """The SHA-256 of a request: method, path and body. The length of each part counts too."""
    from hashlib import sha256

    whole = sha256()
    for part in parts:
        whole.update(f"{len(part)} ".encode())
        whole.update(part)
    return whole.hexdigest()


def storable_message(error: BaseException) -> str:
    """The message of an error for a reply that is kept: it may quote a value of the request that holds a secret."""
    return redact(str(error))[0]


def run_once(
    database: Database, settings: Settings, *, key: str, fingerprint: str, write: Callable[[Transaction], KeptReply]
) -> tuple[KeptReply, bool]:
    """Run `write` in one transaction of the tenant, unless the key was used within 30 days: then its reply.

    Returns the reply, and whether it is a repetition. If `write` raises, nothing is stored, and the key is free.
    Raises `InvalidInput`, and `KeyReused` if the key was used with another fingerprint.
    """
    mark = _mark(validate.check_identifier("idempotency key", key))

    def kept(tx: Transaction) -> KeptReply | None:
        known = replies.find(tx, key=mark, since=tx.now - KEPT_MS)
        if known is None:
            return None
        if known.pop("fingerprint") != fingerprint:
            raise KeyReused(
                f"idempotency key {validate.shown(key)} was used with another request: use a new key for this one"
            )
        return KeptReply(**known)

    def once(tx: Transaction) -> tuple[KeptReply, bool]:
        tx.set_tenant(settings.tenant)
        tx.lock(f"reply {settings.tenant} {mark}")  # Two requests at once: the second waits, and finds the reply.
        if (known := kept(tx)) is not None:
            return known, True
        reply = write(tx)
        replies.save(tx, key=mark, fingerprint=fingerprint, **reply.as_dict())
        return reply, False

    with database.snapshot(tenant=settings.tenant) as tx:  # A repetition changes nothing, so it is not audited.
        if (known := kept(tx)) is not None:
            return known, True
    return start_worker.commit(database, once, worker=settings.worker)


def prune(tx: Transaction, *, limit: int) -> bool:
    """Delete expired replies of the tenant. Returns whether more may be left."""
    return replies.prune(tx, before=tx.now - KEPT_MS, limit=limit) == limit


def _mark(key: str) -> str:
    from hashlib import sha256

    return sha256(key.encode("utf-8")).hexdigest()
