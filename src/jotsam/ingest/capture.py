"""Accepts files, turns and spooled turns: opens the database, writes, and starts a worker after the commit.

As light as `accept`, because `jotsam add` and hooks start here. It prints nothing and must not import the client.
"""

from __future__ import annotations

import os

from jotsam.core.clock import new_id, system_clock
from jotsam.core.errors import InvalidInput, JotsamError, SchemaTooOld
from jotsam.core.records import Document, Memory, Receipt, Record, Redaction
from jotsam.core.settings import FOLDER, configured_settings, load_settings
from jotsam.core.validate import cut_name
from jotsam.ingest import accept, capture_switch, hook_log, spawn, spool
from jotsam.ingest.redactor import Redactor
from jotsam.ingest.start_worker import commit
from jotsam.ingest.validation import storable_text
from jotsam.pipeline.redaction.redact import may_hold_secrets
from jotsam.storage import connect
from jotsam.storage.memories import projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from jotsam.agents.agent import Event
    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Transaction

# Limits of a batch that one transaction writes, so that the write lock is never held for long.
BATCH_DOCUMENTS = 50
BATCH_CHARACTERS = 5_000_000

MAX_PART_BYTES = 200  # of each part of the key of a turn, which then fits together with its tenant into an index
LONG_TURN = 8_000  # a turn with more characters is stored as a document, which is chunked, instead of one memory
MAX_TURN = 200_000  # characters of a turn that are kept, by hooks and by imports: more is pasted data
CUT_BACK = 1_000  # a turn is cut at white space, if there is any in this many last characters: no secret is halved


class Outcome(Record):
    """The result for one file: its receipt, or the error because of which it was not accepted."""

    name: str
    receipt: Receipt | None = None
    error: JotsamError | None = None


class ReadFile(Record):
    """A file that was read: its document, or the error because of which it is not accepted."""

    name: str
    document: Document | None = None
    warnings: tuple[str, ...] = ()
    error: JotsamError | None = None
    key: str | None = None
    redactions: tuple[Redaction, ...] = ()  # made in the text before it is accepted


class Turn(Record):
    """Turns of a user or an assistant, from a hook or a session file."""

    text: str
    actor: str
    session: str
    key: str
    source: str  # the agent program
    said_at: int
    tenant: str = "default"
    project: str | None = None
    redactions: tuple[dict[str, Any], ...] = ()  # fields of `Redaction`, made before it was spooled
    external_id: str | None = None
    position: int | None = None  # its line in the session file
    type: str | None = None  # None: found by the extraction
    metadata: Mapping[str, str] | None = None


def turn_of(event: Event, settings: Settings) -> Turn:
    """The turn in an event of a hook."""
    return Turn(
        text=event.text,
        actor=event.actor,
        session=event.session,
        # The key of a commit has its author alone, as earlier versions made it.
        key=turn_key(event.session, event.prompt, event.text, actor=(event.metadata or {}).get("author", event.actor)),
        source=event.source,
        said_at=event.said_at or system_clock(),
        type=event.memory_type,
        metadata=event.metadata,
        tenant=settings.tenant,
        project=settings.project or None,
    )


def text_mark(text: str) -> str:
    """Distinguishes the texts of one prompt, by checksum and length.

    Only texts of the same session, prompt, speaker and length could collide, so CRC-32 is enough; importing `hashlib`
    would take a hook longer than everything else.
    """
    from zlib import crc32

    said = text.strip()
    return f"{crc32(said.encode('utf-8', 'surrogatepass')):08x}{len(said):x}"


def turn_key(session: str, prompt: str, text: str, *, actor: str) -> str:
    """Idempotency key of a turn: the same from every hook call and from the session file.

    The checksum distinguishes several replies of an agent to one prompt.
    """
    session, prompt = cut_name(session, limit=MAX_PART_BYTES), cut_name(prompt, limit=MAX_PART_BYTES)
    return f"hook:{session}:{prompt}:{text_mark(text)}:{actor}"


def file_key(line: str, text: str, *, actor: str) -> str:
    """Idempotency key of a turn whose file does not name its prompt. `line` is its external id."""
    return f"file:{line}:{text_mark(text)}:{actor}"


def said_of_file_key(key: str) -> str | None:
    """The speaker and the checksum of the text in a key of `file_key`, as `said_of_hook_key` returns them."""
    return ":".join(key.rsplit(":", 2)[1:]) if key.startswith("file:") else None


