"""Moving everything from one database into another: of all tenants, with numbers, times and counters as they are.

The source is read in one snapshot and never written to. The target is filled in batches, each of which says in the
same commit how far the move has come, so whoever is interrupted goes on where it was. Until the last commit, which
brings the jobs, the target can be opened by nobody else. Before that commit both are read again and compared.

It stands on the door floor. What a table is, `storage.tables` knows; whoever calls shows how far it has come.
"""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from itertools import zip_longest

from jotsam.core.errors import DatabaseUnusable, InvalidInput
from jotsam.core.records import Record
from jotsam.ingest import accept, spool
from jotsam.memory import status
from jotsam.pipeline.text.words import index_terms
from jotsam.storage import MEMORY, QUEUE, connect, documents, memories, outstanding, queue, search, vectors
from jotsam.storage import table_copy as tables
from jotsam.storage.migrations import COPYING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from jotsam.core.records import Document, Memory
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.table_copy import Checksum, Table

    Tell = Callable[[str, int, int], None]

BATCH_ROWS, BATCH_CHARACTERS = 2_000, 8_000_000
TEXTS = 50
SEEDED = ("queue_clock",)
"""Tables in which a new database has a row already; that of the source takes its place."""

MEMORIES, DOCUMENTS = "words of memories", "words of documents"
REFERENCES = "references of "
"""Before the name of a table: what its rows say of each other, which is written when all of them are there."""

VECTORS = "embedding"
"""Steps that make the index of words anew."""


class Moved(Record):
    """A table that is the same in both databases now; the checksum is over all of its rows."""

    table: str
    rows: int
    checksum: str


class Report(Record):
    """What was moved. `left` names tables of the source that are none of ours, and stayed behind."""

    source: str
    target: str
    tables: tuple[Moved, ...]
    left: tuple[str, ...]
    already: bool  # it had been moved before, and nothing was done but comparing


class Step(Record):
    """A table, or a part of the index, of one tenant; or a table that belongs to none."""

    name: str
    tenant: str | None


class Piece(Record):
    """Some rows of a step, or some texts for the index, and the key of the last."""

    step: Step
    content: Any
    last: tuple[Any, ...]
    rows: int
    size: int


def move(settings: Settings, to: str, *, tell: Tell | None = None, batch_rows: int = BATCH_ROWS) -> Report:
    """Fill the empty database `to` with everything that the one of the settings holds, and compare the two.

    `tell` is called with what is being done, how many rows are done and how many there are. After an interruption the
    same call goes on. Raises `DatabaseUnusable` if the source is in use or older than this program, or the target
    holds something else; `InvalidInput` if both are the same; and what the databases raise.
    """
    to = to if "://" in to else os.path.abspath(os.path.expanduser(to))
    with ExitStack() as stack:
        schemas = _held(settings.db)
        source = connect(settings.db, schemas=schemas, wait_ms=settings.lock_timeout_ms, migrate=False)
        stack.callback(source.close)
        _refuse_the_same(source, to)
        snapshot = stack.enter_context(ExitStack())
        mine = snapshot.enter_context(source.snapshot())
        _refuse_one_in_use(source, mine, has_worker=source.is_file and schemas == MEMORY)
        target, already = _opened(to, schemas, settings, mine)
        stack.callback(target.close)
        work = _Move(source, mine, target, tell or _silent, batch_rows)
        if already:
            return work.report(work.compare(), already=True)
        work.begin()
        work.copy()
        snapshot.close()
        with source.transaction() as held:
            found = work.finish(held)
        return work.report(found, already=False)


def _held(url: str) -> tuple[str, ...]:
    """The schemas that a source holds: one that is a queue and nothing else has no memory, and shall get none."""
    wanting = {migration.schema for migration in outstanding(url) if migration.version == 1}
    return QUEUE if wanting == {"memory"} else MEMORY


def _silent(what: str, done: int, total: int) -> None:
    """Nobody wants to know."""


