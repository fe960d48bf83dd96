"""Taking in: files, turns of a conversation, and what a hook had to set aside.

It stands on `accept` and is as light, for `jotsam add` and a hook start here. It opens the database, writes in short
transactions, and sees that a worker comes once they are committed. It must not print, and not import the front door.
"""

from __future__ import annotations

import os

from jotsam.core.clock import new_id
from jotsam.core.errors import InvalidInput, JotsamError, SchemaTooOld
from jotsam.core.names import EVERY_QUEUE
from jotsam.core.records import Document, Memory, Receipt, Record, Redaction
from jotsam.core.settings import load_settings
from jotsam.ingest import accept, files, spawn, spool
from jotsam.pipeline.redaction.redact import may_hold_secrets
from jotsam.storage import connect, queue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeVar

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Transaction

    T = TypeVar("T")

SLICE_DOCUMENTS = 50
SLICE_CHARACTERS = 5_000_000
LONG_TURN = 8_000
"""A turn with more characters is kept as a document, which is cut, and not as one memory."""


class Outcome(Record):
    """What became of one thing handed in: its receipt, or the error that kept it out."""

    name: str
    receipt: Receipt | None = None
    error: JotsamError | None = None


class Turn(Record):
    """What a user or an assistant said, as a hook hands it over or a session file has it."""

    text: str
    actor: str
    session: str
    key: str
    source: str  # the program in which it was said
    said_at: int
    tenant: str = "default"
    project: str | None = None
    redactions: tuple[dict[str, Any], ...] = ()  # fields of what was taken out of the text
    external_id: str | None = None
    position: int | None = None  # its line in the file


def mark(text: str) -> str:
    """Tells the texts of one prompt apart, by their checksum and length.

    It is not proof against collisions and need not be: only another text of the same session, prompt, speaker and
    length could collide. It is this one because loading `hashlib` would cost a hook more than all the rest.
    """
    from zlib import crc32

    said = text.strip()
    return f"{crc32(said.encode('utf-8', 'surrogatepass')):08x}{len(said):x}"


def turn_key(session: str, prompt: str, text: str, *, actor: str) -> str:
    """The same turn gives the same key, however often the hook runs for it, and wherever else it is found.

    The checksum tells apart what an agent says when it goes on after a stop, within one prompt.
    """
    return f"hook:{session}:{prompt}:{mark(text)}:{actor}"


def commit(database: Database, write: Callable[[Transaction], T], *, worker: str) -> T:
    """Accept something in one durable transaction; once it is kept, see that a worker comes."""
    with database.transaction() as tx:
        result = write(tx)
        token = accept.reserve_worker(tx) if worker == "auto" and database.is_file else None
    if token:
        spawn.launch(database.url, token=token)
    return result


def summon(database: Database, *, worker_idle_ms: int) -> None:
    """See that a worker comes when there is none, and it would find something to do within the time that it stays.

    One that was killed is replaced in this way by whoever waits for it. On a server whoever runs it starts workers.
    """
    if not database.is_file:
        return
    with database.snapshot() as tx:
        due = queue.next_wake(tx)
        is_soon = due is not None and due <= tx.now + worker_idle_ms
        has_work = is_soon or queue.is_ready(tx, EVERY_QUEUE)
    if not has_work and not spool.waiting(database.url):
        return
    with database.transaction(durable=False) as tx:
        token = accept.reserve_worker(tx)
    if token:
        spawn.launch(database.url, token=token)


def add(
    settings: Settings,
    items: Iterable[str | bytes],
    *,
    project: str | None = None,
    date: int | None = None,
    key: str | None = None,
    force: bool = False,
) -> Iterator[Outcome]:
    """Accept files by their paths, and as bytes what came through a pipe; each is kept when it is yielded.

    One that cannot be read or accepted comes back with its error, and the others are accepted; so does one whose name
    says that it holds secrets, unless `force` is given. They are written in
    slices, so that the lock of the database is never held for long. By default a document has the date of its file,
    and the project that its folder belongs to. Raises `DatabaseUnusable` or `DatabaseUnavailable`.
    """
    database: Database | None = None
    try:
        for batch in _slices(_read(item, settings, project=project, date=date, force=force) for item in items):
            if database is None and any(item.document for item in batch):
                database = connect(settings.db, wait_ms=settings.lock_timeout_ms)
            yield from _accept(database, batch, settings, key=key)
        if database and not database.is_file:
            empty_spool(database, settings)
    finally:
        if database:
            database.close()