def said_of_hook_key(key: str) -> str | None:
    """The speaker and the checksum of the text in a key of `turn_key`; None for any other key."""
    return ":".join(key.rsplit(":", 2)[1:]) if key.startswith("hook:") else None


def cut_turn(text: str) -> str:
    """The beginning of a very long turn, with a note of what is missing; any other text is unchanged.

    The key of a turn is made from its full text.
    """
    if len(text) <= MAX_TURN:
        return text
    head = text[: MAX_TURN - 100]  # leaves room for the note, so that cutting again changes nothing
    at = max(map(head.rfind, " \n\t"))
    head = head[:at] if at >= len(head) - CUT_BACK else head
    return f"{head}\n[{len(text) - len(head):,} more characters were not stored]"


def add(
    settings: Settings,
    items: Iterable[str | bytes],
    *,
    project: str | None = None,
    date: int | None = None,
    actor: str | None = None,
    key: str | None = None,
    force: bool = False,
) -> Iterator[Outcome]:
    """Accept files by path, and piped input as bytes. Each is committed when its outcome is yielded.

    A file that cannot be read or accepted yields its error and does not stop the others; so does one whose name
    suggests that it contains secrets, unless `force` is set. By default a document has the modification date of its
    file and the project of its folder. Raises `DatabaseUnusable` or `DatabaseUnavailable`.
    """
    read = (read_file(item, settings, project=project, date=date, actor=actor, force=force) for item in items)
    return accept_files(settings, (file.replace(key=key) for file in read))


def accept_files(settings: Settings, read: Iterable[ReadFile]) -> Iterator[Outcome]:
    """Accept files that were read. Each is committed when its outcome is yielded. Raises as `add` does."""
    database: Database | None = None
    try:
        for batch in _batches(read):
            if database is None and any(file.document for file in batch):
                database = connect(settings.db, wait_ms=settings.lock_timeout_ms)
            yield from _accept(database, batch, settings)
        if database and not database.is_file:
            empty_spool(database, settings)
    finally:
        if database:
            database.close()


def capture(settings: Settings, turn: Turn, *, unknown: tuple[str, ...] = ()) -> None:
    """Store a turn within the time limit of a hook: in the database, or else in the spool.

    `unknown` are the settings that could not be read. Without `db` or `tenant` the turn is spooled until they can.
    A turn that is empty after redaction is dropped. Raises `OSError` if it cannot be spooled either.
    """
    turn = turn.replace(text=cut_turn(turn.text))
    unredacted = turn.text
    try:
        turn = redacted_turn(turn)
    except InvalidInput:
        return
    if "db" in unknown or "tenant" in unknown:
        fields = turn.as_dict() | ({"tenant": ""} if "tenant" in unknown else {})
        spool.write(None if "db" in unknown else settings.db, fields)
        return
    if "://" in settings.db:
        _capture_for_server(settings, turn)
        return
    database: Database | None = None
    exists = os.path.exists(settings.db)  # before it is opened: a worker may create it in the meantime
    try:
        database = connect(settings.db, wait_ms=settings.hook_lock_timeout_ms, migrate=False)
        commit(database, lambda tx: _accept_captured(tx, turn, settings, unredacted=unredacted), worker=settings.worker)
    except JotsamError as error:
        _spool(settings, turn, error, exists=exists)
        if database:
            database.notify()  # An idle worker imports the turn.
    finally:
        if database:
            database.close()


def spool_turn(settings: Settings, turn: Turn, error: Exception) -> None:
    """Spool a turn after an error that is not ours, such as that of a broken installation. Raises `OSError`."""
    try:
        turn = redacted_turn(turn.replace(text=cut_turn(turn.text)))
    except InvalidInput:
        return
    _spool(settings, turn, error, exists=os.path.exists(settings.db))


def _spool(settings: Settings, turn: Turn, error: Exception, *, exists: bool) -> None:
    """Spool a turn that cannot be written to its file, and start a worker if that can help: it may migrate the file."""
    path = spool.write(settings.db, turn.as_dict())
    can_help = isinstance(error, JotsamError) and (error.retry or isinstance(error, SchemaTooOld) or not exists)
    if not can_help or os.path.dirname(path) != spool.folder(settings.db):
        hook_log.write(f"{type(error).__name__}: {error}; the turn was spooled to {path}")
    elif settings.worker == "auto":
        spawn.launch(settings.db, token=new_id())


