"""`jotsam db maintain`: removes what is past its time, and keeps indexes, statistics and files in order.

Each step commits in slices, so workers and readers go on, and a run that is interrupted is continued by the next one.
Only `vacuum` writes a whole file in one transaction. A step is also what a worker does while it is idle, if it does.
"""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms
from jotsam.core.records import Record
from jotsam.memory.forgetting import retention
from jotsam.memory.tenant_visits import tenants_here
from jotsam.queueing.retention import HISTORY_MS
from jotsam.storage import connect, maintenance, queue
from jotsam.storage.status import overview

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database

    Step = Callable[[Database, Settings], str]


class MaintenanceStep(Record):
    """One step of `jotsam db maintain`, with the size of the database after it."""

    name: str
    text: str  # what was done
    took_ms: int
    bytes: int


def maintain(settings: Settings, *, vacuum: bool = False) -> Iterator[MaintenanceStep]:
    """Yield each step when it is done. `vacuum` rewrites a file without its unused pages, while writers wait.

    Raises `InvalidInput` for `vacuum` and a server, and `DatabaseBusy`: another run continues.
    """
    database = connect(settings.db, wait_ms=settings.lock_timeout_ms)
    try:
        if vacuum:
            _refuse_server(database)
        yield _timed(database, "size", lambda: "at the beginning")
        steps = {**COMMON, **(FILE if database.is_file else SERVER), **({"vacuum": _vacuumed} if vacuum else {})}
        for name, step in steps.items():
            yield _timed(database, name, lambda step=step: step(database, settings))  # type: ignore[misc]
    finally:
        database.close()


def _timed(database: Database, name: str, step: Callable[[], str]) -> MaintenanceStep:
    started = monotonic_ms()
    text = step()
    took_ms = monotonic_ms() - started
    with database.snapshot() as tx:
        size = overview.size_in_bytes(tx)
    return MaintenanceStep(name=name, text=text, took_ms=took_ms, bytes=size)


def _expired(database: Database, settings: Settings) -> str:
    """What a worker removes of each tenant when it is idle."""
    with database.snapshot() as tx:
        tenants = tenants_here(tx)
    removed = dict.fromkeys(retention.Expired._fields, 0)
    for tenant in tenants:
        own = settings.replace(tenant=tenant)
        before = retention.expired(database, own).as_dict()
        while any(retention.expired(database, own).as_dict().values()) and retention.remove_some(database, own):
            pass
        after = retention.expired(database, own).as_dict()
        removed = {name: count + max(0, before[name] - after[name]) for name, count in removed.items()}
    counts = ", ".join(f"{count:,} {name}" for name, count in removed.items() if count)
    return f"removed what is past its time: {counts}" if counts else "nothing is past its time"


def _history(database: Database, settings: Settings) -> str:
    """The history of jobs, and the counters of past hours and days."""
    after_job: int | None = 0
    while after_job is not None:
        with database.transaction(durable=False) as tx:
            after_job = queue.prune(tx, before=tx.now - HISTORY_MS, after_job=after_job)
    return "removed the history of jobs older than 30 days, merged the counters of past days"


def _text_index(database: Database, settings: Settings) -> str:
    merges = maintenance.merge_text_index(database)
    return f"merged into one segment, in {merges:,} transaction{'' if merges == 1 else 's'}"


def _log(database: Database, settings: Settings) -> str:
    return "written to the file and truncated" if database.maintain() else "written to the file; a reader still uses it"


def _unused(database: Database, settings: Settings) -> str:
    free = maintenance.free_bytes(database)
    return f"{free:,} bytes of the file; later writes reuse them, and `jotsam db maintain --vacuum` removes them"


def _vacuumed(database: Database, settings: Settings) -> str:
    from jotsam.storage.sqlite.sqlite import SQLiteDatabase

    assert isinstance(database, SQLiteDatabase)
    database.vacuum()
    database.maintain()
    return "rewritten without unused pages"


def _statistics(database: Database, settings: Settings) -> str:
    analyzed = len([*maintenance.analyze(database)])
    return f"taken of {analyzed:,} tables" if analyzed else "not taken: this role owns no table, so autovacuum does"


def _pending_lists(database: Database, settings: Settings) -> str:
    return f"{maintenance.clean_pending_lists(database):,} pages of GIN indexes"


def _refuse_server(database: Database) -> None:
    from jotsam.core.errors import InvalidInput

    if not database.is_file:
        raise InvalidInput(f"{database.url} is a server, which vacuums by itself: only a file can be vacuumed here")


COMMON: dict[str, Step] = {"retention": _expired, "history": _history}
FILE: dict[str, Step] = {"text index": _text_index, "log": _log, "unused": _unused}
SERVER: dict[str, Step] = {"pending lists": _pending_lists, "statistics": _statistics}
