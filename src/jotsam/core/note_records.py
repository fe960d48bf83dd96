"""The records of notes."""

from __future__ import annotations

from jotsam.core.records import Record

RULE, DECISION, OPEN, FIX, DONE = "rule", "decision", "open", "fix", "done"
KINDS = (RULE, DECISION, OPEN, FIX, DONE)
PROJECT, PERSON = "project", "person"

REPLACED, CLOSED, REPEATED = "replaced", "closed", "repeated"
WRONG, OLD, KEEP = VERDICTS = ("wrong", "old", "keep")


class Turn(Record):
    """A turn of a session, in its order."""

    ref: int
    text: str
    by_user: bool
    at: int  # milliseconds since 1970
    parts: tuple[int, ...] = ()  # of a long turn, which is stored as several memories; the first is `ref`


class Note(Record):
    """What a turn says that lasts.

    `names` are the stems of its content words. `against` are the names of what it decides against: alternatives that
    were not chosen, and what was removed. `sure` is 0 to 1.
    """

    kind: str
    text: str
    ref: int  # of the turn that says it
    at: int
    scope: str = PROJECT
    names: frozenset[str] = frozenset()
    against: frozenset[str] = frozenset()
    sure: float = 0.5
    is_change: bool = False  # it says itself that something was otherwise before
    problem: str = ""  # of a fix
    heads: frozenset[str] = frozenset()  # the names of what was chosen
    old: frozenset[str] = frozenset()  # values that no longer hold, as they are written