def redacted_turn(turn: Turn) -> Turn:
    """The turn without secrets, also in its identifiers. Raises `InvalidInput` if no text is left.

    A hook must not fail, and what it spools is a file: so what `accept` would refuse is redacted here. Allowed secrets
    are redacted too, because they are listed in the database.
    """
    redactor = Redactor()
    changes: dict[str, object] = {"text": redactor.redact_text(storable_text(turn.text)[0])}
    if may_hold_secrets(f"{turn.session}\n{turn.project or ''}\n{turn.source}\n{turn.key}"):
        for name in ("session", "project", "source"):
            changes[name] = redactor.redact_field(name, getattr(turn, name) or "") or None
        changes["key"] = Redactor().redact_field("key", turn.key)
    if turn.metadata is not None:
        changes["metadata"] = {name: redactor.redact_field("metadata", value) for name, value in turn.metadata.items()}
    return turn.replace(**changes, redactions=tuple(one.as_dict() for one in redactor.found))


def _capture_for_server(settings: Settings, turn: Turn) -> None:
    """Spool the turn first, because a server may be slow, then send all spooled turns until the time limit.

    What is not finished in time ends with this process, and stays in the spool.
    """
    import threading  # slow to import

    spool.write(settings.db, turn.as_dict())
    sender = threading.Thread(target=_send_spool, args=(settings,), daemon=True)
    sender.start()
    sender.join(settings.hook_lock_timeout_ms / 1000)


def _send_spool(settings: Settings) -> None:
    try:
        database = connect(settings.db, wait_ms=settings.hook_lock_timeout_ms, migrate=False)
        try:
            accept_spooled(database, settings)
        finally:
            database.close()
    except (JotsamError, OSError):
        pass  # The turns stay in the spool, and `jotsam status` counts them.


def empty_spool(database: Database, settings: Settings) -> None:
    """Accept the spooled turns if possible. If not, they stay in the spool, and `jotsam doctor` reports them."""
    try:
        accept_spooled(database, settings)
    except (OSError, JotsamError):
        pass


def accept_spooled(database: Database, settings: Settings, paths: Iterable[str] | None = None) -> int:
    """Accept each spooled turn and delete its file. Returns the number of turns.

    `paths` are other files of the spool than those for this database. A turn whose key is known changes nothing, so an
    interruption between the two is harmless. A file without a turn, or of a session that is not captured, is deleted; a
    damaged one is renamed for `jotsam doctor`. Raises `OSError`, and the errors of the database.
    """
    accepted = 0
    for path in spool.waiting(database.url) if paths is None else paths:
        if path.endswith(spool.DUE):
            continue  # A worker reads transcripts.
        try:
            turn = _spooled_turn(path)
            if turn:
                with database.transaction() as tx:
                    _accept_captured(tx, turn, settings)
        except (FileNotFoundError, _SettingsUnreadable):
            continue  # Another process has accepted it in the meantime, or it waits.
        except (ValueError, TypeError, RecursionError):
            spool.mark_damaged(path)
            continue
        spool.remove(path)
        accepted += turn is not None
    return accepted


class _SettingsUnreadable(Exception):
    """A spooled turn waits for settings that cannot be read now."""


def _spooled_turn(path: str) -> Turn | None:
    """The turn in a spooled file, redacted; None if nothing in it is stored. Raises as `spool.read_fields`."""
    if path.endswith(spool.RAW):
        return _kept_turn(path)
    turn = Turn(**spool.read_fields(path))
    if turn.tenant:
        return turn
    # The hook could not read the tenant of the user's settings file.
    try:
        settings = configured_settings()
    except InvalidInput:
        raise _SettingsUnreadable from None
    return None if settings.capture == "off" else turn.replace(tenant=settings.tenant)


def _kept_turn(path: str) -> Turn | None:
    """As `_spooled_turn`, of an event that the launcher kept."""
    from jotsam.ingest import hook_events, raw_events  # rarely needed

    kept = raw_events.read_event(path)
    if kept.event is None or kept.event.kind not in hook_events.TURNS:
        return None
    if kept.settings is None:
        raise _SettingsUnreadable
    if not capture_switch.is_captured(kept.settings, folder=kept.event.folder, session=kept.event.session):
        return None
    turn = turn_of(kept.event, kept.settings)
    try:
        return redacted_turn(turn.replace(text=cut_turn(turn.text)))
    except InvalidInput:
        return None  # Nothing is left of it.


