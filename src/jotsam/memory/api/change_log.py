"""What changed in memory lately, and taking back the last change that a command made.

It writes no history of its own. The log reads what is kept anyway: what was learned, what newer texts superseded, runs
of the lifecycle, and the audit, in which commands note what they change. Undoing calls what undoes one change
elsewhere too, such as `undo_supersede`, and notes that in the audit.
"""

from __future__ import annotations

import re
from collections import Counter

from jotsam.core import validate
from jotsam.core.clock import parse_time
from jotsam.core.errors import InvalidInput, JotsamError, NotFound
from jotsam.core.records import Record
from jotsam.memory.access import audit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jotsam.core.token_records import AuditEntry
    from jotsam.memory.api.client import Jotsam
    from jotsam.memory.graph.learned import LearnedGroup
    from jotsam.memory.options import Timestamp

COMMANDS = "cli"  # the name of commands in the audit
DAY_MS = 86_400_000
DAYS = 7  # that the log shows
EXAMINED = 1_000  # entries of the audit
MAX_LINES = 3  # of what one session or source has stored

# What takes back each change, of those that can be.
BACK = {
    "supersede": "undo supersede",
    "archive": "unarchive",
    "link": "unlink",
    "merge": "split",
    "merge project": "split project",
    "verdict": "undo verdict",
    "retract": "undo retract",
    "forget to trash": "restore",
    "lifecycle": "undo lifecycle",
}
TAKEN_BACK = {back: action for action, back in BACK.items()}
NAMED = ("merge", "merge project", "rename project")
# Why others cannot be.
FINAL = {
    "forget": "it was deleted for good; `jotsam forget --trash` keeps what can be restored",
    "update": "`jotsam show ID --history` shows what the memory was before, and `jotsam update` changes it again",
    "rename project": "`jotsam db projects rename` gives it another label",
    "confirm": "`jotsam themes crystals retract ID` hides a crystal",
}
# Requests that only store: the log tells of them by what was learned. And those that change no memory.
_OTHER = re.compile(
    r"(?:POST|PUT) /v1/(?:documents|memories|turns)(?:(?:/by-key)?/batch|/by-key/\{key\})?$"
    r"|(?:POST|PUT) /(?:memory(?:/batch)?|mcp remember)$"
    r"|\w+ /(?:v1|ui)/(?:jobs|queues|tokens|plan)|tokens |dashboard |POST /ui/sign"
)


class MemoryChange(Record):
    """One change, or what one session, source or caller has stored."""

    at: int
    by: str  # who said it, the name of a token, `cli`, or `schedule`; "" if newer texts did it
    what: str
    ids: tuple[str, ...]  # of memories, entities, projects, batches or runs
    lines: tuple[str, ...]  # what it is about


class UndoneChange(Record):
    """A change that was taken back, or would be."""

    what: str
    ids: tuple[str, ...]
    at: int  # when it was made
    line: str  # the beginning of the text that it is about


def note_change(jot: Jotsam, action: str, *ids: str) -> None:
    """Note in the audit what a command has changed: its ids are known only then."""
    audit.note(jot.database, tenant=jot.settings.tenant, by=COMMANDS, action=action, subject=" ".join(ids))


def log(jot: Jotsam, *, since: Timestamp | None = None, limit: int = 50) -> tuple[MemoryChange, ...]:
    """What changed since a time, by default of the last seven days, the latest first. Raises `InvalidInput`."""
    from jotsam.memory.graph.learned import read_learned  # Commands that note a change need neither.
    from jotsam.memory.graph.timeline import known_at

    validate.check_int("limit", limit, 1, EXAMINED)
    tenant = jot.settings.tenant
    with jot.database.snapshot(tenant=tenant) as tx:
        begin = tx.now - DAYS * DAY_MS if since is None else parse_time(since, name="since")
    entries = [one for one in jot.admin.audit(limit=EXAMINED) if one.created_at >= begin]
    named = {id for one in entries if one.action == "supersede" for id in one.subject.split()}
    learned = read_learned(jot.database, tenant=tenant, since=begin)
    changes = [*map(_stored, learned.groups), *_audited(entries), *_runs(jot, begin)]
    for old in known_at(jot.database, tenant=tenant, at=begin, limit=limit).superseded:
        if old.id not in named and old.superseded_at is not None:
            ids = (old.id, old.superseded_by) if old.superseded_by else (old.id,)
            changes.append(MemoryChange(at=old.superseded_at, by="", what="superseded", ids=ids, lines=(old.text,)))
    changes.sort(key=lambda one: one.at, reverse=True)
    return tuple(one if one.lines else one.replace(lines=_lines(jot, one.ids)) for one in changes[:limit])


