"""Moves one tenant from a server to another, while the other tenants of both go on working.

The tenant's changes are refused from the first step on, and its jobs wait. Its rows are copied in batches; each commit
also stores the progress, so that an interrupted move continues. When both databases were compared, the tenant is live
on the target, and its rows are removed at the source. The source keeps the tenant's tokens and the address of the
target, to answer those who still ask it; with `server`, the address of an HTTP API, its clients go on there. This
module must not lock tables of the source.
"""

from __future__ import annotations

import json
import re
from contextlib import ExitStack, contextmanager
from itertools import zip_longest

from jotsam.admin import copy_database
from jotsam.admin.copy_database import DOCUMENTS, MEMORIES, REFERENCES, VECTORS
from jotsam.core.clock import new_id
from jotsam.core.dsn import check_http_url
from jotsam.core.errors import DatabaseBusy, DatabaseUnusable, InvalidInput, NotFound, ProviderUnavailable
from jotsam.core.names import EVERY_QUEUE
from jotsam.core.records import Record
from jotsam.core.validate import shown
from jotsam.memory.engines import engines
from jotsam.storage import connect, queue
from jotsam.storage.recall import search, vectors
from jotsam.storage.transfer import table_copy as tables
from jotsam.storage.transfer import tenant_moves
from jotsam.storage.transfer.tenant_moves import ARRIVED, ARRIVING, GONE, LEAVING
from jotsam.worker import mirror

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from jotsam.admin.copy_database import Texts
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Row, Transaction
    from jotsam.storage.transfer.table_copy import Checksum, TableRows

    Tell = Callable[[str, int, int], None]  # progress callback: what, rows done, rows in total

SLICE_ROWS = 1_000  # removed, or held, in one transaction
LOCK_ATTEMPTS = 20

# History that either database removes when it is old enough, also during the move: it is copied and not compared.
EXPIRING = ("queue_attempt", "queue_key", "queue_result")

# Copied by the commit that makes the tenant live: nothing else keeps the sums of the target from falling when a move is
# undone.
LATE_COUNTS = ("queue_count",)

# Columns that have another value on the target, besides the ids of jobs and of embedders.
NOT_COMPARED = {"embedding": ("version",)}

# Ids of jobs in kept replies: in the address of the job, and in the JSON.
_JOB_ID = re.compile(r'(/jobs/|"job_id": ?)([1-9]\d*)')


class MovedTable(Record):
    """The rows of the tenant in a table. The checksum is over all of them; empty if they were only counted."""

    table: str
    rows: int
    checksum: str = ""


class TenantMoveReport(Record):
    """The result of a move, of its dry run, or of undoing it."""

    tenant: str
    source: str
    target: str
    state: str  # 'planned', 'moved', 'undone', or 'already': it was moved before
    tables: tuple[MovedTable, ...]


def move_tenant(
    settings: Settings, tenant: str, to: str, *, server: str | None = None, undo: bool = False, tell: Tell | None = None
) -> TenantMoveReport:
    """Move a tenant from the server of the settings to the server `to`. After an interruption the same call continues.

    `server` is the address of an HTTP API of the target, to which clients of the source are sent when the tenant has
    moved; a later call changes it. With `undo` an interrupted move is undone instead. Raises `InvalidInput` for a file,
    `NotFound` if there is no such tenant, and `DatabaseUnusable` if the target has such a tenant, it moves elsewhere,
    or it is too late to undo.
    """
    with ExitStack() as stack:
        source = _opened(stack, settings, settings.db)
        target = _opened(stack, settings, to)
        if source.url == target.url:
            raise InvalidInput(f"{target.url} is the database of the tenant: choose another target")
        address = None if server is None else check_http_url("server", server)
        move = _Move(settings, source, target, tenant, tell or _no_progress, server=address)
        return move.undo() if undo else move.run()