def read_file(
    item: str | bytes,
    settings: Settings,
    *,
    project: str | None = None,
    date: int | None = None,
    actor: str | None = None,
    force: bool = False,
) -> ReadFile:
    """Read a file by path, or take piped input as bytes. Options as in `add`."""
    from jotsam.ingest import files  # A hook reads none.

    name = "standard input" if isinstance(item, bytes) else item
    try:
        if isinstance(item, bytes):
            text, warnings = files.decode(item, name=name)
            reading = files.Reading(text=text, warnings=warnings)
        else:
            reading = files.read_file(item, force=force)
        document = Document(
            text=reading.text,
            tenant=settings.tenant,
            project=project or _project(reading.folder, settings) or None,
            source=reading.source,
            date=reading.date if date is None else date,
            actor=actor,
            date_by="file" if date is None and reading.date is not None else None,
        )
    except InvalidInput as error:
        return ReadFile(name=name, error=error)
    return ReadFile(name=name, document=document, warnings=reading.warnings)


def _project(folder: str | None, settings: Settings) -> str:
    """That of the repository of a file, or else of the settings: a folder of notes is no project of its own."""
    if folder:
        found, origins = load_settings(folder=folder)
        if origins["project"] != FOLDER:
            return found.project or settings.project
    return settings.project


def _batches(read: Iterable[ReadFile]) -> Iterator[list[ReadFile]]:
    batch: list[ReadFile] = []
    size = 0
    for file in read:
        batch.append(file)
        size += len(file.document.text) if file.document else 0
        if len(batch) >= BATCH_DOCUMENTS or size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _accept(database: Database | None, batch: list[ReadFile], settings: Settings) -> list[Outcome]:
    def write(tx: Transaction) -> list[Outcome]:
        return [_outcome(tx, file, settings) for file in batch]

    if database is None:
        return [Outcome(name=file.name, error=file.error) for file in batch]
    return commit(database, write, worker=settings.worker)


def _outcome(tx: Transaction, file: ReadFile, settings: Settings) -> Outcome:
    if file.document is None:
        return Outcome(name=file.name, error=file.error)
    try:
        cap, label = settings.soft_cap, label_in(settings, file.document.project)
        receipt = accept.add(tx, file.document, key=file.key, soft_cap=cap, redactions=file.redactions, label=label)
    except InvalidInput as error:  # raised before anything is written, so the others of this commit are unaffected
        return Outcome(name=file.name, error=InvalidInput(f"{file.name}: {error}"))
    return Outcome(name=file.name, receipt=receipt.replace(warnings=(*file.warnings, *receipt.warnings)))


def _accept_captured(tx: Transaction, turn: Turn, settings: Settings, *, unredacted: str | None = None) -> Receipt:
    """`accept_turn` for a hook, which loses no turn because the name of its project could mean several."""
    tx.set_tenant(turn.tenant)
    try:
        projects.resolve(tx, turn.project or "")
    except InvalidInput:
        projects.add(tx, turn.project or "")
    return accept_turn(tx, turn, settings, unredacted=unredacted)


def accept_turn(tx: Transaction, turn: Turn, settings: Settings, *, unredacted: str | None = None) -> Receipt:
    """Store a turn as a memory, or a long one as a document. Raises `InvalidInput`, before anything is written.

    `unredacted` is the original text if it is still available: then allowed secrets stay in it.
    """
    same = {name: getattr(turn, name) for name in ("text", "tenant", "project", "actor", "session")}
    redactions = tuple(Redaction(**one) for one in turn.redactions)
    if unredacted is not None:
        same["text"], redactions = unredacted, tuple(one for one in redactions if not one.place.startswith("line "))
    label = label_in(settings, turn.project)
    if _is_long(turn, is_redacted=unredacted is not None):
        # Each long turn has a source of its own, because a newer document of a source supersedes the older.
        document = Document(**same, source=f"{turn.source} {turn.key}", date=turn.said_at)
        cap = settings.soft_cap
        return accept.add(tx, document, key=turn.key, soft_cap=cap, redactions=redactions, label=label)
    more = {name: getattr(turn, name) for name in ("source", "said_at", "external_id", "position", "type", "metadata")}
    return accept.remember(
        tx,
        Memory(**same, **more),
        key=turn.key,
        soft_cap=settings.soft_cap,
        attempts=settings.enrich_attempts,
        redactions=redactions,
        label=label,
    )


def label_in(settings: Settings, project: str | None) -> str:
    """What the settings call this project; empty if they are of another."""
    return settings.project_label if project == settings.project else ""


def _is_long(turn: Turn, *, is_redacted: bool) -> bool:
    """By the length after redaction, so that a hook and an import of the session file give the same result."""
    if len(turn.text) <= LONG_TURN:
        return False
    return is_redacted or len(Redactor().redact_text(storable_text(turn.text)[0])) > LONG_TURN
