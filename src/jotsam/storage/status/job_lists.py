"""Lists of a tenant's jobs with what each is about, each from a window of the queue. See `sql/common/job_lists.sql`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jotsam.storage.database import Row, Transaction, Value

# The queries of a part of the jobs, and of the end of its window.
PARTS = {
    "unfinished": ("job_lists.unfinished", "job_lists.unfinished_end"),
    "dead": ("job_lists.dead", "job_lists.dead_end"),
    "leased": ("job_lists.leased", "job_lists.leased_end"),
    "ended": ("job_lists.ended", "job_lists.ended_end"),
}
LAST = 2**63 - 1


def jobs(
    tx: Transaction, part: str, *, before: int, window: int, limit: int, chosen: Mapping[str, Value]
) -> tuple[list[Row], int, bool]:
    """The newest jobs below the id `before` that match, out of `window` jobs of one of `PARTS`.

    `chosen` has queue (of unfinished and dead ones) or queues, state, error, project and text. Returns at most `limit`
    of them, the id down to which there is no other match (0: there is none at all), and whether the window ended before
    the jobs did.
    """
    query, end_query = PARTS[part]
    place: dict[str, Value] = {"before": before, "window": window}
    found = tx.all(query, limit=limit, **place, **chosen)
    if len(found) == limit:
        return found, found[-1]["id"], False
    end = tx.one(end_query, **place, **({"queue": chosen["queue"]} if "queue" in chosen else {}))
    is_cut = end is not None and end["jobs"] == window
    return found, end["last"] or 0 if end and is_cut else 0, is_cut


def subjects(tx: Transaction, ids: Iterable[int]) -> dict[int, Row]:
    """By job, what it is about: uuid, project, source, created_at, beginning, and `kind`: `document` or `memory`.

    A memory that is a chunk has the UUID of its `document`.
    """
    import json  # Slow to import, and rarely needed.

    wanted = json.dumps([*ids])
    found = {row["job_id"]: {**row, "kind": "memory"} for row in tx.all("job_lists.memories", ids=wanted)}
    for row in tx.all("job_lists.documents", ids=wanted):
        found[row["job_id"]] = {**row, "kind": "document", "document": row["uuid"]}
    return found


def failures(tx: Transaction, *, queue: str, window: int) -> list[Row]:
    """Errors of the newest dead jobs and the oldest unfinished ones: error, jobs, dead, example, oldest, newest."""
    return tx.all("job_lists.failures", queue=queue, window=window, before=LAST)


def count_dead(tx: Transaction, *, queue: str, limit: int) -> int:
    """How many jobs of the tenant are dead, counted up to `limit`."""
    row = tx.one("job_lists.count_dead", queue=queue, limit=limit)
    return int(row["jobs"]) if row else 0


def held_since(tx: Transaction, *, id: int) -> Row | None:
    """leased_at, and host and pid of the worker, of a running job."""
    return tx.one("job_lists.held_since", id=id)


def made_of_document(tx: Transaction, *, number: int, limit: int) -> Row:
    """How many facts, mentions and links were extracted from the chunks of a document, each up to `limit`."""
    return tx.one("job_lists.made_of_document", id=number, limit=limit) or {}


def made_of_memory(tx: Transaction, *, number: int) -> Row:
    """How many facts, mentions and links were extracted from a memory."""
    return tx.one("job_lists.made_of_memory", id=number) or {}
