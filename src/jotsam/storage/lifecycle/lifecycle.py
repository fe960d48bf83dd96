"""Runs of the steps of the lifecycle: when they are due, how far they are, what they changed."""

from __future__ import annotations

import json

from jotsam.core.clock import new_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from jotsam.storage.database import Row, Transaction

WAITING, RUNNING, DONE, FAILED, UNDOING, UNDONE = ("waiting", "running", "done", "failed", "undoing", "undone")

SCHEDULE, REQUEST = "schedule", "request"  # origins of a run

PAIRS = 5_000  # that are read at a time


def lock(tx: Transaction) -> None:
    """Keep other transactions from beginning, working on or undoing a run of this tenant until this one ends."""
    tx.lock(f"lifecycle {tx.tenant}")


def schedule(tx: Transaction) -> dict[str, int]:
    """When each step is due next."""
    return {row["step"]: row["due_at"] for row in tx.all("lifecycle.schedule")}


def set_due(tx: Transaction, step: str, *, at: int) -> None:
    tx.run("lifecycle.set_due", step=step, due_at=at)


def take_due(tx: Transaction, step: str, *, next_at: int) -> bool:
    """Whether a step is due, which one caller learns. It is due again at `next_at`."""
    return tx.one("lifecycle.take_due", step=step, next_at=next_at) is not None


def add_run(tx: Transaction, *, step: str, origin: str, job_id: int, options: Mapping[str, Any]) -> Row:
    """Add a run that waits for its job. Returns it."""
    uuid = new_id()
    tx.one("lifecycle.add_run", uuid=uuid, step=step, origin=origin, job_id=job_id, options=json.dumps(options))
    found = get(tx, uuid)
    assert found is not None
    return found


def get(tx: Transaction, uuid: str) -> Row | None:
    return tx.one("lifecycle.run", uuid=uuid)


def uuids_like(tx: Transaction, prefix: str) -> list[str]:
    """The ids of at most two runs that begin with a prefix."""
    return [row["uuid"] for row in tx.all("lifecycle.runs_like", low=prefix, high=prefix + "g")]


def runs(tx: Transaction, *, before: int, step: str | None = None, limit: int) -> list[Row]:
    """Runs with a lower number than `before`, the latest first."""
    return tx.all("lifecycle.runs", before=before, step=step, limit=limit)


def live_runs(tx: Transaction) -> list[Row]:
    """Runs that wait, work or are being undone, with the state of their job (None: it is not in the queue)."""
    return tx.all("lifecycle.live_runs")


def set_job(tx: Transaction, run: int, *, job_id: int) -> None:
    tx.run("lifecycle.set_job", id=run, job_id=job_id)


def save_progress(tx: Transaction, run: int, *, state: str, place: str | None, examined: int, changed: int) -> None:
    """Count one more part of a run."""
    tx.run("lifecycle.save_progress", id=run, state=state, place=place, examined=examined, changed=changed)
    if state == DONE:
        tx.run("lifecycle.delete_pairs", run_id=run)


def fail(tx: Transaction, run: int, *, error: str) -> None:
    tx.run("lifecycle.fail_run", id=run, error=error)
    tx.run("lifecycle.delete_pairs", run_id=run)


def begin_undo(tx: Transaction, run: int) -> None:
    tx.run("lifecycle.set_undoing", id=run)


def save_undone(tx: Transaction, run: int, *, state: str, reverted: int, kept: int) -> None:
    tx.run("lifecycle.save_undone", id=run, state=state, reverted=reverted, kept=kept)


def add_changes(tx: Transaction, run: int, *, part: int, changes: Iterable[Mapping[str, Any]]) -> None:
    tx.run("lifecycle.add_changes", run_id=run, part=part, changes=json.dumps([*changes], ensure_ascii=False))


def changes(tx: Transaction, run: int) -> Iterator[dict[str, Any]]:
    """What a run changed, in its order."""
    after = -1
    while rows := tx.all("lifecycle.changes", run_id=run, after=after, limit=20):
        for row in rows:
            yield from json.loads(row["changes"])
        after = rows[-1]["part"]


def last_changes(tx: Transaction, run: int, *, before: int) -> tuple[int, list[dict[str, Any]]] | None:
    """The number and the changes of the last part before one."""
    row = tx.one("lifecycle.last_changes", run_id=run, before=before)
    return (row["part"], json.loads(row["changes"])) if row else None


def set_changes(tx: Transaction, run: int, *, part: int, changes: Iterable[Mapping[str, Any]]) -> None:
    tx.run("lifecycle.set_changes", run_id=run, part=part, changes=json.dumps([*changes], ensure_ascii=False))


def refuse(tx: Transaction, hashes: Iterable[str]) -> None:
    """Remember changes that were taken back."""
    tx.run_many("lifecycle.refuse", [{"hash": hash} for hash in hashes])


def refused(tx: Transaction, hashes: Iterable[str]) -> set[str]:
    """Of these changes, those that were taken back before."""
    return {row["hash"] for row in tx.all("lifecycle.refused", hashes=json.dumps([*hashes]))}


def refused_since(tx: Transaction, hashes: Iterable[str], *, since: int) -> set[str]:
    """Of these, those that were refused since a time."""
    return {row["hash"] for row in tx.all("lifecycle.refused_since", hashes=json.dumps([*hashes]), since=since)}


def allow_again(tx: Transaction, hash: str) -> None:
    """Forget that one change was refused."""
    tx.run("lifecycle.allow_again", hash=hash)


def forget_refusals(tx: Transaction) -> int:
    """Forget which changes were taken back. Returns how many."""
    return len(tx.all("lifecycle.forget_refusals"))


def add_pairs(tx: Transaction, run: int, pairs: Mapping[tuple[int, int], float]) -> None:
    """Save pairs of similar memories, each with the lower id first, until the run ends."""
    rows = [{"run_id": run, "first_id": a, "second_id": b, "likeness": pairs[a, b]} for a, b in sorted(pairs)]
    tx.run_many("lifecycle.add_pair", rows)


def pairs(tx: Transaction, run: int) -> Iterator[tuple[int, int, float]]:
    """The saved pairs, in order."""
    first, second = 0, 0
    while rows := tx.all("lifecycle.pairs", run_id=run, first_id=first, second_id=second, limit=PAIRS):
        yield from ((row["first_id"], row["second_id"], row["likeness"]) for row in rows)
        first, second = rows[-1]["first_id"], rows[-1]["second_id"]


def remove_before(tx: Transaction, *, before: int, limit: int) -> int:
    """Delete runs that ended before a time, the oldest first. Returns how many."""
    return len(tx.all("lifecycle.remove_runs", before=before, limit=limit))


def relevance_statistics(tx: Transaction) -> Row:
    """`memories` that are current, their `average` relevance (0.5 where none is saved), and how many have a `high` one
    (above 0.7), `medium` (0.3), `low` (0.1) or less (`archive`)."""
    row = tx.one("lifecycle.relevance_statistics")
    assert row is not None
    return row
