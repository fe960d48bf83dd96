"""Copies a database with all tenants into an empty one, with the same ids, times and counters, and verifies the copy.

The source is read in one snapshot and never written to. The target is filled in batches; each commit also stores the
progress, so an interrupted copy continues where it stopped. Until the last commit, which copies the jobs, nothing else
can open the target. Before that commit both databases are read again and compared.

The full-text index of a copy, which is made again from the texts.
"""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from itertools import zip_longest

from jotsam.admin.agents import hook_checks
from jotsam.core.errors import DatabaseUnusable, InvalidInput
from jotsam.core.records import Record
from jotsam.ingest import accept, spool
from jotsam.memory.status import queue_state
from jotsam.storage import MEMORY, QUEUE, connect, outstanding, queue
from jotsam.storage.memories import documents, memories
from jotsam.storage.migrations import COPYING
from jotsam.storage.recall import search, vectors
from jotsam.storage.tables import QUEUE as OF_QUEUE
from jotsam.storage.tables import TABLES
from jotsam.storage.transfer import table_copy as tables
from jotsam.storage.transfer import tenant_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from jotsam.core.records import Document, Memory
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.transfer.table_copy import Checksum, TableRows

    Tell = Callable[[str, int, int], None]  # progress callback: what, rows done, rows in total
    Texts = Mapping[int, Memory | Document]  # by the reference in the index

BATCH_ROWS, BATCH_CHARACTERS = 2_000, 8_000_000

# Tables that are copied while the source is locked, because readers write the first and the second must be last.
LATE_NAMES = {"recall_count": "how often memories were recalled", tables.JOBS: "the jobs"}
LATE, RECALLS = tuple(LATE_NAMES), ("recall_count",)
SEEDED = ("queue_clock",)  # a new database has a row in these tables, which that of the source replaces

VECTORS = "embedding"

# Prefix of the steps that write the references between rows of one table, after all of its rows.
REFERENCES = "references of "
MEMORIES, DOCUMENTS = "words of memories", "words of documents"
BATCH_TEXTS = 50


class CopiedTable(Record):
    """A table that is equal in both databases. The checksum is over all rows."""

    table: str
    rows: int
    checksum: str


class CopyReport(Record):
    """The result. `left` are tables of the source that do not belong to Jotsam and were not copied."""

    source: str
    target: str
    tables: tuple[CopiedTable, ...]
    left: tuple[str, ...]
    already: bool  # the target was an equal copy before; it was only compared


class CopyStep(Record):
    """A table, or a part of the full-text index, of one tenant; or a table without tenants."""

    name: str
    tenant: str | None


class Part(Record):
    """Some rows of a step, or texts to index, and the key of the last."""

    step: CopyStep
    content: Any
    last: tuple[Any, ...]
    rows: int
    size: int


def copy_database(
    settings: Settings,
    to: str,
    *,
    tell: Tell | None = None,
    batch_rows: int = BATCH_ROWS,
    partitions: int | None = None,
) -> CopyReport:
    """Copy the database of the settings into the empty database `to`, and compare the two.

    `tell` is called with the current step and the number of rows done and in total. After an interruption the same call
    continues. A new target on a server has `partitions` partitions. Raises `DatabaseUnusable` if the source is used or
    has an older schema, or the target is not empty; `InvalidInput` if both are the same, or the target has another
    number of partitions; and the errors of the databases.
    """
    to = to if "://" in to else os.path.abspath(os.path.expanduser(to))
    with ExitStack() as stack:
        schemas = _schemas_of(settings.db)
        source = connect(settings.db, schemas=schemas, wait_ms=settings.lock_timeout_ms, migrate=False)
        stack.callback(source.close)
        _refuse_same(source, to)
        snapshot = stack.enter_context(ExitStack())
        source_tx = snapshot.enter_context(source.snapshot())
        _refuse_in_use(source, source_tx, can_have_worker=source.is_file and schemas == MEMORY)
        if partitions is not None:  # Checked first: an error must not leave a snapshot in use.
            outstanding(to, schemas=schemas, partitions=partitions)
        target, already = _open_target(to, schemas, settings, source_tx, partitions)
        stack.callback(target.close)
        work = _Copy(source, source_tx, target, tell or _no_progress, batch_rows)
        if already:
            return work.report(work.compare(RECALLS), already=True)
        work.begin()
        work.copy()
        snapshot.close()
        with source.transaction() as held:
            found = work.finish(held)
        return work.report(found, already=False)


def _schemas_of(url: str) -> tuple[str, ...]:
    """The schemas of the source. A database that is only a queue gets no tables for memory."""
    wanting = {migration.schema for migration in outstanding(url) if migration.version == 1}
    return QUEUE if wanting == {"memory"} else MEMORY


