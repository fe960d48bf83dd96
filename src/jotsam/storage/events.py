"""The history of events: what was stored, enriched and recalled, for programs that follow it.

An event is written in the transaction of the change, and only while a server renews the recording: without one, a
process reads the end of the recording about once a second and writes nothing. Events hold ids and numbers, no texts.

A position in the history is (run, xact, id); nothing is known of what happened between two runs of the recording. On a
server, a reader sees the events of finished transactions only, up to the oldest transaction that still runs, so no
event ever appears before one that was already read.
"""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms
from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.storage.database import Row, Transaction

    Detail = str | int | float | bool | None
    Position = tuple[int, int, int]

STORE = "memory.store"
RECALL = "memory.recall"
START = "enrichment.start"
COMPLETE = "enrichment.complete"
FAILED = "enrichment.failed"
CONSOLIDATION = "consolidation.run"

HISTORY_MS = 3_600_000
MAX_EVENTS = 100_000  # of a tenant
PRUNED = 5_000  # events that are deleted in one transaction
NO_END = (1 << 63) - 1
REREAD_MS = 1_000  # how long a process relies on what it read about the recording

_known: dict[str, tuple[int, bool]] = {}  # by database: until when this is known, and whether events are recorded


class History(Record):
    """Events after a position, the position that follows them, and whether some between them are missing."""

    rows: list[Row]
    run: int
    next: tuple[int, int, int]
    end: tuple[int, int, int]
    gap: bool


def is_recording(tx: Transaction) -> bool:
    """Whether events are recorded, as of the last second."""
    known = _known.get(tx.url)
    if known and monotonic_ms() < known[0]:
        return known[1]
    row = tx.one("events.recording")
    is_on = row is not None and row["until"] >= tx.now
    _known[tx.url] = monotonic_ms() + REREAD_MS, is_on
    return is_on


def was_recording(tx: Transaction) -> bool:
    """Whether any server has ever had events recorded."""
    return tx.one("events.recording") is not None


def keep_recording(tx: Transaction, *, until: int) -> None:
    """Record events until a time. If the recording has ended, earlier positions have a gap from now on."""
    tx.run("events.keep_recording", until=until)
    url = tx.url
    tx.on_commit(lambda: _known.pop(url, None))


def record(
    tx: Transaction,
    type: str,
    *,
    subject: str | None = None,
    job_id: int | None = None,
    data: Mapping[str, Detail] | None = None,
) -> None:
    """Record an event of the tenant of the transaction, if events are recorded."""
    if is_recording(tx):
        import json  # not needed without a server

        tx.run("events.record", type=type, subject=subject, job_id=job_id, data=json.dumps(data or {}))
        tx.notify_readers()


def position(tx: Transaction) -> Position:
    """The end of the history: all events after it are new."""
    row = _end(tx)
    return _run(tx), row["xact"], row["id"]


def read_events(
    tx: Transaction, *, after: Position | None, limit: int, job_id: int | None = None, ended: bool = False
) -> History:
    """Events of the tenant after a position, or from the beginning, oldest first: all, or those of a job.

    `ended`: the job has ended, so all its events are committed, and older transactions can add none.
    """
    now, run = _end(tx), _run(tx)
    end = (run, now["xact"], now["id"])
    pruned = tx.one("events.pruned") or {"xact": 0, "id": 0}
    gap = after is not None and not (run, pruned["xact"], pruned["id"]) <= after <= end
    _, xact, id = after or (0, 0, 0)
    where = {"xact": xact, "id": id, "until": NO_END if ended else now["until"], "limit": limit}
    rows = tx.all("events.read", **where) if job_id is None else tx.all("events.read_job", **where, job_id=job_id)
    following = (run, rows[-1]["xact"], rows[-1]["id"]) if len(rows) == limit else end
    return History(rows=rows, run=run, next=following, end=end, gap=gap)


def _end(tx: Transaction) -> Row:
    row = tx.one("events.position")
    assert row is not None
    return row


def _run(tx: Transaction) -> int:
    row = tx.one("events.recording")
    return row["run"] if row else 0


def prune(tx: Transaction, *, before: int, kept: int = MAX_EVENTS) -> bool:
    """Delete a slice of the events of the tenant before a time, or beyond the newest. Returns whether more is left."""
    oldest = tx.all("events.oldest", limit=PRUNED)
    old = [(row["xact"], row["id"]) for row in oldest if row["at"] < before]
    if len(oldest) == PRUNED or kept < PRUNED:
        beyond = tx.one("events.beyond", kept=kept)
        most = (beyond["xact"], beyond["id"]) if beyond else (-1, 0)
        old += [place for row in oldest if (place := (row["xact"], row["id"])) <= most]
    if not old:
        return False
    xact, id = max(old)
    tx.run("events.prune", xact=xact, id=id)
    tx.run("events.save_pruned", xact=xact, id=id)
    return (xact, id) == (oldest[-1]["xact"], oldest[-1]["id"]) and len(oldest) == PRUNED


def forget(tx: Transaction, *, memories: str, documents: str) -> None:
    """Delete the events of memories and documents, given as JSON lists of ids, before these are deleted."""
    tx.run("events.forget", memories=memories, documents=documents)