def _refuse_the_same(source: Database, to: str) -> None:
    if source.url == to or (source.is_file and os.path.realpath(source.url) == os.path.realpath(to)):
        raise InvalidInput(f"{to} is the database that is to be moved: give another one")


def _refuse_one_in_use(source: Database, tx: Transaction, *, has_worker: bool) -> None:
    """What a worker does during a move would be in one database and not in the other, or be done in both."""
    state, pid = status.worker(tx) if has_worker else ("none", None)
    held = queue.count_leased(tx)
    waiting = spool.waiting(source.url)
    if state != "none":
        raise DatabaseUnusable(f"{source.url}: a worker is at work{f', pid {pid}' if pid else ''}: stop it, then move")
    if held:
        raise DatabaseUnusable(f"{source.url}: {held:,} jobs are in the hands of workers: stop those, then move")
    if waiting:
        raise DatabaseUnusable(
            f"{source.url}: {len(waiting):,} turns that hooks set aside are not taken in: run `jotsam work`, then move"
        )


def _state(tx: Transaction) -> str:
    """What changes whenever something is accepted or worked on; what is decided meanwhile, the comparison finds."""
    return json.dumps([tables.counters(tx), queue.totals(tx)], sort_keys=True)


def _opened(to: str, schemas: tuple[str, ...], settings: Settings, mine: Transaction) -> tuple[Database, bool]:
    """The target, ready to be filled; or one that holds all of the source already, and True."""
    filling = (*schemas, COPYING)
    if all(migration.schema != COPYING for migration in outstanding(to, schemas=filling)):
        return connect(to, schemas=filling, wait_ms=settings.lock_timeout_ms), False
    target = connect(to, schemas=schemas, wait_ms=settings.lock_timeout_ms)
    try:
        with target.snapshot() as tx:
            both, _ = tables.shared_tables(mine, tx)
            tenants = sorted({*tables.tenants(mine), *tables.tenants(tx)})
            is_empty = not any(_count(tx, table, tenants) for table in both if table.name not in SEEDED)
            if not is_empty and any(_count(tx, one, tenants) != _count(mine, one, tenants) for one in both):
                raise _other(target)
    except BaseException:
        target.close()
        raise
    if not is_empty:
        return target, True
    target.close()
    return connect(to, schemas=filling, wait_ms=settings.lock_timeout_ms), False


def _other(target: Database) -> DatabaseUnusable:
    return DatabaseUnusable(
        f"{target.url} holds something else already: give an empty database, or a new schema or file"
    )


def _count(tx: Transaction, table: Table, tenants: list[str]) -> int:
    total = 0
    for tenant in [None] if table.is_shared else tenants:
        if tenant is not None:
            tx.set_tenant(tenant)
        total += tables.count(tx, table, tenant)
    return total