def plan_move(settings: Settings, tenant: str, to: str) -> TenantMoveReport:
    """What `move_tenant` would move. Changes nothing."""
    with ExitStack() as stack:
        source = _opened(stack, settings, settings.db)
        target = _opened(stack, settings, to, migrate=False)
        with source.snapshot(tenant=tenant) as tx, target.snapshot() as there:
            of_tenant = tables.tables_of_tenant(tx, there, EVERY_QUEUE)
            found = [MovedTable(table=one.name, rows=tables.count(tx, one, tenant)) for one in of_tenant]
        if not any(one.rows for one in found):
            raise _unknown(source, tenant)
    return TenantMoveReport(tenant=tenant, source=source.url, target=target.url, state="planned", tables=tuple(found))


def _opened(stack: ExitStack, settings: Settings, url: str, *, migrate: bool = True) -> Database:
    if "://" not in url:
        raise InvalidInput(
            f"{url} is a file: only a server has tenants that move; copy a file with `jotsam db migrate --to`"
        )
    database = connect(url, wait_ms=settings.lock_timeout_ms, migrate=migrate)
    stack.callback(database.close)
    return database


def _no_progress(what: str, done: int, total: int) -> None:
    """The default progress callback."""


def _unknown(source: Database, tenant: str) -> NotFound:
    return NotFound(f"{source.url} has nothing of a tenant {shown(tenant)}")