def undo(jot: Jotsam, *, dry_run: bool = False) -> UndoneChange:
    """Take back the last change that a command made and that was not taken back yet. Raises `InvalidInput`."""
    entry = _last(jot.admin.audit(limit=EXAMINED))
    if entry is None:
        raise InvalidInput("no command has changed what is stored: there is nothing to take back")
    ids = _ids(entry)
    change = f"the last change ({entry.action}{''.join(f' {id[:36]}' for id in ids[:3])})"
    if entry.action in FINAL:
        raise InvalidInput(f"{change} cannot be taken back: {FINAL[entry.action]}")
    lines = _lines(jot, ids)
    if not dry_run:
        try:
            _take_back(jot, entry.action, ids)
        except (InvalidInput, NotFound) as error:
            raise InvalidInput(f"{change} cannot be taken back: {error}") from error
        note_change(jot, BACK[entry.action], *ids)
        lines = lines or _lines(jot, ids)
    return UndoneChange(what=entry.action, ids=ids, at=entry.created_at, line=lines[0] if lines else "")


def _last(entries: Iterable[AuditEntry]) -> AuditEntry | None:
    """The last change of a command that nothing has taken back since. The entries are the newest first."""
    back: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        if entry.name != COMMANDS:
            continue
        action = TAKEN_BACK.get(entry.action, entry.action)
        key = action, "".join(_ids(entry)[:1]).casefold()
        if action != entry.action:
            back[key] += 1
        elif back[key]:
            back[key] -= 1
        elif action in BACK or action in FINAL:
            return entry
    return None


def _ids(entry: AuditEntry) -> tuple[str, ...]:
    """What an entry is about. The name of an entity or a project may have several words."""
    is_name = entry.name == COMMANDS and TAKEN_BACK.get(entry.action, entry.action) in NAMED
    return (entry.subject,) if is_name else tuple(entry.subject.split())


def _take_back(jot: Jotsam, action: str, ids: Sequence[str]) -> None:
    if action == "supersede":
        jot.undo_supersede(*ids)
    elif action == "archive":
        for id in ids:
            jot.unarchive(id)
    elif action == "link":
        jot.knowledge.unlink(*ids)
    elif action == "merge":
        jot.knowledge.split(ids[0])
    elif action == "merge project":
        jot.split_project(ids[0])
    elif action == "verdict":
        jot.notes.judge(ids[0], verdict=None)
    elif action == "retract":
        jot.crystals.undo_retract(ids[0])
    elif action == "forget to trash":
        jot.admin.restore_forgotten(ids[0])
    else:
        jot.lifecycle.undo(ids[0])


def _stored(group: LearnedGroup) -> MemoryChange:
    lines = [
        f"{'' if one.kind == 'text' else f'{one.kind}: '}{one.text}{f' x{one.times}' if one.times > 1 else ''}"
        for one in group.lines[:MAX_LINES]
    ]
    place = group.session or group.source or ""
    return MemoryChange(
        at=group.last_at,
        by=", ".join(group.actors),
        what=f"stored {group.memories:,}",
        ids=(place,) if place else (),
        lines=tuple(lines) or (place,),
    )


def _audited(entries: Iterable[AuditEntry]) -> Iterator[MemoryChange]:
    for one in entries:
        if one.action != "lifecycle" and not _OTHER.match(one.action):
            yield MemoryChange(at=one.created_at, by=one.name, what=one.action, ids=_ids(one), lines=())


def _runs(jot: Jotsam, begin: int) -> Iterator[MemoryChange]:
    """The runs of the lifecycle that changed something."""
    for run in jot.lifecycle.runs(limit=100):
        at = run.ended_at or run.created_at
        if run.changed and at >= begin:
            undone = ", taken back" if run.undone_at is not None else ""
            line = f"{run.step}: {run.changed:,} changed{undone}"
            yield MemoryChange(at=at, by=run.origin, what="lifecycle", ids=(run.id,), lines=(line,))


def _lines(jot: Jotsam, ids: Sequence[str]) -> tuple[str, ...]:
    """The text of the first of some ids, if it is that of a memory."""
    try:
        return (jot.get(ids[0].partition(".")[0]).text,) if ids else ()
    except JotsamError:
        return ()