class _Move:
    """One move under way: the snapshot of the source, the target, and how far it has come."""

    def __init__(self, source: Database, mine: Transaction, target: Database, tell: Tell, batch_rows: int) -> None:
        self._source = source
        self._mine = mine
        self._target = target
        self._tell = tell
        self._batch_rows = batch_rows
        with target.snapshot() as tx:
            self.tables, self._left = tables.shared_tables(mine, tx)
            theirs = tables.tenants(tx)
        self._by_name = {table.name: table for table in self.tables}
        self._by_name |= {f"{REFERENCES}{one.name}": own for one in self.tables if (own := tables.self_references(one))}
        self._tenants = sorted({*tables.tenants(mine), *theirs})
        self.state = _state(mine)
        self._place: str | None = None
        self._way_out = "; move into another database"
        self._done = 0
        steps = list(self._steps())
        self._sizes = {step: self._size(step) for step in steps}
        self._total = sum(self._sizes.values())

    def begin(self) -> None:
        """Take possession of an empty target, or find how far an earlier move has come."""
        with self._target.transaction() as tx:
            tx.lock("move")
            found = tables.progress(tx)
            if found and found["source"] != self._source.url:
                raise DatabaseUnusable(
                    f"{self._target.url} is being filled from {found['source']}: finish that, or give another database"
                )
            if found and found["state"] == self.state:
                self._place = found["place"]
                return
            if found is None and any(tables.count(tx, one, None) for one in self.tables if self._is_foreign(one)):
                raise _other(self._target)
            # A source that has changed since is moved from the start: what came of it before may have gone there.
            tables.truncate(tx, self.tables)
            tables.begin(tx, source=self._source.url, state=self.state)

    def _is_foreign(self, table: Table) -> bool:
        return table.is_shared and table.name not in SEEDED

    def copy(self) -> None:
        """Everything but the jobs."""
        batch: list[Piece] = []
        for piece in self._pieces():
            batch.append(piece)
            if sum(p.rows for p in batch) >= self._batch_rows or sum(p.size for p in batch) >= BATCH_CHARACTERS:
                self._write(batch)
                batch = []
        if batch:
            self._write(batch)

    def finish(self, held: Transaction) -> dict[str, Checksum]:
        """Compare with the source as it is now, while nobody may write to it, bring the jobs, and end the move.

        Whatever was accepted, worked on or decided since it was read undoes the move, and the next begins anew.
        """
        self._mine, self._way_out = held, ""
        tables.lock(held, self.tables)
        try:
            if _state(held) != self.state or queue.count_leased(held):
                raise DatabaseUnusable("what was accepted or worked on is in one of them alone")
            found = self.compare(self.tables[:-1])
            with self._target.transaction() as tx:
                found[tables.JOBS] = self._bring_jobs(tx)
                tables.end(tx)
                tx.notify()
        except DatabaseUnusable as error:
            with self._target.transaction() as tx:
                tables.begin(tx, source=self._source.url, state="changed")
            raise DatabaseUnusable(
                f"{self._source.url} was written to while it was moved: stop whoever does that, and run this again"
                f" ({error})"
            ) from error
        return found

    def _bring_jobs(self, tx: Transaction) -> Checksum:
        """Fill the last table, in the transaction that ends the move, and see that no id is ever given again."""
        jobs = self._by_name[tables.JOBS]
        for rows in tables.batches(self._mine, jobs, None):
            tables.write(tx, jobs, rows)
            self._done += len(rows)
            self._tell("moving the jobs", self._done, self._total)
        for name, highest in tables.counters(self._mine).items():
            if name in self._by_name and highest:
                tables.raise_counter(tx, name, highest)
        return self._compared(jobs, None, tx, tables.Checksum())

    def compare(self, which: list[Table] | None = None) -> dict[str, Checksum]:
        """Read both databases again. Raises `DatabaseUnusable` if they differ."""
        found: dict[str, Checksum] = {}
        with self._target.snapshot() as tx:
            for table in self.tables if which is None else which:
                total = tables.Checksum()
                for tenant in [None] if table.is_shared else self._tenants:
                    total = self._compared(table, tenant, tx, total)
                found[table.name] = total
        return found

    def report(self, found: dict[str, Checksum], *, already: bool) -> Report:
        sums = ((table.name, found[table.name]) for table in self.tables)
        return Report(
            source=self._source.url,
            target=self._target.url,
            tables=tuple(Moved(table=name, rows=one.rows, checksum=f"{one.checksum:016x}") for name, one in sums),
            left=tuple(self._left),
            already=already,
        )

    def _compared(self, table: Table, tenant: str | None, theirs: Transaction, before: Checksum) -> Checksum:
        """Side by side, so that neither stands still for long while it waits for the other."""
        self._tell(f"comparing {table.name}", self._total, self._total)
        mine = other = before
        for transaction in (self._mine, theirs) if tenant is not None else ():
            transaction.set_tenant(tenant or "")
        for ours, others in zip_longest(
            tables.batches(self._mine, table, tenant), tables.batches(theirs, table, tenant)
        ):
            mine, other = tables.add_rows(mine, ours or [], table), tables.add_rows(other, others or [], table)
        if mine != other:
            raise DatabaseUnusable(
                f"{table.name} differs: {mine.rows:,} rows, checksum {mine.checksum:016x} in {self._source.url};"
                f" {other.rows:,} rows, checksum {other.checksum:016x} in {self._target.url}:"
                f" it was changed since, or damaged{self._way_out}"
            )
        return mine

    def _steps(self) -> Iterator[Step]:
        for name in tables.SHARED:  # First, for a tenant's rows may refer to them.
            if name in self._by_name:
                yield Step(name=name, tenant=None)
        walled = [name for name, table in self._by_name.items() if not table.is_shared]
        for tenant in self._tenants if walled else ():
            for name in [*walled, MEMORIES, DOCUMENTS]:
                yield Step(name=name, tenant=tenant)
        for name, table in self._by_name.items():
            if table.is_shared and name not in tables.SHARED:
                yield Step(name=name, tenant=None)

    def _size(self, step: Step) -> int:
        """How many rows are in a step; of the index, about as many as there are of what it is made from."""
        if step.tenant is not None:
            self._mine.set_tenant(step.tenant)
        name = {MEMORIES: "memory", DOCUMENTS: ""}.get(step.name, step.name)
        return tables.count(self._mine, self._by_name[name], step.tenant) if name else 0

    def _pieces(self) -> Iterator[Piece]:
        """What is still to be moved, but for the jobs."""
        begun = json.loads(self._place) if self._place else None
        for step in self._steps():
            if step.name == tables.JOBS:
                continue
            after: tuple[Any, ...] = ()
            if begun:
                if [step.tenant, step.name] != begun[:2]:
                    self._done += self._sizes[step]
                    continue
                after, begun = tuple(begun[2]), None
            if step.tenant is not None:
                self._mine.set_tenant(step.tenant)
            yield from self._pieces_of(step, after)

    def _pieces_of(self, step: Step, after: tuple[Any, ...]) -> Iterator[Piece]:
        if step.name in (MEMORIES, DOCUMENTS):
            yield from self._texts(step, after[0] if after else 0)
            return
        table = self._by_name[step.name]
        for rows in tables.batches(self._mine, table, step.tenant, after=after):
            last = tables.key_of(table, rows[-1])
            yield Piece(step=step, content=rows, last=last, rows=len(rows), size=tables.size(rows))

    def _texts(self, step: Step, after: int) -> Iterator[Piece]:
        read = memories.texts if step.name == MEMORIES else documents.uncut
        sign = 1 if step.name == MEMORIES else -1
        while texts := read(self._mine, after=after, limit=TEXTS):
            after = max(texts)
            content = {sign * number: item for number, item in texts.items()}
            yield Piece(
                step=step,
                content=content,
                last=(after,),
                rows=len(texts),
                size=sum(len(item.text) for item in texts.values()),
            )

    def _write(self, batch: list[Piece]) -> None:
        step = batch[-1].step
        place = json.dumps([step.tenant, step.name, batch[-1].last])
        with self._target.transaction() as tx:
            if not tables.advance(tx, before=self._place, place=place):
                raise DatabaseUnusable(f"{self._target.url}: somebody else is moving into it: let them finish")
            for piece in batch:
                if piece.step.tenant is not None:
                    tx.set_tenant(piece.step.tenant)
                self._put(tx, piece)
                self._done += piece.rows
                self._tell("moving", self._done, self._total)
        self._place = place

    def _put(self, tx: Transaction, piece: Piece) -> None:
        if piece.step.name in self._by_name:
            rows: list[Row] = piece.content
            tables.write(tx, self._by_name[piece.step.name], rows)
            if piece.step.name == VECTORS:
                vectors.index(tx, rows)
            return
        texts: dict[int, Memory | Document] = piece.content
        for ref, item in texts.items():
            words, grams = index_terms(item.text)
            search.index(tx, ref, body=words, context=accept.index_context(item), grams=grams)
