"""Imports session files of agents, line by line, each turn once.

A turn has the idempotency key of the hook, so it does not matter which of the two comes first; and an external id made
of its session and line, so that it is recognised if a later version reads more, or less, from a line. A file that has
grown, or whose import was interrupted, is imported again from its first line, which adds only new turns. Turns are
written in batches of one commit each.
"""

from __future__ import annotations

import os

from jotsam.agents.registry import PLAIN, SESSION_FORMATS
from jotsam.agents.session_format import OTHER, REPEATS
from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.ingest import capture, files, session_files, start_worker, stored_turns, transcripts
from jotsam.ingest.capture_switch import SessionProjects
from jotsam.ingest.hook_events import without_memory
from jotsam.ingest.redactor import Redactor
from jotsam.ingest.validation import check_line, storable_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, BinaryIO

    from jotsam.agents.session_format import ParsedTurn, TurnParser
    from jotsam.core.settings import Settings
    from jotsam.ingest.session_files import Line
    from jotsam.storage.database import Database, Transaction

    Accepted = bool | InvalidInput | None  # None: forgotten for good
    Tell = Callable[[str, int, int], None]  # progress callback: file, bytes done, bytes in total

# Limits of a batch that one transaction writes, so that the write lock is never held for long.
BATCH_TURNS = 200
BATCH_CHARACTERS = 1_000_000

RECOGNISE_LINES = 100  # a file must show its format within this number of lines
MAX_PROBLEMS = 10  # invalid lines that are listed in the result
PRIVATE = "private"


class ImportOptions(Record):
    """Options of an import."""

    format: str | None = None  # one of `SESSION_FORMATS`; None: recognised from the lines
    project: str | None = None
    session: str | None = None  # for turns without a session of their own
    dry_run: bool = False


class ImportProblem(Record):
    """A line, or a file, that could not be imported."""

    path: str
    line: int | None  # None: the whole file
    reason: str


class ImportResult(Record):
    """The result of an import."""

    files: int
    sessions: int
    added: int  # turns
    duplicates: int  # turns that were stored before
    forgotten: int  # turns that were forgotten for good, and are not stored again
    skipped: dict[str, int]  # number of lines that are not turns, by kind
    invalid: int  # lines that could not be imported
    problems: tuple[ImportProblem, ...]  # the first ten invalid lines, and every file that could not be imported
    incomplete: tuple[str, ...]  # files whose last line is still being written: import them again
    without_prompts: tuple[str, ...]  # files with answers of an agent, in which no prompt of the user was recognised
    shortened: int  # turns that are longer than `capture.MAX_TURN` characters: only their beginning is stored
    dry_run: bool = False


def import_sessions(
    database: Database,
    settings: Settings,
    paths: Iterable[str],
    wanted: Mapping[str, Any],
    *,
    tell: Tell | None = None,
) -> ImportResult:
    """Import session files, and all `*.jsonl` below folders; `wanted` are the fields of `ImportOptions`.

    Invalid files and lines are reported in the result, and do not stop the others. Raises `InvalidInput` for an invalid
    option, and the errors of the database.
    """
    options = _options(wanted)
    return _import(_Writer(database, settings, dry_run=options.dry_run), settings, paths, options, tell=tell)


def import_answers(
    database: Database, settings: Settings, path: str, prompts: frozenset[str], *, project: str | None
) -> set[str]:
    """Import the answers of an agent to some prompts of a session file. Returns the marks of all these texts.

    Raises `InvalidInput` if the file cannot be read, and the errors of the database.
    """
    tally, writer = _Tally(), _Writer(database, settings, dry_run=False)
    with files.open_regular(path) as file:
        session = _Session(
            path, ImportOptions(project=project), tally, SessionProjects(settings, project), prompts=prompts
        )
        for batch in _batches(session.turns(file)):
            writer.write(batch)
    return session.marks


def read_turns(
    settings: Settings, paths: Iterable[str], wanted: Mapping[str, Any]
) -> tuple[list[capture.Turn], ImportResult]:
    """The turns that `import_sessions` would hand to the database, redacted, and the result without duplicates."""
    collector = _Collector()
    result = _import(collector, settings, paths, _options(wanted))
    return collector.turns, result


