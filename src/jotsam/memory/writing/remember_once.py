"""Stores a memory at most once within ten minutes, for callers that repeat a call without an idempotency key.

A client of an agent repeats a call after a timeout, and a model remembers the same statement twice. An idempotency key
of the content alone would refuse the same statement for ever, even after another one has replaced it.
"""

from __future__ import annotations

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Memory, Receipt
from jotsam.ingest.validation import storable_text
from jotsam.memory.writing.batches import Acceptor
from jotsam.storage.memories import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Transaction

    Item: TypeAlias = tuple[str, object, Mapping[str, Any]]

WINDOW_MS = 600_000


def remember_once(database: Database, settings: Settings, text: str, *, more: object = None, **options: Any) -> Receipt:
    """Accept a memory as `Jotsam.remember` does, unless the same was accepted within ten minutes: then its receipt.

    The same: tenant, project, text, and `more`, any JSON value. Raises `InvalidInput`.
    """
    return remember_each_once(database, settings, [(text, more, options)])[0]


def remember_each_once(database: Database, settings: Settings, items: Sequence[Item]) -> list[Receipt]:
    """The same for each item in one commit: its text, `more` and options. The invalid one of several is named.

    Raises `InvalidInput`, and then nothing is accepted.
    """
    acceptor = Acceptor(database, settings, actor=None)
    marks = [
        _mark([options.get("project") or settings.project or None, _plain(text), more]) for text, more, options in items
    ]

    def write(tx: Transaction) -> list[Receipt]:
        tx.set_tenant(settings.tenant)
        if len(items) > 1:
            tx.lock(f"batch {settings.tenant}")  # Two batches with the same items in different orders would deadlock.
        found = []
        for index, ((text, _, options), mark) in enumerate(zip(items, marks, strict=True)):
            try:
                found.append(_remember(tx, acceptor, settings, mark=mark, text=text, options=options))
            except InvalidInput as error:
                raise InvalidInput(f"item {index}: {error}" if len(items) > 1 else str(error)) from error
        return found

    return acceptor.commit(write, None)


def _remember(
    tx: Transaction, acceptor: Acceptor, settings: Settings, *, mark: str, text: str, options: Mapping[str, Any]
) -> Receipt:
    """The receipt of what is known within the window, or of what is accepted now."""
    window = tx.now // WINDOW_MS
    key: str | None = f"once:{mark}:{window}"
    for name in (key, f"once:{mark}:{window - 1}"):
        known = memories.find_duplicate(tx, Memory(text=text, tenant=settings.tenant), key=name)
        row = memories.get(tx, uuid=known["uuid"]) if known else None
        if (
            row
            and row["superseded_at"] is None
            and row["archived_at"] is None
            and row["created_at"] > tx.now - WINDOW_MS
        ):
            return Receipt(id=row["uuid"], job_id=row["job_id"], duplicate=True)
        if row and name == key:
            key = None  # What it identifies was replaced since, so the statement is a new one.
    return acceptor.remember(text, key, options, tx)


def _plain(text: object) -> str:
    return storable_text(text)[0].strip()


def _mark(content: list[object]) -> str:
    """A checksum of the content, in groups: a long run of hexadecimal digits could be taken for a secret."""
    import json
    from hashlib import sha256

    digest = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return "-".join(digest[at : at + 8] for at in range(0, 40, 8))
