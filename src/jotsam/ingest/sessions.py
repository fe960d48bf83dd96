"""Importing sessions: the files in which agents write down what was said, read line by line, each turn kept once.

A turn has the key under which a hook hands it in, so it does not matter which of the two comes first; and an own id
made of its session and its line, so it is known again when a later version reads more, or less, out of a line. Whatever
is known already changes nothing: a file that has grown is simply imported again, from its first line, and so is one
whose import was cut off. This room reads no file that nobody named, and writes in batches of one commit each.
"""

from __future__ import annotations

import os

from jotsam.core import validate
from jotsam.core.errors import InvalidInput
from jotsam.core.names import SESSION_FORMATS
from jotsam.core.records import Record
from jotsam.core.settings import load_settings
from jotsam.ingest import accept, capture, files, transcripts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any, BinaryIO

    from jotsam.core.settings import Settings
    from jotsam.ingest.transcripts import Lines, Said
    from jotsam.storage.database import Database, Transaction

    Tell = Callable[[str, int, int], None]
    """Is told what is read, and how many bytes of how many are behind."""

SLICE_TURNS = 200
SLICE_CHARACTERS = 1_000_000
"""So much is written in one commit: the lock of the database is never held for long."""
LINE_LIMIT = 32_000_000
LOOK = 100
"""By so many lines a file must show that it is a session."""
SHOWN = 10
PATTERN = "*.jsonl"
PRIVATE = "private"


class Asked(Record):
    """What is wanted of an import. Without a format, the lines say which they have."""

    format: str | None = None
    project: str | None = None
    session: str | None = None  # of turns that name none
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
    skipped: dict[str, int]  # number of lines that are not turns, by kind
    invalid: int  # lines that could not be imported
    problems: tuple[ImportProblem, ...]  # the first ten invalid lines, and every file that could not be imported
    incomplete: tuple[str, ...]  # files whose last line is still being written: import them again
    dry_run: bool = False


def import_sessions(
    database: Database,
    settings: Settings,
    paths: Iterable[str],
    wanted: Mapping[str, Any],
    *,
    tell: Tell | None = None,
) -> ImportResult:
    """Import session files, and all `*.jsonl` below folders; `wanted` are fields of `Asked`.

    What is wrong with a file or a line is told in the result, and keeps no other from being imported. Raises
    `InvalidInput` for a field that is wrong, and what the database raises.
    """
    asked, paths = _asked(wanted), [os.fspath(path) for path in validate.check_list("paths", paths)]
    tally, projects = _Tally(), _Projects(settings, asked.project)
    found = list(dict.fromkeys(_found(paths, tally)))
    total, before = sum(map(_size, found)), 0
    writer = _Writer(database, settings, dry_run=asked.dry_run)
    for path in found:
        try:
            file = open(path, "rb")  # noqa: SIM115 - what goes wrong further down is not the fault of opening it
        except (OSError, ValueError) as error:
            tally.refuse(path, f"cannot be read: {getattr(error, 'strerror', None) or error}")
            continue
        with file:
            session = _Session(path, asked, tally, projects)
            for batch in _slices(session.turns(file)):
                for turn, outcome in writer.write(batch):
                    tally.count(path, turn, outcome)
                if tell:
                    tell(os.path.basename(path), before + session.done, total)
        before += _size(path)
    return tally.result(files=len(found), dry_run=asked.dry_run)


def _asked(wanted: Mapping[str, Any]) -> Asked:
    validate.check_fields(wanted, Asked._fields)
    asked = Asked(**wanted)
    validate.check_choice("format", asked.format, SESSION_FORMATS)
    return asked.replace(
        project=accept.line("project", asked.project),
        session=accept.line("session", asked.session),
        dry_run=validate.check_bool("dry_run", asked.dry_run),
    )