class _Move:
    """One move in progress."""

    def __init__(
        self, settings: Settings, source: Database, target: Database, tenant: str, tell: Tell, *, server: str | None
    ) -> None:
        self._settings = settings
        self._source, self._target = source, target
        self._tenant = tenant
        self._tell = tell
        self._server = server
        self._embedders: dict[int | None, Row] = {}  # by the id at the source: the id and a new version on the target
        with source.snapshot() as tx, target.snapshot() as there:
            self._tables = tables.tables_of_tenant(tx, there, EVERY_QUEUE)
            self._local = tables.local_tables(tx)
            self._here = tenant_moves.find(tx, tenant)
            self._there = tenant_moves.find(there, tenant)
        self._by_name = {table.name: table for table in self._tables}
        self._move = self._here["move"] if self._here else new_id()
        self._first_job = 0
        self._place: str | None = None
        self._done = self._total = 0

    def run(self) -> TenantMoveReport:
        self._check()
        if self._here and self._here["state"] == GONE:
            self._set_gone()
            self._clean_up()
            return self._report("already", {})
        found: dict[str, Checksum] = {}
        if not self._is_there(ARRIVED):
            self._hold()
            self._begin()
            self._copy()
            found = self._compare()
            self._arrive()
        self._set_gone()
        self._clean_up()
        return self._report("moved", found)

    def undo(self) -> TenantMoveReport:
        """Give the tenant back to the source, unless it is live on the target."""
        self._check()
        if not self._here:
            raise NotFound(f"{self._source.url}: no move of the tenant {shown(self._tenant)} was begun")
        if self._here["state"] == GONE or self._is_there(ARRIVED):
            raise DatabaseUnusable(
                f"the tenant {shown(self._tenant)} is live on {self._target.url}: run the same command without --undo"
                " to finish the move, or move the tenant back from there"
            )
        if self._there:
            with self._target.transaction() as tx:
                tenant_moves.reset(tx, self._tenant, move=self._move)
            self._remove(self._target)
            with self._target.transaction() as tx:
                tenant_moves.remove(tx, self._tenant, move=self._move)
        self._free_jobs(self._source)
        with self._entered(self._source) as tx:
            mirror.fill(tx)  # A worker that lost its lease may have deleted from an engine what it had just written.
            tenant_moves.remove(tx, self._tenant, move=self._move)
        return self._report("undone", {})

    def _set_gone(self) -> None:
        with self._source.transaction() as tx:
            tenant_moves.set_state(tx, self._tenant, move=self._move, state=GONE, server=self._server)

    def _check(self) -> None:
        here, there = self._here, self._there
        if here and here["state"] in (ARRIVING, ARRIVED):
            raise DatabaseUnusable(
                f"{self._source.url}: the tenant {shown(self._tenant)} is being moved here from {here['other']}: finish"
                " that first"
            )
        if here and here["other"] != self._target.url:
            done = "has moved" if here["state"] == GONE else "is being moved"
            raise DatabaseUnusable(
                f"{self._source.url}: the tenant {shown(self._tenant)} {done} to {here['other']}: name that address"
            )
        if there and there["move"] != self._move and there["state"] != GONE:
            raise DatabaseUnusable(
                f"{self._target.url}: another move of the tenant {shown(self._tenant)}, with {there['other']}, is not"
                " finished"
            )

    def _is_there(self, state: str) -> bool:
        there = self._there
        return there is not None and there["move"] == self._move and there["state"] == state

    def _hold(self) -> None:
        """Refuse changes of the tenant from here on, and keep its jobs from being claimed."""
        if self._here is None:
            self._refuse_unknown()
            with self._target.transaction() as tx:
                self._refuse_occupied(tx)
            self._patiently(self._leave)
        while self._held():
            self._tell("holding the jobs", 0, 0)

    def _leave(self) -> None:
        with self._source.transaction() as tx:
            tenant_moves.lock(tx, self._tenant)
            if tenant_moves.find(tx, self._tenant):
                raise DatabaseUnusable(f"{self._source.url}: another process moves the tenant {shown(self._tenant)}")
            tenant_moves.save(tx, self._tenant, move=self._move, state=LEAVING, other=self._target.url)
        self._tell("held", 0, 0)

    def _refuse_unknown(self) -> None:
        with self._source.snapshot(tenant=self._tenant) as tx:
            if not any(tables.count(tx, table, self._tenant) for table in self._tables):
                raise _unknown(self._source, self._tenant)

    def _held(self) -> int:
        with self._entered(self._source) as tx:
            return tenant_moves.hold_jobs(tx, self._tenant, queues=EVERY_QUEUE, limit=SLICE_ROWS)

    def _begin(self) -> None:
        """Mark the tenant as arriving, with ids for its jobs that no other has; or continue."""
        if self._is_there(ARRIVING):
            assert self._there
            self._first_job, self._place = self._there["first_job"], self._there["place"]
        else:
            self._patiently(self._reserve)
        if self._place is None:
            self._remove(self._target)
        with self._source.snapshot(tenant=self._tenant) as tx:
            used = tenant_moves.embedders(tx)
        for row in used:
            number = row.pop("id")
            with self._target.transaction() as tx:
                maker = vectors.begin_batch(tx, **row)
            self._embedders[number] = {"embedder_id": maker.id, "version": maker.version}

    def _reserve(self) -> None:
        with self._source.snapshot() as tx:
            highest = tables.counters(tx)
        with self._target.transaction() as tx:
            self._refuse_occupied(tx)
            counted = [table for table in self._tables if table.name in highest]
            tables.lock(tx, counted)  # Otherwise a counter could be set back below an id that was given meanwhile.
            before = tables.counters(tx)
            self._first_job = before.get(tables.JOBS, 0)
            highest[tables.JOBS] += self._first_job
            for table in counted:
                tables.raise_counter(tx, table.name, highest[table.name])
            tenant_moves.save(
                tx,
                self._tenant,
                move=self._move,
                state=ARRIVING,
                other=self._source.url,
                first_job=self._first_job,
            )
        self._tell("expected", 0, 0)

    def _refuse_occupied(self, tx: Transaction) -> None:
        """A target that had the tenant before may still have its tokens."""
        tenant_moves.enter(tx, self._tenant, move=self._there["move"] if self._there else self._move)
        for table in self._tables:
            if table.name != tables.TOKENS and tables.count(tx, table, self._tenant):
                raise DatabaseUnusable(
                    f"{self._target.url} has a tenant {shown(self._tenant)} already, with rows in {table.name}"
                )

    def _copy(self) -> None:
        steps = [*self._steps()]
        with self._source.snapshot(tenant=self._tenant) as tx:
            self._total = sum(tables.count(tx, table, self._tenant) for table in self._tables)
        begun = json.loads(self._place) if self._place else None
        for name in steps:
            after: tuple[Any, ...] = ()
            if begun:
                if name != begun[0]:
                    continue
                after, begun = tuple(begun[1]), None
            with self._source.snapshot(tenant=self._tenant) as tx:
                for content, last in self._parts(tx, name, after):
                    self._write(name, content, last)

    def _steps(self) -> Iterator[str]:
        """Names of tables, second passes, and parts of the full-text index."""
        for table in self._tables:
            if table.name == tables.HELD_JOBS:
                yield from (MEMORIES, DOCUMENTS)
            if table.name not in LATE_COUNTS:
                yield table.name
                if table.own:
                    yield f"{REFERENCES}{table.name}"

    def _parts(self, tx: Transaction, name: str, after: tuple[Any, ...]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
        if name in (MEMORIES, DOCUMENTS):
            for texts, last in copy_database.text_batches(tx, name, after[0] if after else 0):
                yield texts, (last,)
            return
        table = self._table(name)
        for rows in tables.batches(tx, table, self._tenant, after=after):
            yield rows, tables.key_of(table, rows[-1])

    def _table(self, name: str) -> TableRows:
        if not name.startswith(REFERENCES):
            return self._by_name[name]
        references = tables.self_references(self._by_name[name.removeprefix(REFERENCES)])
        assert references
        return references

    def _write(self, name: str, content: Any, last: tuple[Any, ...]) -> None:
        place = json.dumps([name, last])
        with self._entered(self._target) as tx:
            if not tenant_moves.advance(tx, self._tenant, move=self._move, before=self._place, place=place):
                raise DatabaseUnusable(f"{self._target.url}: another process moves the tenant; let it finish")
            if name in (MEMORIES, DOCUMENTS):
                texts: Texts = content
                copy_database.write_texts(tx, texts)
            else:
                rows = self._mapped(name, content)
                tables.write(tx, self._table(name), rows)
                if name == VECTORS:
                    vectors.index(tx, rows)
        self._place = place
        self._done += len(content)
        self._tell(f"copying {name}", self._done, self._total)

    def _mapped(self, name: str, rows: Sequence[Row]) -> list[Row]:
        """The rows as they are on the target."""
        mapped = [self._with_job(name, row) for row in rows]
        for row in mapped if name == VECTORS else ():
            row |= self._embedders.get(row["embedder_id"], {})
        return mapped

    def _with_job(self, name: str, row: Row) -> Row:
        column = "id" if name == tables.JOBS else "job_id"
        if name == "kept_reply":
            return {**row, **{one: self._renumbered(row[one]) for one in ("location", "body")}}
        return {**row, column: row[column] + self._first_job} if row.get(column) else dict(row)

    def _renumbered(self, text: str | None) -> str | None:
        return text and _JOB_ID.sub(lambda found: f"{found[1]}{int(found[2]) + self._first_job}", text)

    def _compare(self) -> dict[str, Checksum]:
        """Read both databases again. Raises `DatabaseUnusable` if they differ; the next call then copies again."""
        found = {}
        for table in self._tables:
            if table.name in (*LATE_COUNTS, *EXPIRING):
                continue
            self._tell(f"comparing {table.name}", self._total, self._total)
            source, target = self._checksums(table)
            if source != target:
                with self._target.transaction() as tx:
                    tenant_moves.reset(tx, self._tenant, move=self._move)
                raise DatabaseUnusable(
                    f"{table.name} differs: {source.rows:,} rows, checksum {source.checksum:016x} in"
                    f" {self._source.url}; {target.rows:,} rows, checksum {target.checksum:016x} in {self._target.url}:"
                    " run the same command again to copy the tenant again, or with --undo"
                )
            found[table.name] = target
        return found

    def _checksums(self, table: TableRows) -> tuple[Checksum, Checksum]:
        skipped = NOT_COMPARED.get(table.name, ())
        compared = table.replace(columns=tuple(one for one in table.columns if one not in skipped))
        here = there = tables.Checksum()
        with self._source.snapshot(tenant=self._tenant) as source, self._entered(self._target) as target:
            for ours, others in zip_longest(
                tables.batches(source, compared, self._tenant), tables.batches(target, compared, self._tenant)
            ):
                here = tables.add_rows(here, self._mapped(table.name, ours or []), compared)
                there = tables.add_rows(there, others or [], compared)
        return here, there

    def _arrive(self) -> None:
        """Make the tenant live on the target, whose engines are then told all of it."""
        self._remove_rows(self._target, self._local)
        with self._source.snapshot(tenant=self._tenant) as source, self._entered(self._target) as tx:
            for name in LATE_COUNTS:
                table = self._by_name[name]
                tables.remove(tx, table, self._tenant, limit=SLICE_ROWS * SLICE_ROWS)
                for rows in tables.batches(source, table, self._tenant):
                    tables.write(tx, table, rows)
            tenant_moves.set_state(tx, self._tenant, move=self._move, state=ARRIVED)
        self._tell("arrived", self._total, self._total)

    def _clean_up(self) -> None:
        """Let the jobs run on the target, and remove everything but the tokens at the source."""
        with self._target.snapshot() as tx:
            there = tenant_moves.find(tx, self._tenant)
        if there and there["move"] == self._move:
            self._free_jobs(self._target)
            with self._entered(self._target) as tx:
                mirror.fill(tx)
            self._target.notify()
        self._remove(self._source)
        with self._source.transaction() as tx:
            for name in EVERY_QUEUE:
                queue.forget_tenant(tx, name, tenant=self._tenant)
        self._tell("forgetting in engines", self._total, self._total)
        try:
            engines.forget_moved(self._source, self._settings, self._tenant)
        except ProviderUnavailable as error:
            raise ProviderUnavailable(
                f"the tenant {shown(self._tenant)} is live on {self._target.url}, but an engine of {self._source.url}"
                f" may still hold its memories: run the same command again when the engine replies ({error})"
            ) from error
        with self._target.transaction() as tx:
            tenant_moves.remove(tx, self._tenant, move=self._move)

    def _free_jobs(self, database: Database) -> None:
        while True:
            with self._entered(database) as tx:
                if not tenant_moves.free_jobs(tx, self._tenant, limit=SLICE_ROWS):
                    return
            self._tell("freeing the jobs", self._total, self._total)

    def _remove(self, database: Database) -> None:
        """Remove the tenant's rows in slices. The counters of the queue stay, and at the source its tokens."""
        for sign in (1, -1):
            after: int | None = 0
            while after is not None:
                with self._entered(database) as tx:
                    after = tenant_moves.remove_texts(tx, self._tenant, sign=sign, after=after, limit=SLICE_ROWS)
                self._tell("removing texts", self._total, self._total)
        with self._entered(database) as tx:
            search.forget_tenant(tx)
        mine = [table for table in reversed(self._tables) if not table.is_shared]
        if database is self._source:
            mine = [table for table in mine if table.name != tables.TOKENS]
        of_queue = [self._by_name[name] for name in tables.QUEUE_ROWS if name not in LATE_COUNTS]
        self._remove_rows(database, [*mine, *of_queue, *self._local])  # Removing memories is logged for engines.

    def _remove_rows(self, database: Database, some: Sequence[TableRows]) -> None:
        for table in some:
            gone = SLICE_ROWS
            while gone == SLICE_ROWS:
                with self._entered(database) as tx:
                    gone = tables.remove(tx, table, self._tenant, limit=SLICE_ROWS)
                self._tell(f"removing {table.name}", self._total, self._total)

    @contextmanager
    def _entered(self, database: Database) -> Iterator[Transaction]:
        """A transaction of the tenant that is not refused."""
        with database.transaction() as tx:
            tenant_moves.enter(tx, self._tenant, move=self._move)
            yield tx

    def _patiently(self, write: Callable[[], None]) -> None:
        """Try again while transactions of others hold a lock."""
        for left in reversed(range(LOCK_ATTEMPTS)):
            try:
                write()
                return
            except DatabaseBusy:
                if not left:
                    raise
                self._tell("waiting for running transactions", 0, 0)

    def _report(self, state: str, found: dict[str, Checksum]) -> TenantMoveReport:
        moved = (MovedTable(table=name, rows=one.rows, checksum=f"{one.checksum:016x}") for name, one in found.items())
        return TenantMoveReport(
            tenant=self._tenant, source=self._source.url, target=self._target.url, state=state, tables=tuple(moved)
        )