def store_turns(database: Database, settings: Settings, turns: Iterable[capture.Turn]) -> ImportResult:
    """Store turns of `read_turns`, each once. The result counts no files."""
    tally, writer = _Tally(), _Writer(database, settings, dry_run=False)
    for batch in _batches(turns):
        for turn, outcome in writer.write(batch):
            tally.count(turn.source, turn, outcome)
    return tally.result(files=0, dry_run=False)


def _import(
    writer: _Writer | _Collector,
    settings: Settings,
    paths: Iterable[str],
    options: ImportOptions,
    *,
    tell: Tell | None = None,
) -> ImportResult:
    paths = [os.fspath(path) for path in validate.check_list("paths", paths)]
    tally, projects = _Tally(), SessionProjects(settings, options.project)
    found = list(dict.fromkeys(_found(paths, tally)))
    total, before = sum(map(session_files.size, found)), 0
    for path in found:
        try:
            file = files.open_regular(path)
        except InvalidInput as error:
            tally.reject_file(path, str(error).removeprefix(f"{path} "))
            continue
        with file:
            session = _Session(path, options, tally, projects)
            for batch in _batches(session.turns(file)):
                for turn, outcome in writer.write(batch):
                    tally.count(path, turn, outcome)
                if tell:
                    tell(os.path.basename(path), before + session.done, total)
        before += session_files.size(path)
    return tally.result(files=len(found), dry_run=options.dry_run)


def _options(wanted: Mapping[str, Any]) -> ImportOptions:
    validate.check_fields(wanted, ImportOptions._fields)
    options = ImportOptions(**wanted)
    validate.check_choice("format", options.format, SESSION_FORMATS)
    return options.replace(
        project=check_line("project", options.project),
        session=check_line("session", options.session),
        dry_run=validate.check_bool("dry_run", options.dry_run),
    )


class _Tally:
    """Counts the outcomes of the lines."""

    def __init__(self) -> None:
        self._sessions: set[str] = set()
        self._skipped: dict[str, int] = {}
        self._problems: list[ImportProblem] = []
        self._incomplete: list[str] = []
        self._without_prompts: list[str] = []
        self._added = self._duplicates = self._forgotten = self._invalid = self._shortened = 0

    def count(self, path: str, turn: capture.Turn, outcome: Accepted) -> None:
        """Count a turn: new, duplicate, forgotten (None), or the error because of which it was not accepted."""
        if outcome is None:
            self._forgotten += 1
        elif not isinstance(outcome, InvalidInput):
            self._sessions.add(turn.session)
            self._added += outcome
            self._duplicates += not outcome
        elif _is_private(turn.text):
            self.skip(PRIVATE)
        else:
            self.reject(path, turn.position or 0, str(outcome))

    def skip(self, what: str, lines: int = 1) -> None:
        self._skipped[what] = self._skipped.get(what, 0) + lines

    def reject(self, path: str, number: int, reason: str) -> None:
        self._invalid += 1
        if self._invalid <= MAX_PROBLEMS:
            self._problems.append(ImportProblem(path=path, line=number, reason=reason))

    def reject_file(self, path: str, reason: str) -> None:
        self._problems.append(ImportProblem(path=path, line=None, reason=reason))

    def mark_incomplete(self, path: str) -> None:
        self._incomplete.append(path)

    def mark_without_prompts(self, path: str) -> None:
        self._without_prompts.append(path)

    def mark_shortened(self) -> None:
        self._shortened += 1

    def result(self, *, files: int, dry_run: bool) -> ImportResult:
        return ImportResult(
            files=files,
            sessions=len(self._sessions),
            added=self._added,
            duplicates=self._duplicates,
            forgotten=self._forgotten,
            skipped=dict(sorted(self._skipped.items(), key=lambda item: (-item[1], item[0]))),
            invalid=self._invalid,
            problems=tuple(self._problems),
            incomplete=tuple(self._incomplete),
            without_prompts=tuple(self._without_prompts),
            shortened=self._shortened,
            dry_run=dry_run,
        )


