"""The records of notes."""

from __future__ import annotations

from jotsam.core.names import PROJECT_SCOPE
from jotsam.core.records import Record


class Turn(Record):
    """A turn of a session, in its order."""

    ref: int
    text: str
    by_user: bool
    at: int  # milliseconds since 1970
    parts: tuple[int, ...] = ()  # of a long turn, which is stored as several memories; the first is `ref`


class FoundNote(Record):
    """What a turn says that lasts.

    `names` are the stems of its content words. `against` are the names of what it decides against: alternatives that
    were not chosen, and what was removed. `sure` is 0 to 1.
    """

    kind: str
    text: str
    ref: int  # of the turn that says it
    at: int
    scope: str = PROJECT_SCOPE
    names: frozenset[str] = frozenset()
    against: frozenset[str] = frozenset()
    sure: float = 0.5
    is_change: bool = False  # it says itself that something was otherwise before
    problem: str = ""  # of a fix
    heads: frozenset[str] = frozenset()  # the names of what was chosen
    old: frozenset[str] = frozenset()  # values that no longer hold, as they are written
    # By these it is compared with prompts: more stems, concepts, kinds of products, and its values as they are written.
    stems: frozenset[str] = frozenset()
    concepts: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()


class Ended(Record):
    """What a later note makes of an earlier one, and of which the two ends."""

    how: str
    is_earlier: bool = True
    names: frozenset[str] = frozenset()  # of the earlier one that no longer hold, as they are written


class Note(Record):
    """A sentence of a session that lasts, or what was stored as a rule, a decision or a task; and its state."""

    id: str  # UUID of the memory that says it, and its place among the notes of that: "UUID.0"
    kind: str  # rule, decision, open, fix, done
    text: str
    state: str  # holds, replaced, closed, repeated, wrong, old
    project: str | None
    everywhere: bool  # a rule of the person, for all projects
    said_at: int
    confidence: float  # of the rules that found it, 0 to 1; 1 if it was stored as such
    problem: str | None = None  # of a fix
    times: int = 1  # how often it was said
    verdict: str | None = None  # of a person: wrong, old, keep
    ended_by: str | None = None  # the text of the note that replaced, closed or repeated it
    ended_at: int | None = None
