"""What was learned lately: by session or source, each with what lasts of it, and what is nearly the same folded."""

from __future__ import annotations

import re

from jotsam.core import validate
from jotsam.core.records import Record
from jotsam.storage.graph import inbox
from jotsam.storage.memories import notes, projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from jotsam.storage.database import Database, Row

EXAMINED = 500  # of the latest memories
MAX_FACTS = 300
MAX_GROUPS, MAX_LINES = 12, 6
KINDS = ("rule", "decision", "open", "fix", "done", "fact", "text")  # in the order in which they are listed
_NUMBER = re.compile(r"\d+")


class LearnedLine(Record):
    """What lasts of a text, or of texts that differ by their numbers alone."""

    kind: str
    text: str
    memory: str
    times: int


class LearnedGroup(Record):
    """What one session, source or caller has stored."""

    session: str | None
    source: str | None
    project: str | None
    actors: tuple[str, ...]
    memories: int
    last_at: int
    lines: tuple[LearnedLine, ...]
    more: int  # lines that are left out


class Learned(Record):
    """What was stored since a time, the latest group first."""

    groups: tuple[LearnedGroup, ...]
    memories: int
    is_complete: bool  # it is all that was stored since then
    more_groups: int


def read_learned(database: Database, *, tenant: str, since: int, project: str | None = None) -> Learned:
    """What was stored since a time, of all projects or of one. Raises `InvalidInput`."""
    validate.check_optional_text("project", project)
    with database.snapshot(tenant=tenant) as tx:
        label = projects.asked(tx, project) if project else None
        rows = inbox.learned(tx, since=since, project=label, latest=EXAMINED)
        ids = [row["id"] for row in rows]
        lasting: dict[int, list[tuple[str, str]]] = {}
        for note in inbox.notes_of(tx, ids):
            if notes.is_told(note["kind"], note["body"]):
                lasting.setdefault(note["memory_id"], []).append((note["kind"], note["body"]))
        for fact in inbox.facts_of(tx, ids, limit=MAX_FACTS):
            says = f"{fact['subject']} {fact['predicate'].replace('_', ' ')} {fact['object']}"
            lasting.setdefault(fact["memory_id"], []).append(("fact", says))
    groups = [*_groups(rows, lasting)]
    return Learned(
        groups=tuple(groups[:MAX_GROUPS]),
        memories=len(rows),
        is_complete=len(rows) < EXAMINED,
        more_groups=max(0, len(groups) - MAX_GROUPS),
    )


def count_learned(database: Database, *, tenant: str, since: int, project: str | None = None) -> int:
    """How many of the latest memories were stored since a time: at most `EXAMINED`. Raises `InvalidInput`."""
    with database.snapshot(tenant=tenant) as tx:
        label = projects.asked(tx, project) if project else None
        return len(inbox.learned(tx, since=since, project=label, latest=EXAMINED))


def _groups(rows: Iterable[Row], lasting: Mapping[int, list[tuple[str, str]]]) -> Iterator[LearnedGroup]:
    """Memories by session, or by source and project."""
    found: dict[tuple[str | None, ...], list[Row]] = {}
    for row in rows:
        source = None if row["session"] else row["source"]
        found.setdefault((row["session"], source, row["project"]), []).append(row)
    for (session, source, project), stored in found.items():
        lines = [*_lines(stored, lasting)]
        yield LearnedGroup(
            session=session,
            source=source or stored[0]["source"],
            project=project,
            actors=tuple(dict.fromkeys(row["actor"] for row in stored if row["actor"]))[:3],
            memories=len(stored),
            last_at=stored[0]["at"],
            lines=tuple(lines[:MAX_LINES]),
            more=max(0, len(lines) - MAX_LINES),
        )


def _lines(rows: Sequence[Row], lasting: Mapping[int, list[tuple[str, str]]]) -> Iterator[LearnedLine]:
    """Notes, then facts. Of a session without either nothing is told; of other memories their text."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in rows:
        said = lasting.get(row["id"]) or ([] if row["session"] else [("text", row["text"])])
        for kind, text in said:
            line = " ".join(text.split())
            found.setdefault((kind, _NUMBER.sub("#", line.casefold())), []).append((line, row["uuid"]))
    for (kind, _), alike in sorted(found.items(), key=lambda one: KINDS.index(one[0][0])):
        text, memory = alike[0]
        yield LearnedLine(kind=kind, text=text, memory=memory, times=len(alike))
