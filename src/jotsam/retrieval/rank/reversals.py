"""What of stored texts no longer holds: names and values that a later note of the same project replaced."""

from __future__ import annotations

import json

from jotsam.core.records import Record
from jotsam.pipeline.notes.words import plain
from jotsam.storage.memories import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from jotsam.storage.database import Transaction

MOST = 200  # that are looked for
MIN_ALIVE = 4  # characters of a name by which a text says what holds now


class Reversal(Record):
    """What held until a time, by the words that say it, and the note that holds instead."""

    project: str | None
    names: frozenset[str]
    alive: frozenset[str]  # names of what holds instead: a text with one of them says both
    until: int
    text: str  # of the note
    uuid: str  # of its memory


def load(tx: Transaction, *, project: str | None) -> list[Reversal]:
    """What no longer holds in a project, or in any."""
    found = []
    for row in notes.reversals(tx, project=project, limit=MOST):
        names, terms = frozenset(json.loads(row["names"])), json.loads(row["terms"])
        alive = {*terms.get("values", ()), *(name for name in terms.get("heads", ()) if len(name) >= MIN_ALIVE)}
        found.append(
            Reversal(
                project=row["project"],
                names=names,
                alive=frozenset(alive - names),
                until=row["until"],
                text=row["body"],
                uuid=row["uuid"],
            )
        )
    return found


def reversal_of(text: str, project: str | None, said_at: int, known: Sequence[Reversal]) -> Reversal | None:
    """What reverses a text: it says something that no longer holds, and not what holds instead."""
    own = [one for one in known if one.project == project and said_at < one.until]
    lower = plain(text) if own else ""
    return next((one for one in own if _says(lower, one.names) and not _says(lower, one.alive)), None)


def _says(lower: str, names: frozenset[str]) -> bool:
    """Whether a text has one of some names as whole words."""
    for name in names:
        at = lower.find(name)
        while at >= 0:
            around = lower[max(0, at - 1) : at] + lower[at + len(name) : at + len(name) + 1]
            if not any(map(str.isalnum, around)):
                return True
            at = lower.find(name, at + 1)
    return False