def capture(settings: Settings, turn: Turn) -> None:
    """Keep a turn, within the time that a hook may take: in the database, or else in the spool beside it.

    A turn without any text that may be kept is dropped. Raises `OSError` if it can be kept nowhere.
    """
    said = turn.text
    try:
        clean = accept.clean(said)
    except InvalidInput:
        return
    turn = _discreet(turn.replace(text=clean.text, redactions=tuple(one.as_dict() for one in clean.redactions)))
    if "://" in settings.db:
        _capture_for_a_server(settings, turn)
        return
    try:
        database = connect(settings.db, wait_ms=settings.hook_lock_timeout_ms, migrate=False)
        try:
            commit(database, lambda tx: take(tx, turn, settings, said=said), worker=settings.worker)
        finally:
            database.close()
    except JotsamError as error:
        spool.put(settings.db, turn.as_dict())
        _call_for_help(settings, error)


def _discreet(turn: Turn) -> Turn:
    """A turn whose names hold no secret. A hook may neither fail nor lose a turn, and what it sets aside lies in a
    file: so what `accept` would refuse is taken out here, and what is allowed as well, for that stands in the database.
    """
    if not may_hold_secrets(f"{turn.session}\n{turn.project or ''}\n{turn.source}\n{turn.key}"):
        return turn
    cleaned = {name: accept.beside(name, getattr(turn, name) or "") for name in ("session", "project", "source")}
    found = tuple(one.as_dict() for _, taken in cleaned.values() for one in taken)
    names: dict[str, str | None] = {name: text or None for name, (text, _) in cleaned.items()}
    return turn.replace(**names, key=accept.beside("key", turn.key)[0], redactions=(*turn.redactions, *found))


def _capture_for_a_server(settings: Settings, turn: Turn) -> None:
    """Into the spool first, for nobody knows how long a server takes; then over there, as long as there is time.

    Whatever waits there is brought along. What is not finished in time ends with this process, and is in the spool.
    """
    import threading  # Only whoever has a server pays for it.

    spool.put(settings.db, turn.as_dict())
    bringer = threading.Thread(target=_bring, args=(settings,), daemon=True)
    bringer.start()
    bringer.join(settings.hook_lock_timeout_ms / 1000)


def _bring(settings: Settings) -> None:
    try:
        database = connect(settings.db, wait_ms=settings.hook_lock_timeout_ms, migrate=False)
        try:
            take_in(database, settings)
        finally:
            database.close()
    except (JotsamError, OSError):
        pass  # It waits in the spool, and `jotsam status` counts it.


def empty_spool(database: Database, settings: Settings) -> None:
    """Take in what waits, if that is possible now. If not, it stays where it is, and the doctor tells of it."""
    try:
        take_in(database, settings)
    except (OSError, JotsamError):
        pass


def take_in(database: Database, settings: Settings) -> int:
    """Accept what waits in the spool, and clear it away. Returns how many turns there were.

    A turn that is already there by its key changes nothing, so being cut off between the two does no harm. A file that
    cannot be understood is put aside for `jotsam doctor`. Raises `OSError`, and what the database raises.
    """
    taken = 0
    for path in spool.waiting(database.url):
        try:
            turn = Turn(**spool.get(path))
            with database.transaction() as tx:
                take(tx, turn, settings)
        except FileNotFoundError:
            continue  # Another process has taken it in meanwhile.
        except (ValueError, TypeError, RecursionError):
            spool.condemn(path)
            continue
        spool.remove(path)
        taken += 1
    return taken


