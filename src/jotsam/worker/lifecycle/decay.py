"""The step `decay`: computes how relevant each memory still is, and saves what has changed noticeably.

Archived memories are computed too, because `forget` removes those that have fallen further. Superseded ones keep what
they had: they are hidden for another reason, and removed by another setting.
"""

from __future__ import annotations

from jotsam.pipeline.extraction.estimate_importance import MAX_CHARACTERS, estimate_importance
from jotsam.pipeline.lifecycle.relevance import DAY_MS, UNKNOWN, least_of, relevance_of
from jotsam.storage.lifecycle import relevance
from jotsam.worker.lifecycle.step import PART, Change, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row
    from jotsam.worker.lifecycle.step import StepContext

# A smaller change, as a part of the value, is not saved, so that a day changes some memories and not all.
LEAST_CHANGE = 0.1

# The least importance by the rules of a memory that is more than context and a preference.
TYPED = 0.6


class Decay:
    def plan(self, context: StepContext, place: str | None) -> Part:
        with context.database.snapshot(tenant=context.tenant) as tx:
            rows = relevance.inputs(tx, after=int(place or 0), limit=PART, characters=MAX_CHARACTERS)
            now = tx.now
        sets, ids, fell = [], [], 0
        for row in rows:
            before, importance = row["relevance"], importance_of(row)
            after = relevance_of({**row, "importance": importance}, now=now)
            if _is_noticeable(before, after, least=least_of(importance)):
                sets.append([row["id"], before, after])
                ids.append(row["uuid"])
                fell += before is not None and after < before
        changes: tuple[Change, ...] = ()
        if sets:
            new = sum(before is None for _, before, _ in sets)
            numbers = {"computed": new, "fell": fell, "rose": len(sets) - new - fell}
            why = ", ".join(f"{verb} for {_memories(number)}" for verb, number in numbers.items() if number)
            changes = (Change(kind="relevance", ids=tuple(ids[:5]), why=why, data={"set": sets}, number=len(sets)),)
        return Part(changes=changes, examined=len(rows), place=str(rows[-1]["id"]) if len(rows) == PART else None)


def _is_noticeable(before: float | None, after: float, *, least: float) -> bool:
    """The least value is always saved, because thresholds are compared with it for ever."""
    if before is None or before == after:
        return before is None
    return abs(after - before) >= LEAST_CHANGE * before or after == least


def importance_of(row: Row) -> float:
    """The importance of a memory: as a caller or a model gave it, else by what its text states.

    What the rules found to be more than context, such as a decision, is at least as important as they say.
    """
    given: float | None = row["importance"]
    if given is not None and not row["is_by_rules"]:
        return given
    estimate = estimate_importance(row["body"] or "", is_reply=bool(row["is_reply"]), has_fact=bool(row["has_fact"]))
    return estimate if given is None or given < TYPED else max(estimate, given)


def describe(row: Row, *, now: int) -> str:
    """What the relevance of a memory depends on, in words."""
    used = row["recalled_at"]
    parts = [f"said {_ago(row['at'], now)}", f"in an answer {_ago(used, now)}" if used else "never in an answer"]
    parts.append(f"{row['links']} link" + "s" * (row["links"] != 1))
    is_given = row["importance"] is not None and not row["is_by_rules"]
    parts.append(f"importance {importance_of(row):.2f}" + (" (estimated)" if not is_given else ""))
    parts.append(f"confidence {UNKNOWN if row['confidence'] is None else row['confidence']:.2f}")
    return ", ".join(parts)


def _memories(number: int) -> str:
    return f"{number:,} memor" + ("y" if number == 1 else "ies")


def _ago(at: int, now: int) -> str:
    days = max(0, now - at) // DAY_MS
    return "today" if days == 0 else "yesterday" if days == 1 else f"{days:,} days ago"
