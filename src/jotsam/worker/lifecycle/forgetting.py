"""The step `forget`: archives memories that are hardly relevant, and moves archived ones to the trash.

It does neither unless the settings `archive_below` and `remove_below` are above 0. What was important to somebody is
protected, and so is the only memory that states a fact. Chunks of documents are archived and never removed: a
document goes as a whole, by `jotsam forget`.
"""

from __future__ import annotations

import json
import os

from jotsam.storage.lifecycle import relevance
from jotsam.worker.lifecycle.step import PART, Change, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jotsam.storage.database import Row
    from jotsam.worker.lifecycle.step import StepContext

DAY_MS = 86_400_000
YOUNG_MS = 90 * DAY_MS  # since it was said or changed
IMPORTANT = 0.7
TYPES = frozenset(("decision", "insight"))
TAGS = ("pinned", "crystal", "summary")
REMOVALS = 100  # of a part, because each deletes rows of many tables


class Forget:
    def plan(self, context: StepContext, place: str | None) -> Part:
        archive, remove = (float(context.options[name]) for name in ("archive_below", "remove_below"))
        if not archive and not remove:
            return Part()
        limit = REMOVALS if remove else PART
        with context.database.snapshot(tenant=context.tenant) as tx:
            rows, last, count = relevance.forget_inputs(tx, tags=TAGS, after=int(place or 0), limit=limit)
            now = tx.now
        changes = _changes(rows, archive=archive, remove=remove, now=now)
        return Part(changes=tuple(changes), examined=count, place=str(last) if count == limit else None)


def _changes(rows: list[Row], *, archive: float, remove: float, now: int) -> Iterator[Change]:
    batch = os.urandom(4).hex()  # of the trash, for all that this part removes
    for row in rows:
        if row["relevance"] is None or _protection(row, now=now):
            continue
        number, ids, value = row["id"], (row["uuid"],), row["relevance"]
        if row["archived_at"] is None and value < archive:
            why = f"its relevance {value:.2f} is below {archive:g}"
            yield Change(kind="archive", ids=ids, why=why, data={"memory": number, "into": None})
        elif row["archived_at"] is not None and value < remove and row["document_id"] is None:
            why = f"it is archived, and its relevance {value:.2f} is below {remove:g}"
            yield Change(kind="remove", ids=ids, why=why, data={"memory": number, "batch": batch})


def protected(rows: Iterable[Row], *, archive: float, remove: float, now: int) -> Iterator[tuple[Row, str, str]]:
    """What only its protection keeps: the row, `archive` or `remove`, and what protects it."""
    for row in rows:
        action, below = ("archive", archive) if row["archived_at"] is None else ("remove", remove)
        if row["relevance"] is None or row["relevance"] >= below:
            continue
        if action == "remove" and row["document_id"] is not None:
            yield row, action, "it is a part of a document"
        elif reason := _protection(row, now=now):
            yield row, action, reason


def _protection(row: Row, *, now: int) -> str | None:
    """Why a memory is not forgotten, if there is a reason."""
    if max(row["said_at"], row["changed_at"] or 0) > now - YOUNG_MS:
        return "it was said or changed within 90 days"
    if (row["importance"] or 0.0) >= IMPORTANT:
        return f"its importance is {row['importance']:g}"
    if (row["type"] or "").lower() in TYPES:
        return f"its type is {row['type']}"
    if row["tags"]:
        return f"it has one of the tags {', '.join(TAGS)}"
    if row["merged"]:
        return "others were merged into it"
    if row["facts"]:
        return "no other memory states one of its facts"
    if row["metadata"] is not None and json.loads(row["metadata"]).get("protected") is True:
        return "its metadata says so"
    return None
