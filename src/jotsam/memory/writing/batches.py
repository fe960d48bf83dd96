"""Accepts documents and memories for a client: one, or many in one transaction, where an invalid one stops no other.

An item is accepted exactly as by a call of its own, in order, so a duplicate of an earlier item is one here too.

Accepts turns of a conversation from a program that is not an agent with hooks. As a hook, it stores no fenced answer
of memory again, cuts what is very long, and makes a document of a long turn.
"""

from __future__ import annotations

from jotsam.core import tracing, validate
from jotsam.core.clock import new_id, parse_time
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import as_type
from jotsam.core.records import Document, ItemResult, Memory, Receipt, UpsertReceipt, UpsertResult
from jotsam.ingest import accept, backlog, start_worker
from jotsam.ingest.capture import MAX_PART_BYTES, Turn, accept_turn, cut_turn, label_in, text_mark
from jotsam.ingest.hook_events import without_memory
from jotsam.ingest.validation import check_line
from jotsam.memory import allowed_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Transaction

    Fields = Mapping[str, Any]
    R = TypeVar("R", ItemResult, UpsertResult)
    T = TypeVar("T")

MAX_ITEMS = 500  # the write lock of a file is held for about 0.2 ms an item
SOURCE = "turns"


def check_items(items: object) -> list[Any]:
    """The items of a batch as a list. Raises `InvalidInput`."""
    found = validate.check_list("items", items)
    if len(found) > MAX_ITEMS:
        raise InvalidInput(f"invalid items: {len(found):,} are given: must be at most {MAX_ITEMS} a call")
    return found


def check_item(item: Any, *, required: tuple[str, ...], allowed: frozenset[str]) -> dict[str, Any]:
    """An item as keyword arguments. Raises `InvalidInput`."""
    if not hasattr(item, "keys") or not hasattr(item, "items"):
        raise InvalidInput(f"invalid item {validate.shown(item)}: must be a dict")
    fields: dict[str, Any] = {**item}
    validate.check_fields((str(name) for name in fields), allowed)
    for name in required:
        if name not in fields:
            raise InvalidInput(f"an item has no {name}: it has {', '.join(sorted(fields)) or 'no fields'}")
    return fields


def accept_each(
    tx: Transaction,
    items: list[Any],
    write: Callable[..., Receipt | UpsertReceipt],
    *,
    allowed: frozenset[str],
    result: Callable[..., R],
    required: tuple[str, ...] = ("text",),
) -> list[R]:
    """Accept each item, a text or a dict, with `write(tx, text, key, other fields)`. Returns a `result` for each."""
    results = []
    for index, item in enumerate(items):
        try:
            given = {"text": item} if isinstance(item, str) else item
            fields = check_item(given, required=required, allowed=allowed)
            text, key = fields.pop("text"), fields.pop("key", None)
            results.append(result(index=index, receipt=write(tx, text, key, fields, soft_cap=None)))
        except InvalidInput as error:
            results.append(result(index=index, error=error))
    return results


def with_warning(results: list[R], warnings: tuple[str, ...]) -> list[R]:
    """The results with warnings about the whole batch in the last receipt of something new."""
    for one in reversed(results):
        if one.receipt is not None and _is_new(one.receipt):
            results[one.index] = one.replace(receipt=_warned(one.receipt, warnings))
            break
    return results


def _is_new(receipt: Receipt | UpsertReceipt) -> bool:
    return receipt.created if isinstance(receipt, UpsertReceipt) else not receipt.duplicate


def _warned(receipt: Receipt | UpsertReceipt, warnings: tuple[str, ...]) -> Receipt | UpsertReceipt:
    return receipt.replace(warnings=(*receipt.warnings, *warnings))