class _Item(Record):
    """One thing on its way in: a document, or the error that keeps it out."""

    name: str
    document: Document | None = None
    warnings: tuple[str, ...] = ()
    error: JotsamError | None = None


def _read(item: str | bytes, settings: Settings, *, project: str | None, date: int | None, force: bool) -> _Item:
    name = "standard input" if isinstance(item, bytes) else item
    try:
        if isinstance(item, bytes):
            text, warnings = files.decode(item, name=name)
            reading = files.Reading(text=text, warnings=warnings)
        else:
            reading = files.read(item, force=force)
        document = Document(
            text=reading.text,
            tenant=settings.tenant,
            project=project or _project(reading.folder, settings) or None,
            source=reading.source,
            date=reading.date if date is None else date,
            date_by="file" if date is None and reading.date is not None else None,
        )
    except InvalidInput as error:
        return _Item(name=name, error=error)
    return _Item(name=name, document=document, warnings=reading.warnings)


def _project(folder: str | None, settings: Settings) -> str:
    return (folder and load_settings(folder=folder)[0].project) or settings.project


def _slices(items: Iterable[_Item]) -> Iterator[list[_Item]]:
    """Batches that one transaction writes quickly."""
    batch: list[_Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.document.text) if item.document else 0
        if len(batch) >= SLICE_DOCUMENTS or size >= SLICE_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _accept(database: Database | None, batch: list[_Item], settings: Settings, *, key: str | None) -> list[Outcome]:
    def write(tx: Transaction) -> list[Outcome]:
        return [_outcome(tx, item, settings, key=key) for item in batch]

    if database is None:
        return [Outcome(name=item.name, error=item.error) for item in batch]
    return commit(database, write, worker=settings.worker)


def _outcome(tx: Transaction, item: _Item, settings: Settings, *, key: str | None) -> Outcome:
    if item.document is None:
        return Outcome(name=item.name, error=item.error)
    try:
        receipt = accept.add(tx, item.document, key=key, soft_cap=settings.soft_cap)
    except InvalidInput as error:  # It is raised before anything is written, so the others of this commit stand.
        return Outcome(name=item.name, error=InvalidInput(f"{item.name}: {error}"))
    return Outcome(name=item.name, receipt=receipt.replace(warnings=(*item.warnings, *receipt.warnings)))


def take(tx: Transaction, turn: Turn, settings: Settings, *, said: str | None = None) -> Receipt:
    """Accept a turn. Each long one has a source of its own, for a newer document of a source hides the older.

    `said` is the text before anything was taken out of it, where that is still known: what is allowed stands then.
    Raises `InvalidInput`, before anything is written.
    """
    same = {name: getattr(turn, name) for name in ("text", "tenant", "project", "actor", "session")}
    before = tuple(Redaction(**one) for one in turn.redactions)
    if said is not None:
        same["text"], before = said, tuple(one for one in before if not one.place.startswith("line "))
    # How long it is without its secrets decides, so that it becomes the same on every way in.
    if len(turn.text) > LONG_TURN and (said is not None or len(accept.clean(turn.text).text) > LONG_TURN):
        document = Document(**same, source=f"{turn.source} {turn.key}", date=turn.said_at)
        return accept.add(tx, document, key=turn.key, soft_cap=settings.soft_cap, before=before)
    more = {name: getattr(turn, name) for name in ("source", "said_at", "external_id", "position")}
    cap, attempts = settings.soft_cap, settings.enrich_attempts
    return accept.remember(tx, Memory(**same, **more), key=turn.key, soft_cap=cap, attempts=attempts, before=before)


def _call_for_help(settings: Settings, error: JotsamError) -> None:
    """Start a worker for a turn in the spool, where a worker can mend what kept the turn out of the database."""
    can_help = error.retry or isinstance(error, SchemaTooOld) or not os.path.exists(settings.db)
    if can_help and settings.worker == "auto":
        spawn.launch(settings.db, token=new_id())