class _Tally:
    """What has become of the lines so far."""

    def __init__(self) -> None:
        self._sessions: set[str] = set()
        self._left: dict[str, int] = {}
        self._problems: list[ImportProblem] = []
        self._unfinished: list[str] = []
        self._added = self._known = self._wrong = 0

    def count(self, path: str, turn: capture.Turn, outcome: bool | InvalidInput) -> None:
        """Whether a turn was new, or why it was not accepted."""
        if not isinstance(outcome, InvalidInput):
            self._sessions.add(turn.session)
            self._added += outcome
            self._known += not outcome
        elif _is_private(turn.text):
            self.leave_out(PRIVATE)
        else:
            self.blame(path, turn.position or 0, str(outcome))

    def leave_out(self, what: str, lines: int = 1) -> None:
        self._left[what] = self._left.get(what, 0) + lines

    def blame(self, path: str, number: int, reason: str) -> None:
        self._wrong += 1
        if self._wrong <= SHOWN:
            self._problems.append(ImportProblem(path=path, line=number, reason=reason))

    def refuse(self, path: str, reason: str) -> None:
        self._problems.append(ImportProblem(path=path, line=None, reason=reason))

    def leave_for_later(self, path: str) -> None:
        self._unfinished.append(path)

    def result(self, *, files: int, dry_run: bool) -> ImportResult:
        return ImportResult(
            files=files,
            sessions=len(self._sessions),
            added=self._added,
            duplicates=self._known,
            skipped=dict(sorted(self._left.items(), key=lambda item: (-item[1], item[0]))),
            invalid=self._wrong,
            problems=tuple(self._problems),
            incomplete=tuple(self._unfinished),
            dry_run=dry_run,
        )


class _Projects:
    """The project of a session as a hook finds it: by where it was held, and not by where the import is run."""

    def __init__(self, settings: Settings, asked: str | None) -> None:
        self._here = asked or settings.project or None
        self._asked = asked
        self._known: dict[str, str | None] = {}

    def of(self, folder: str | None) -> str | None:
        if self._asked or folder is None:
            return self._here
        if folder not in self._known:
            self._known[folder] = load_settings(folder=folder, strict=False)[0].project or None
        return self._known[folder]


class _Line(Record):
    number: int
    data: bytes | None  # None: it is too long
    is_ended: bool  # it has its newline


class _Session:
    """One file while it is read. Its first lines say which format it has."""

    def __init__(self, path: str, asked: Asked, tally: _Tally, projects: _Projects) -> None:
        self._path, self._asked, self._tally, self._projects = path, asked, tally, projects
        self._reader: Lines | None = None
        self._source = files.with_tilde(os.path.realpath(path))
        self._keys: set[str] = set()
        self._strange = 0
        self._early: list[tuple[int, str]] = []
        self.done = 0

    def turns(self, file: BinaryIO) -> Iterator[capture.Turn]:
        """The turns in a file; what else stands there is counted."""
        for line in _lines(file):
            self.done += len(line.data or b"")
            try:
                turn = self._read(line)
            except InvalidInput as error:
                self._blame(line.number, str(error))
            else:
                if turn:
                    yield turn
            if self._reader is None and self._strange + len(self._early) >= LOOK:
                break
        if self._reader is None and (self._strange or self._early):
            expected = f"lines of {self._asked.format}" if self._asked.format else transcripts.EXPECTED
            self._tally.refuse(self._path, f"is no session: expected {expected}")

    def _read(self, line: _Line) -> capture.Turn | None:
        """The turn in a line, if there is one. Raises `InvalidInput` for a broken line."""
        if line.data is None:
            raise InvalidInput(f"longer than {LINE_LIMIT:,} bytes")
        try:
            entry = transcripts.entry(line.data)
        except InvalidInput:
            if line.is_ended:
                raise
            self._tally.leave_for_later(self._path)
            return None
        if self._reader is None and not self._recognise(entry):
            self._strange += 1
            return None
        assert self._reader is not None
        said = self._reader.read(entry)
        if isinstance(said, str):
            self._tally.leave_out(said)
            return None
        return self._turn(said, line.number)

    def _recognise(self, entry: dict[str, object]) -> bool:
        asked = self._asked.format
        found = transcripts.PLAIN if asked == transcripts.PLAIN else transcripts.recognise(entry)
        if found is None or asked not in (None, found):
            return False
        self._reader = transcripts.lines(found, session=self._asked.session)
        if found != transcripts.PLAIN:
            self._source = found
        if self._strange:
            self._tally.leave_out(transcripts.OTHER, self._strange)
        for number, reason in self._early:
            self._tally.blame(self._path, number, reason)
        return True

    def _blame(self, number: int, reason: str) -> None:
        """Until it is known that this is a session, broken lines only speak against it."""
        if self._reader is None:
            self._early.append((number, reason))
        else:
            self._tally.blame(self._path, number, reason)

    def _turn(self, said: Said, number: int) -> capture.Turn:
        return capture.Turn(
            text=said.text,
            actor=said.actor,
            session=said.session,
            key=self._key(said),
            source=self._source,
            said_at=said.said_at,
            project=self._projects.of(said.folder),
            external_id=_external_id(said),
            position=number,
        )

    def _key(self, said: Said) -> str:
        """That of the hook; but what is said in the same words again within one prompt is told apart by its own id."""
        if said.prompt is not None:
            key = capture.turn_key(said.session, said.prompt, said.text, actor=said.actor)
            if key not in self._keys:
                self._keys.add(key)
                return key
        return f"turn:{_external_id(said)}"


