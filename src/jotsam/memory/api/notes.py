"""`Jotsam.notes`: the rules, decisions, open ends and fixes of sessions, and what a person says of them.

A note is made of the turns that say it, and goes with them. What a person adds is a memory of its own.
"""

from __future__ import annotations

from collections import Counter

from jotsam.core import validate
from jotsam.core.errors import InvalidInput, NotFound
from jotsam.core.names import DECISION, NOTE_KINDS, OLD, OPEN, PERSON_SCOPE, REPEATED, RULE, VERDICTS, WRONG
from jotsam.core.operations import Operation
from jotsam.ingest.validation import check_line
from jotsam.memory.reading.show import memory_row
from jotsam.storage.memories import memories, notes, projects
from jotsam.worker.enrichment.notes import relate_all, save_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from jotsam.core.note_records import Note
    from jotsam.core.settings import Settings
    from jotsam.memory.writing.batches import Acceptor
    from jotsam.storage.database import Database, Transaction
    from jotsam.storage.memories.notes import Kept

MAX_LISTED, MAX_TEXT = 1_000, 300  # characters of a text that is added
HOLDS, ALL = notes.HOLDS, "all"
STATES = (HOLDS, ALL)
ADDED = {RULE: "Rule", DECISION: "Decision", OPEN: "Task"}
"""The kinds that can be added, with the type of the memory."""


class Notes:
    """The notes of one tenant."""

    def __init__(self, database: Database, settings: Settings, acceptor: Acceptor) -> None:
        self._database, self._settings, self._tenant = database, settings, settings.tenant
        self._acceptor = acceptor

    @Operation(
        route="GET /v1/notes",
        scope="read",
        summary="The rules, decisions, open ends and fixes of a project",
        limits={"limit": (1, MAX_LISTED)},
        of_client=("project",),
    )
    def list(
        self, *, kind: str | None = None, project: str | None = None, state: str = HOLDS, limit: int = 100
    ) -> tuple[Note, ...]:
        """Notes of a project and the rules that hold everywhere, the latest first. Raises `InvalidInput`.

        `kind` is rule, decision, open, fix or done. By default those that hold, with `state="all"` also those that were
        replaced, closed or repeated, and those that a person called wrong or old. `project` is by default that of the
        client; "" is none.
        """
        _check("kind", kind, NOTE_KINDS)
        _check("state", state, STATES)
        validate.check_int("limit", limit, 1, MAX_LISTED)
        named = self._settings.project if project is None else check_line("project", project)
        kinds = (kind,) if kind else NOTE_KINDS
        with self._database.snapshot(tenant=self._tenant) as tx:
            found = notes.of_project(tx, projects.asked(tx, named) or None, kinds=kinds, limit=MAX_LISTED)
        return tuple(_shown(found, all_states=state == ALL))[:limit]

    @Operation(
        route="POST /v1/notes",
        scope="write",
        status=201,
        body="NoteBody: A rule, a decision or a task.",
        summary="Add a rule, a decision or an open end",
        of_client=("project",),
    )
    def add(self, text: str, *, kind: str = RULE, project: str | None = None, everywhere: bool = False) -> Note:
        """Store a rule, a decision or a task (`open`) as a memory, which is in the next brief. Raises `InvalidInput`.

        `everywhere`: a rule holds in every project.
        """
        _check("kind", kind, ADDED)
        validate.check_bool("everywhere", everywhere)
        if everywhere and kind != RULE:
            raise InvalidInput(f"invalid everywhere for {kind}: only a rule holds in every project")
        named = self._settings.project if project is None else check_line("project", project)
        with self._database.transaction(tenant=self._tenant) as tx:
            return self._added(tx, text, kind=kind, project=None if everywhere else named or None)

    @Operation(
        route="POST /v1/notes/{id}/edit",
        scope="write",
        body="NoteText: The new text.",
        summary="Say a note in other words",
    )
    def edit(self, id: str, text: str) -> Note:
        """Store a note in other words; the one before is old from then on. Raises `NotFound`, `InvalidInput`."""
        with self._database.transaction(tenant=self._tenant) as tx:
            before = _kept(tx, id)
            if before.note.kind not in ADDED:
                raise InvalidInput(f"note {id[:40]!r} is a {before.note.kind}: only {', '.join(ADDED)} can be edited")
            is_everywhere = before.note.scope == PERSON_SCOPE
            project = None if is_everywhere else before.project
            return self._added(tx, text, kind=before.note.kind, project=project, instead_of=before)

    @Operation(
        route="POST /v1/notes/{id}/verdict",
        scope="write",
        body="NoteVerdict: wrong, old or keep; null takes it back.",
        summary="Say that a note is wrong, old, or to be kept",
    )
    def judge(self, id: str, *, verdict: str | None) -> Note:
        """Say of a note that it is `wrong` or `old`, which hides it, or to `keep`, though something ended it.

        What a wrong note ended holds again, unless another one ends it too. None takes that back. The verdict stays
        when the note is found again. Raises `NotFound`, `InvalidInput`.
        """
        _check("verdict", verdict, VERDICTS)
        with self._database.transaction(tenant=self._tenant) as tx:
            one = _kept(tx, id)
            notes.lock(tx)
            notes.judge(tx, one.memory, one.place, verdict=verdict)
            if verdict == WRONG:
                relate_all(tx, notes.release(tx, [one.memory], place=one.place))
            elif one.verdict == WRONG:
                relate_all(tx, notes.written(tx, [one.memory]))
            return notes.record(_kept(tx, f"{one.uuid}.{one.place}"), 1)

    def _added(
        self, tx: Transaction, text: str, *, kind: str, project: str | None, instead_of: Kept | None = None
    ) -> Note:
        text = " ".join(validate.check_text("text", text).split())
        if len(text) > MAX_TEXT:
            raise InvalidInput(f"the text has {len(text):,} characters: a note has at most {MAX_TEXT}")
        receipt = self._acceptor.remember(text, None, {"type": ADDED[kind], "project": project or ""}, tx)
        row = memories.get(tx, uuid=receipt.id)
        assert row is not None  # it was stored in this transaction
        notes.lock(tx)
        if instead_of is not None:
            notes.judge(tx, instead_of.memory, instead_of.place, verdict=OLD)
        save_told(tx, row)
        return notes.record(_kept(tx, receipt.id), 1)


def _check(name: str, value: str | None, allowed: Iterable[str]) -> None:
    if value is not None and value not in (*allowed,):
        raise InvalidInput(f"invalid {name} {str(value)[:40]!r}: must be one of {', '.join(allowed)}")


def _kept(tx: Transaction, id: str) -> Kept:
    """The note with an id, which may be the beginning of the UUID of a memory with a single note."""
    memory, _, place = validate.check_text("id", id).partition(".")
    found = notes.of_memory(tx, memory_row(tx, id=memory)["id"])
    if place:
        found = [one for one in found if str(one.place) == place]
    if not found:
        raise NotFound(f"there is no note {id[:60]!r}: `jotsam brief rules list` and `jotsam brief` print them")
    if len(found) > 1:
        listed = ", ".join(f"{memory}.{one.place} ({one.note.kind})" for one in found)
        raise InvalidInput(f"memory {memory} has several notes: give one of {listed}")
    return found[0]


def _shown(found: Iterable[Kept], *, all_states: bool) -> Iterable[Note]:
    listed = [*found]
    times = Counter(one.ended_by for one in listed if one.ended_how == REPEATED)
    for one in listed:
        if all_states or notes.holds(one):
            yield notes.record(one, 1 + times[one.memory])