def _no_progress(what: str, done: int, total: int) -> None:
    """The default progress callback."""


def _refuse_same(source: Database, to: str) -> None:
    if source.url == to or (source.is_file and os.path.realpath(source.url) == os.path.realpath(to)):
        raise InvalidInput(f"{to} is the database to copy: choose another target")


def _refuse_in_use(source: Database, tx: Transaction, *, can_have_worker: bool) -> None:
    """What a worker does during the copy would be missing in the target, or be done twice."""
    state, pid = queue_state.worker(tx) if can_have_worker else ("none", None)
    held = queue.count_leased(tx)
    waiting = spool.waiting(source.url)
    if state != "none":
        raise DatabaseUnusable(f"{source.url}: a worker is running{f', pid {pid}' if pid else ''}; stop it and retry")
    moving = [] if source.is_file else tenant_moves.unfinished(tx)
    if moving:
        raise DatabaseUnusable(
            f"{source.url}: the tenant {moving[0]!r} is being moved: finish or undo that with `jotsam db move-tenant`"
        )
    if held:
        raise DatabaseUnusable(f"{source.url}: {held:,} jobs are leased by running workers; stop the workers and retry")
    if waiting:
        raise DatabaseUnusable(
            f"{source.url}: still spooled: {hook_checks.turns(len(waiting))}; run `jotsam jobs work` and retry"
        )


def _state(tx: Transaction) -> str:
    """A value that changes with every accepted item and every job. Other changes are found by the comparison."""
    return json.dumps([tables.counters(tx), queue.totals(tx)], sort_keys=True)


def _open_target(
    to: str, schemas: tuple[str, ...], settings: Settings, source_tx: Transaction, partitions: int | None
) -> tuple[Database, bool]:
    """The target, ready to be filled; or True and a target that already is a copy of the source."""
    filling = (*schemas, COPYING)
    if all(migration.schema != COPYING for migration in outstanding(to, schemas=filling)):
        return connect(to, schemas=filling, wait_ms=settings.lock_timeout_ms), False
    target = connect(to, schemas=schemas, wait_ms=settings.lock_timeout_ms, partitions=partitions)
    try:
        with target.snapshot() as tx:
            both, _ = tables.shared_tables(source_tx, tx)
            away = tenant_moves.held(source_tx) | tenant_moves.held(tx)
            tenants = sorted({*tables.tenants(source_tx), *tables.tenants(tx)} - away)
            is_empty = not any(_count(tx, table, tenants) for table in both if table.name not in SEEDED)
            same = [one for one in both if one.name not in RECALLS]
            if not is_empty and any(_count(tx, one, tenants) != _count(source_tx, one, tenants) for one in same):
                raise _not_empty(target)
    except BaseException:
        target.close()
        raise
    if not is_empty:
        return target, True
    target.close()
    return connect(to, schemas=filling, wait_ms=settings.lock_timeout_ms), False


def _not_empty(target: Database) -> DatabaseUnusable:
    return DatabaseUnusable(f"{target.url} is not empty: use an empty database, or a new schema or file")


def _count(tx: Transaction, table: TableRows, tenants: list[str]) -> int:
    total = 0
    for tenant in [None] if table.is_shared else tenants:
        if tenant is not None:
            tx.set_tenant(tenant)
        total += tables.count(tx, table, tenant)
    return total