class _Session:
    """Reads one file. Its format is recognised from its first lines."""

    def __init__(
        self,
        path: str,
        options: ImportOptions,
        tally: _Tally,
        projects: SessionProjects,
        *,
        prompts: frozenset[str] | None = None,
    ) -> None:
        """With `prompts`, only the answers to these are read, and `marks` has a mark of each."""
        self._path, self._options, self._tally, self._projects = path, options, tally, projects
        self._prompts = prompts
        self.marks: set[str] = set()
        self._reader: TurnParser | None = None
        self._source = files.with_tilde(os.path.realpath(path))
        self._keys: set[str] = set()
        self._actors: set[str] = set()
        self._unrecognised = 0
        self._early_errors: list[tuple[int, str]] = []
        self.done = 0

    def turns(self, file: BinaryIO) -> Iterator[capture.Turn]:
        """The turns in the file. Other lines are counted."""
        try:
            for line in session_files.lines(self._path, file):
                self.done += line.size
                yield from self._turns_of(line)
                if self._reader is None and self._unrecognised + len(self._early_errors) >= RECOGNISE_LINES:
                    break
        except InvalidInput as error:
            self._tally.reject_file(self._path, str(error).removeprefix(f"{self._path}: "))
            return
        if self._reader is None and (self._unrecognised or self._early_errors):
            expected = f"lines of {self._options.format}" if self._options.format else transcripts.expected()
            reason = f"expected {expected}"
            if not self._unrecognised:
                number, why = self._early_errors[0]
                reason = f"{reason}; line {number:,}: {why}"
            self._tally.reject_file(self._path, f"not a session file: {reason}")
        if self._actors == {"assistant"} and self._source in SESSION_FORMATS:
            self._tally.mark_without_prompts(self._path)

    def _turns_of(self, line: Line) -> Iterator[capture.Turn]:
        if line.is_incomplete:
            self._tally.mark_incomplete(self._path)
        elif line.error is not None:
            self._reject_line(line.number, line.error)
        for entry in line.entries:
            try:
                turn = self._read(entry, line.number)
            except InvalidInput as error:
                self._reject_line(line.number, str(error))
            else:
                if turn:
                    yield turn

    def _read(self, entry: dict[str, Any], number: int) -> capture.Turn | None:
        """The turn in an entry, or None. Raises `InvalidInput` for an invalid entry."""
        if self._reader is None and not self._recognise(entry):
            self._unrecognised += 1
            return None
        assert self._reader is not None
        said = self._reader.turn_of(entry)
        if isinstance(said, str):
            self._tally.skip(said)
            return None
        self._actors.add(said.actor)
        if self._prompts is not None:
            if said.prompt not in self._prompts or said.actor != "assistant":
                return None
            self.marks.add(capture.text_mark(said.text))
        said = said.replace(text=without_memory(said.text))
        if not said.text.strip():
            self._tally.skip(REPEATS)
            return None
        if reason := self._projects.why_off(said.folder, said.session):
            self._tally.skip(reason)
            return None
        if len(said.text) > capture.MAX_TURN:
            self._tally.mark_shortened()
        return self._turn(said, number)

    def _recognise(self, entry: dict[str, object]) -> bool:
        wanted = self._options.format
        found = PLAIN if wanted == PLAIN else transcripts.detect_format(entry)
        if found is None or wanted not in (None, found):
            return False
        self._reader = transcripts.parser(found, session_files.about(self._path, found, self._options.session))
        if found != PLAIN:
            self._source = found
        if self._unrecognised:
            self._tally.skip(OTHER, self._unrecognised)
        for number, reason in self._early_errors:
            self._tally.reject(self._path, number, reason)
        return True

    def _reject_line(self, number: int, reason: str) -> None:
        """Before the format is recognised, errors are collected: the file may not be a session file."""
        if self._reader is None:
            self._early_errors.append((number, reason))
        else:
            self._tally.reject(self._path, number, reason)

    def _turn(self, said: ParsedTurn, number: int) -> capture.Turn:
        return capture.Turn(
            text=capture.cut_turn(said.text),
            actor=said.actor,
            session=said.session,
            key=self._key(said),
            source=self._source,
            said_at=said.said_at,
            project=self._projects.of(said.folder),
            external_id=_external_id(said),
            position=number,
        )

    def _key(self, said: ParsedTurn) -> str:
        """The key of the hook. A turn that repeats an earlier text of its prompt has a key from its own id instead."""
        if said.prompt is not None:
            key = capture.turn_key(said.session, said.prompt, said.text, actor=said.actor)
            if key not in self._keys:
                self._keys.add(key)
                return key
        if said.prompt is None and not transcripts.names_prompts(self._source):
            return capture.file_key(_external_id(said), said.text, actor=said.actor)
        return f"turn:{_external_id(said)}"


