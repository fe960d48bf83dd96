"""The step `decay`: computes how relevant each memory still is, and saves what has changed noticeably."""

from __future__ import annotations

from jotsam.pipeline.relevance import relevance_of
from jotsam.storage import relevance
from jotsam.worker.lifecycle.step import PART, Change, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.worker.lifecycle.step import StepContext

# A smaller change is not saved, so that a day changes some memories and not all.
LEAST_CHANGE = 0.02


class Decay:
    def plan(self, context: StepContext, place: str | None) -> Part:
        with context.database.snapshot(tenant=context.tenant) as tx:
            rows = relevance.inputs(tx, after=int(place or 0), limit=PART)
            now = tx.now
        sets, ids, fell = [], [], 0
        for row in rows:
            after, before = relevance_of(row, now=now), row["relevance"]
            if before is None or abs(after - before) >= LEAST_CHANGE:
                sets.append([row["id"], before, after])
                ids.append(row["uuid"])
                fell += before is not None and after < before
        changes: tuple[Change, ...] = ()
        if sets:
            new = sum(before is None for _, before, _ in sets)
            why = f"computed for {new:,} memories, fell for {fell:,}, rose for {len(sets) - new - fell:,}"
            changes = (Change(kind="relevance", ids=tuple(ids[:5]), why=why, data={"set": sets}, number=len(sets)),)
        return Part(changes=changes, examined=len(rows), place=str(rows[-1]["id"]) if len(rows) == PART else None)