class _Copy:
    """One copy in progress: the snapshot of the source, the target, and the progress."""

    def __init__(self, source: Database, source_tx: Transaction, target: Database, tell: Tell, batch_rows: int) -> None:
        self._source = source
        self._source_tx = source_tx
        self._target = target
        self._tell = tell
        self._batch_rows = batch_rows
        with target.snapshot() as tx:
            self.tables, self._left = tables.shared_tables(source_tx, tx)
            theirs = tables.tenants(tx)
        self._by_name = {table.name: table for table in self.tables}
        self._by_name |= {f"{REFERENCES}{one.name}": own for one in self.tables if (own := tables.self_references(one))}
        self._away = tenant_moves.held(source_tx)  # Only their tokens are left here.
        self._tenants = sorted({*tables.tenants(source_tx), *theirs} - self._away)
        self.state = _state(source_tx)
        self._progress: str | None = None
        self._hint = "; copy into another database"
        self._done = 0
        steps = list(self._steps())
        self._sizes = {step: self._size(step) for step in steps}
        self._total = sum(self._sizes.values())

    def begin(self) -> None:
        """Mark an empty target as being filled, or continue an interrupted copy."""
        with self._target.transaction() as tx:
            tx.lock("move")
            found = tables.progress(tx)
            if found and found["source"] != self._source.url:
                raise DatabaseUnusable(
                    f"{self._target.url} is being filled from {found['source']}: finish that, or use another database"
                )
            if found and found["state"] == self.state:
                self._progress = found["place"]
                return
            if found is None and any(tables.count(tx, one, None) for one in self.tables if self._is_foreign(one)):
                raise _not_empty(self._target)
            # The source has changed since: start again, because deleted rows may have been copied.
            tables.truncate(tx, self.tables)
            tables.begin(tx, source=self._source.url, state=self.state)

    def _is_foreign(self, table: TableRows) -> bool:
        return table.is_shared and table.name not in SEEDED

    def copy(self) -> None:
        """Copy everything except the tables in `LATE`."""
        batch: list[Part] = []
        for part in self._parts():
            batch.append(part)
            if sum(p.rows for p in batch) >= self._batch_rows or sum(p.size for p in batch) >= BATCH_CHARACTERS:
                self._write(batch)
                batch = []
        if batch:
            self._write(batch)

    def finish(self, held: Transaction) -> dict[str, Checksum]:
        """Compare with the current source while it is locked against writes, copy what is left, and end the copy.

        If the source was written to since its snapshot, the copy is marked as outdated and the next call starts again.
        """
        self._source_tx, self._hint = held, ""
        tables.lock(held, self.tables)
        try:
            if _state(held) != self.state or queue.count_leased(held):
                raise DatabaseUnusable("items were accepted or jobs ran since")
            found = self.compare(LATE)
            with self._target.transaction() as tx:
                found |= self._copy_late(tx)
                self._copy_moved(tx)
                tables.end(tx)
                tx.notify()
        except DatabaseUnusable as error:
            with self._target.transaction() as tx:
                tables.begin(tx, source=self._source.url, state="changed")
            raise DatabaseUnusable(
                f"{self._source.url} was written to during the copy: stop all writers and run this again ({error})"
            ) from error
        return found

    def _copy_late(self, tx: Transaction) -> dict[str, Checksum]:
        """Copy the last tables in the transaction that ends the copy, and set the id counters."""
        found: dict[str, Checksum] = {}
        for table in (self._by_name[name] for name in LATE if name in self._by_name):
            for tenant in self._tenants_of(table):
                self._set_tenant(tenant, self._source_tx, tx)
                for rows in tables.batches(self._source_tx, table, tenant):
                    tables.write(tx, table, rows)
                    self._done += len(rows)
                    self._tell(f"copying {LATE_NAMES[table.name]}", self._done, self._total)
                found[table.name] = self._compared(table, tenant, tx, found.get(table.name, tables.Checksum()))
        for name, highest in tables.counters(self._source_tx).items():
            if name in self._by_name and highest:
                tables.raise_counter(tx, name, highest)
        return found

    def _copy_moved(self, tx: Transaction) -> None:
        """Where tenants have moved, and their tokens, so that the copy answers those who still ask it for them."""
        for tenant in sorted(self._away if not self._target.is_file else ()):
            move = tenant_moves.find(self._source_tx, tenant)
            assert move
            tenant_moves.enter(self._source_tx, tenant, move=move["move"])
            tx.set_tenant(tenant)
            table = self._by_name[tables.TOKENS]
            for rows in tables.batches(self._source_tx, table, tenant):
                tables.write(tx, table, rows)
            kept = {name: move[name] for name in ("move", "other", "server")}
            tenant_moves.save(tx, tenant, state=tenant_moves.GONE, **kept)

    def _tenants_of(self, table: TableRows) -> Sequence[str | None]:
        return [None] if table.is_shared else self._tenants

    def _set_tenant(self, tenant: str | None, *transactions: Transaction) -> None:
        for tx in transactions if tenant is not None else ():
            tx.set_tenant(tenant or "")

    def compare(self, without: Sequence[str]) -> dict[str, Checksum]:
        """Read both databases again. Raises `DatabaseUnusable` if they differ."""
        found: dict[str, Checksum] = {}
        with self._target.snapshot() as tx:
            for table in (one for one in self.tables if one.name not in without):
                total = tables.Checksum()
                for tenant in self._tenants_of(table):
                    total = self._compared(table, tenant, tx, total)
                found[table.name] = total
        return found

    def report(self, found: dict[str, Checksum], *, already: bool) -> CopyReport:
        sums = ((table.name, found[table.name]) for table in self.tables if table.name in found)
        return CopyReport(
            source=self._source.url,
            target=self._target.url,
            tables=tuple(CopiedTable(table=name, rows=one.rows, checksum=f"{one.checksum:016x}") for name, one in sums),
            left=tuple(self._left),
            already=already,
        )

    def _compared(self, table: TableRows, tenant: str | None, target_tx: Transaction, before: Checksum) -> Checksum:
        """Reads both side by side, so that neither transaction is idle for long."""
        self._tell(f"comparing {table.name}", self._total, self._total)
        source_sum = target_sum = before
        self._set_tenant(tenant, self._source_tx, target_tx)
        for ours, others in zip_longest(
            tables.batches(self._source_tx, table, tenant), tables.batches(target_tx, table, tenant)
        ):
            source_sum, target_sum = (
                tables.add_rows(source_sum, ours or [], table),
                tables.add_rows(target_sum, others or [], table),
            )
        if source_sum != target_sum:
            raise DatabaseUnusable(
                f"{table.name} differs: {source_sum.rows:,} rows, checksum {source_sum.checksum:016x} in"
                f" {self._source.url};"
                f" {target_sum.rows:,} rows, checksum {target_sum.checksum:016x} in {self._target.url}:"
                f" it was changed since, or is damaged{self._hint}"
            )
        return source_sum

    def _steps(self) -> Iterator[CopyStep]:
        shared = [name for name, table in self._by_name.items() if table.is_shared]
        queue_tables = [name for name in shared if TABLES[name].owner == OF_QUEUE]
        for name in shared:  # first, because rows of tenants may refer to them
            if name not in queue_tables:
                yield CopyStep(name=name, tenant=None)
        of_tenants = [name for name, table in self._by_name.items() if not table.is_shared]
        for tenant in self._tenants if of_tenants else ():
            for name in [*of_tenants, MEMORIES, DOCUMENTS]:
                yield CopyStep(name=name, tenant=tenant)
        for name in queue_tables:
            yield CopyStep(name=name, tenant=None)

    def _size(self, step: CopyStep) -> int:
        """The number of rows of a step, estimated for the full-text index."""
        if step.tenant is not None:
            self._source_tx.set_tenant(step.tenant)
        name = {MEMORIES: "memory", DOCUMENTS: ""}.get(step.name, step.name)
        return tables.count(self._source_tx, self._by_name[name], step.tenant) if name else 0

    def _parts(self) -> Iterator[Part]:
        """The parts that are still to be copied, except those of `LATE`."""
        begun = json.loads(self._progress) if self._progress else None
        for step in self._steps():
            if step.name in LATE:
                continue
            after: tuple[Any, ...] = ()
            if begun:
                if [step.tenant, step.name] != begun[:2]:
                    self._done += self._sizes[step]
                    continue
                after, begun = tuple(begun[2]), None
            if step.tenant is not None:
                self._source_tx.set_tenant(step.tenant)
            yield from self._parts_of(step, after)

    def _parts_of(self, step: CopyStep, after: tuple[Any, ...]) -> Iterator[Part]:
        if step.name in (MEMORIES, DOCUMENTS):
            yield from self._texts(step, after[0] if after else 0)
            return
        table = self._by_name[step.name]
        for rows in tables.batches(self._source_tx, table, step.tenant, after=after):
            last = tables.key_of(table, rows[-1])
            yield Part(step=step, content=rows, last=last, rows=len(rows), size=tables.size(rows))

    def _texts(self, step: CopyStep, after: int) -> Iterator[Part]:
        for content, last in text_batches(self._source_tx, step.name, after):
            yield Part(step=step, content=content, last=(last,), rows=len(content), size=text_size(content))

    def _write(self, batch: list[Part]) -> None:
        step = batch[-1].step
        place = json.dumps([step.tenant, step.name, batch[-1].last])
        with self._target.transaction() as tx:
            if not tables.advance(tx, before=self._progress, place=place):
                raise DatabaseUnusable(f"{self._target.url}: another process is copying into it; let it finish")
            for part in batch:
                if part.step.tenant is not None:
                    tx.set_tenant(part.step.tenant)
                self._put(tx, part)
                self._done += part.rows
                self._tell("copying", self._done, self._total)
        self._progress = place

    def _put(self, tx: Transaction, part: Part) -> None:
        if part.step.name in self._by_name:
            rows: list[Row] = part.content
            tables.write(tx, self._by_name[part.step.name], rows)
            if part.step.name == VECTORS:
                vectors.index(tx, rows)
            return
        write_texts(tx, part.content)


def text_batches(tx: Transaction, name: str, after: int) -> Iterator[tuple[Texts, int]]:
    """The tenant's texts of `MEMORIES` or `DOCUMENTS` with an id above `after`, each time with the last id."""
    read = memories.indexed_texts if name == MEMORIES else documents.unchunked
    sign = 1 if name == MEMORIES else -1
    while texts := read(tx, after=after, limit=BATCH_TEXTS):
        after = max(texts)
        yield {sign * number: item for number, item in texts.items()}, after


def text_size(texts: Texts) -> int:
    """The number of characters."""
    return sum(len(item.text) for item in texts.values())


def write_texts(tx: Transaction, texts: Texts) -> None:
    for ref, item in texts.items():
        search.index(tx, ref, **accept.index_fields(item))