class Acceptor:
    """Accepts documents and memories with the settings and the default actor of a client."""

    def __init__(self, database: Database, settings: Settings, *, actor: str | None) -> None:
        self._database, self._settings, self._actor = database, settings, actor

    def add(self, text: str, key: str | None, fields: Fields, tx: Transaction | None) -> Receipt:
        cap = self._settings.soft_cap
        return self.commit(lambda tx: self._add(tx, text, key, fields, soft_cap=cap), tx)

    def add_many(self, items: object, tx: Transaction | None) -> list[ItemResult]:
        return self._many(items, self._add, allowed_options.DOCUMENT_ITEM, tx, result=ItemResult)

    def remember(self, text: str, key: str | None, fields: Fields, tx: Transaction | None) -> Receipt:
        cap = self._settings.soft_cap
        return self.commit(lambda tx: self._remember(tx, text, key, fields, soft_cap=cap), tx)

    def remember_many(self, items: object, tx: Transaction | None) -> list[ItemResult]:
        return self._many(items, self._remember, allowed_options.MEMORY_ITEM, tx, result=ItemResult)

    def upsert(self, key: str, text: str, fields: Fields, tx: Transaction | None) -> UpsertReceipt:
        cap = self._settings.soft_cap
        return self.commit(lambda tx: self._upsert(tx, text, key, fields, soft_cap=cap), tx)

    def upsert_many(self, items: object, tx: Transaction | None) -> list[UpsertResult]:
        from jotsam.memory.writing.update import lock_keys

        listed = check_items(items)

        def lock(tx: Transaction) -> None:
            lock_keys(tx, [one["key"] for one in listed if hasattr(one, "keys") and "key" in one])

        allowed, required = allowed_options.MEMORY_ITEM, ("key", "text")
        return self._many(listed, self._upsert, allowed, tx, result=UpsertResult, required=required, lock=lock)

    def commit(self, write: Callable[[Transaction], T], tx: Transaction | None) -> T:
        tenant, worker = self._settings.tenant, self._settings.worker
        with tracing.span(tracing.ACCEPT) as span:
            if tx is None:
                found = start_worker.commit(self._database, write, worker=worker)
            else:
                found = start_worker.commit_with(self._database, tx, write, tenant=tenant, worker=worker)
            if isinstance(found, Receipt) and found.job_id:
                span.set("jotsam.job.id", found.job_id)
            return found

    def _many(
        self,
        items: object,
        write: Callable[..., Receipt | UpsertReceipt],
        allowed: frozenset[str],
        tx: Transaction | None,
        *,
        result: Callable[..., R],
        required: tuple[str, ...] = ("text",),
        lock: Callable[[Transaction], None] | None = None,
    ) -> list[R]:
        found, settings = check_items(items), self._settings

        def accept_all(tx: Transaction) -> list[R]:
            tx.set_tenant(settings.tenant)
            tx.lock(f"batch {settings.tenant}")  # Two batches with the same keys in different orders would deadlock.
            if lock is not None:
                lock(tx)
            results = accept_each(tx, found, write, allowed=allowed, result=result, required=required)
            return with_warning(results, backlog.warnings(tx, settings.soft_cap))

        return self.commit(accept_all, tx)

    def _add(self, tx: Transaction, text: str, key: str | None, fields: Fields, *, soft_cap: int | None) -> Receipt:
        project = fields.get("project") or self._settings.project or None
        actor = self._actor if fields.get("actor") is None else fields["actor"]
        more = {**fields, "project": project, "actor": actor}
        document = Document(text=text, tenant=self._settings.tenant, **more)
        return accept.add(tx, document, key=key, soft_cap=soft_cap, label=label_in(self._settings, document.project))

    def _upsert(self, tx: Transaction, text: str, key: str, fields: Fields, *, soft_cap: int | None) -> UpsertReceipt:
        from jotsam.memory.writing.update import upsert

        def create(tx: Transaction) -> Receipt:
            return self._remember(tx, text, key, fields, soft_cap=soft_cap)

        tx.set_tenant(self._settings.tenant)
        options, attempts = {"actor": self._actor, **fields}, self._settings.enrich_attempts
        return upsert(tx, key=key, text=text, options=options, create=create, attempts=attempts)

    def _remember(
        self, tx: Transaction, text: str, key: str | None, fields: Fields, *, soft_cap: int | None
    ) -> Receipt:
        more = {"project": self._settings.project or None, "actor": self._actor, **fields}
        memory = Memory(text=text, tenant=self._settings.tenant, **more)
        attempts = self._settings.enrich_attempts
        label = label_in(self._settings, memory.project)
        return accept.remember(tx, memory, key=key, soft_cap=soft_cap, attempts=attempts, label=label)


def link_each(items: list[Any], link: Callable[[Any], Any]) -> list[ItemResult]:
    """Create each link in one transaction."""
    results = []
    for index, item in enumerate(items):
        try:
            results.append(ItemResult(index=index, link=link(item)))
        except (InvalidInput, NotFound) as error:
            results.append(ItemResult(index=index, error=error))
    return results


def add_turn(tx: Transaction, text: str, *, key: str | None, settings: Settings, fields: dict[str, Any]) -> Receipt:
    """Store a turn. Raises `InvalidInput`, before anything is written."""
    lines = {name: check_line(name, fields.get(name)) for name in ("session", "actor", "source", "type", "project")}
    session, position, said_at = lines["session"], fields.get("position"), fields.get("said_at")
    if session is None:
        raise InvalidInput("session is missing or empty: give the id of the conversation")
    if position is not None:
        validate.check_int("position", position, 0, validate.MAX_ID)
    turn = Turn(
        text=cut_turn(without_memory(validate.check_text("text", text))),
        actor=lines["actor"] or "user",
        session=session,
        key=check_line("key", key) or _key(session, position),
        source=lines["source"] or SOURCE,
        said_at=tx.now if said_at is None else parse_time(said_at, name="said_at"),
        tenant=settings.tenant,
        project=lines["project"] or settings.project or None,
        position=position,
        type=lines["type"] and as_type(lines["type"]),
    )
    return accept_turn(tx, turn, settings)


def _key(session: str, position: int | None) -> str:
    """The same for the same place in a conversation; without a place, a new one."""
    if position is None:
        return f"turn:{new_id()}"
    return f"turn:{validate.cut_name(session, limit=MAX_PART_BYTES)}:{text_mark(session)}:{position}"
