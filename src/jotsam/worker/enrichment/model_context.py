"""Reads what a model is given along with the text of a memory: where it is from, and the turns before.

All of it was stored before the memory. So the prompt is the same when the memory is read again, and its cached reply is
used.
"""

from __future__ import annotations

from jotsam.pipeline.dates.iso import format_day
from jotsam.pipeline.llm.prompt import Context, TurnBefore
from jotsam.storage.memories import memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.storage.database import Row, Transaction

MAX_TURNS = 3  # before the text


def read_context(tx: Transaction, row: Row) -> Context:
    """The context of a memory for the prompt."""
    before = [] if row["session"] is None else memories.turns_before(tx, row, limit=MAX_TURNS)
    return Context(
        source=row["source"] or "",
        section=row["section"] or "",
        date="" if row["said_at"] is None else format_day(row["said_at"]),
        actor=row["actor"] or "",
        turns=tuple(TurnBefore(actor=turn["actor"] or "", text=turn["body"]) for turn in before),
    )