class _Writer:
    """Accepts turns, a batch per commit. A dry run writes the batch and rolls it back."""

    def __init__(self, database: Database, settings: Settings, *, dry_run: bool) -> None:
        self._database, self._settings, self._is_dry = database, settings, dry_run
        self._seen: set[str | None] = set()
        self._stored = stored_turns.StoredTurns()

    def write(self, batch: list[capture.Turn]) -> list[tuple[capture.Turn, Accepted]]:
        """Each turn, and True if it is new, False for a duplicate, None if it was forgotten for good, or its error."""
        if not self._is_dry:
            return start_worker.commit(self._database, lambda tx: self._accept(tx, batch), worker=self._settings.worker)
        written: list[tuple[capture.Turn, Accepted]] = []
        try:
            with self._database.transaction(durable=False) as tx:
                written = self._accept(tx, batch)
                raise _RolledBack
        except _RolledBack:
            return [(turn, self._is_new(turn) if outcome is True else outcome) for turn, outcome in written]

    def _accept(self, tx: Transaction, batch: list[capture.Turn]) -> list[tuple[capture.Turn, Accepted]]:
        # Two imports of the same turns in different orders would deadlock.
        tx.lock(f"batch {self._settings.tenant}")
        tx.set_tenant(self._settings.tenant)
        return [(turn, self._accept_one(tx, turn)) for turn in batch]

    def _accept_one(self, tx: Transaction, turn: capture.Turn) -> Accepted:
        if self._stored.is_hooked(tx, turn) or stored_turns.is_copy(tx, turn):
            return False
        try:
            receipt = capture.accept_turn(tx, turn.replace(tenant=self._settings.tenant), self._settings)
            return None if receipt.forgotten else not receipt.duplicate
        except InvalidInput as error:
            return error

    def _is_new(self, turn: capture.Turn) -> bool:
        """Whether no earlier batch of this dry run had the turn: their writes were rolled back."""
        names = {turn.key, turn.external_id, stored_turns.mark_of(turn)} - {None}
        is_new = not names & self._seen
        self._seen |= names
        return is_new


class _Collector:
    """Keeps turns, redacted as a hook redacts them, instead of writing them."""

    def __init__(self) -> None:
        self.turns: list[capture.Turn] = []

    def write(self, batch: list[capture.Turn]) -> list[tuple[capture.Turn, Accepted]]:
        return [(turn, self._keep(turn)) for turn in batch]

    def _keep(self, turn: capture.Turn) -> bool | InvalidInput:
        try:
            self.turns.append(capture.redacted_turn(turn))
        except InvalidInput as error:
            return error
        return True


class _RolledBack(Exception):
    """Rolls back the transaction of a dry run."""


def _external_id(said: ParsedTurn) -> str:
    return f"{said.session}:{said.line or f'{said.said_at}:{said.actor}:{capture.text_mark(said.text)}'}"


def _is_private(text: str) -> bool:
    """Whether the text is empty after redaction."""
    try:
        Redactor().redact_text(storable_text(text)[0])
    except InvalidInput:
        return True
    return False


def _is_part(text: str, texts: list[str]) -> bool:
    return any(f"\n{text}\n" in f"\n{one}\n" for one in texts)


def _found(paths: Iterable[str], tally: _Tally) -> Iterator[str]:
    for path in paths:
        found = session_files.found(path)
        if not found:
            tally.reject_file(path, f"contains none of {', '.join(transcripts.PATTERNS)}")
        yield from found


def _batches(turns: Iterable[capture.Turn]) -> Iterator[list[capture.Turn]]:
    batch: list[capture.Turn] = []
    size = 0
    for turn in turns:
        batch.append(turn)
        size += len(turn.text)
        if len(batch) >= BATCH_TURNS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