class _Writer:
    """Accepts turns, a batch in one commit; or finds out what would become of them, and takes it back."""

    def __init__(self, database: Database, settings: Settings, *, dry_run: bool) -> None:
        self._database, self._settings, self._is_dry = database, settings, dry_run
        self._seen: set[str | None] = set()

    def write(self, batch: list[capture.Turn]) -> list[tuple[capture.Turn, bool | InvalidInput]]:
        """Each turn with whether it is new, or why it cannot be kept."""
        if not self._is_dry:
            return capture.commit(self._database, lambda tx: self._take(tx, batch), worker=self._settings.worker)
        taken: list[tuple[capture.Turn, bool | InvalidInput]] = []
        try:
            with self._database.transaction(durable=False) as tx:
                taken = self._take(tx, batch)
                raise _TakenBack
        except _TakenBack:
            return [(turn, self._is_new(turn) if outcome is True else outcome) for turn, outcome in taken]

    def _take(self, tx: Transaction, batch: list[capture.Turn]) -> list[tuple[capture.Turn, bool | InvalidInput]]:
        # Two imports that take the same turns in two orders would wait for each other, and one of them in vain.
        tx.lock(f"import {self._settings.tenant}")
        return [(turn, self._one(tx, turn)) for turn in batch]

    def _one(self, tx: Transaction, turn: capture.Turn) -> bool | InvalidInput:
        try:
            return not capture.take(tx, turn.replace(tenant=self._settings.tenant), self._settings).duplicate
        except InvalidInput as error:
            return error

    def _is_new(self, turn: capture.Turn) -> bool:
        """What an earlier batch would have kept is not there, since it was taken back."""
        names = {turn.key, turn.external_id}
        is_new = not names & self._seen
        self._seen |= names
        return is_new


class _TakenBack(Exception):
    """Ends a transaction that was only tried."""


def _external_id(said: Said) -> str:
    return f"{said.session}:{said.line or f'{said.said_at}:{said.actor}:{capture.mark(said.text)}'}"


def _is_private(text: str) -> bool:
    """Whether nothing may be kept of a text."""
    try:
        accept.clean(text)
    except InvalidInput:
        return True
    return False


def _found(paths: Iterable[str], tally: _Tally) -> Iterator[str]:
    for path in paths:
        below = files.under(path, (PATTERN,)) if os.path.isdir(path) else [path]
        if not below:
            tally.refuse(path, f"nothing below it matches {PATTERN}")
        yield from below


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0  # Opening it says why.


def _lines(file: BinaryIO) -> Iterator[_Line]:
    """The lines that are not empty. One that is too long is passed over and never held as a whole."""
    number = 0
    while data := file.readline(LINE_LIMIT):
        number += 1
        is_ended, is_long = data.endswith(b"\n"), len(data) == LINE_LIMIT
        while is_long and not is_ended and (more := file.readline(LINE_LIMIT)):
            is_ended = more.endswith(b"\n")
        if data.strip():
            yield _Line(number=number, data=None if is_long else data, is_ended=is_ended)


def _slices(turns: Iterable[capture.Turn]) -> Iterator[list[capture.Turn]]:
    batch: list[capture.Turn] = []
    size = 0
    for turn in turns:
        batch.append(turn)
        size += len(turn.text)
        if len(batch) >= SLICE_TURNS or size >= SLICE_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
