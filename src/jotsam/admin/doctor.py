"""`jotsam doctor`: checks of the database, its surroundings and the configured models, and a self-test.

Each check is a function that yields results. No check stops the others, calls a paid model, or changes anything, except
for the repairs that are made on request.
"""

from __future__ import annotations

import os
import shutil
import stat

from jotsam.admin import embedders, text_index
from jotsam.admin.agents import agent_checks, hook_checks
from jotsam.admin.checks import data_checks, selftest
from jotsam.admin.checks.data_checks import advice, backup, backup_on_server, lifecycle, missing_objects
from jotsam.admin.checks.service_checks import check_model, check_reranker, engines
from jotsam.core import own_files
from jotsam.core.clock import monotonic_ms, new_id
from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.core.names import EVERY_QUEUE, MODEL
from jotsam.core.platform import files
from jotsam.core.platform.folders import data_folder
from jotsam.core.records import CheckResult
from jotsam.ingest import capture, spool, start_worker
from jotsam.memory.api.client import Jotsam
from jotsam.memory.jobs import jobs
from jotsam.memory.status.queue_state import paused, worker_state
from jotsam.storage import MEMORY, queue
from jotsam.storage.sqlite import sqlite_notify, worker_lease

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jotsam.core.settings import Settings

    Check = Callable[[Jotsam, Settings], Iterator[CheckResult]]

REPAIR = "jotsam doctor --repair"
SAFE_SQLITE = (3, 51, 3)  # earlier versions can damage a database with several writers (the WAL-reset bug)
LOW_SPACE, NO_SPACE = 500_000_000, 50_000_000  # bytes
NO_MODEL = "none is configured: extraction by rules only"
AS_CHECK = {"error": "fail", "warning": "warn", "note": "ok"}
OTHER_CHECKS = ("spool", "capture", "replica", "step", "embed")  # findings that a check of their own tells in detail


def examine(settings: Settings, *, repair: bool = False) -> Iterator[CheckResult]:
    """Yield the result of each check. An error of the database is a result too.

    With `repair` a damaged full-text index is rebuilt first, or on a server row-level security is restored, and turns
    that hooks spooled for a database which cannot exist are stored in this one. The launcher of agents is repaired too.
    """
    if repair:
        yield from agent_checks.repaired()
    if _is_absent(settings.db) and not (repair and hook_checks.orphans(settings.db)):
        yield _absent(settings.db)
        yield from _without_database(settings)
        return
    try:
        # The self-test runs its jobs in this process, not in a background worker, so that it tests this installation.
        jot = Jotsam(settings=settings.replace(worker="off"))
    except JotsamError as error:
        hint = "fix what the error describes, or choose another --db"
        yield CheckResult(name="database", level="fail", text=str(error), repair=hint)
        yield from _without_database(settings)
        return
    with jot:
        if jot.database.is_file and (lost := _missing_tables(jot)):
            text = f"{jot.database.url}: missing: {', '.join(f'table {name}' for name in lost)}"
            yield CheckResult(name="schema", level="fail", text=text, repair=advice(jot))
            yield from _without_database(settings)
            return
        if repair:
            yield from _safely(_repaired if jot.database.is_file else _restored, jot, settings)
            yield from _safely(_adopted, jot, settings)
        damaged = False
        for check in (*(FILE_CHECKS if jot.database.is_file else SERVER_CHECKS), *COMMON_CHECKS):
            for result in _safely(check, jot, settings):
                damaged |= result.level == "fail" and result.name in DAMAGE
                is_known = repair and result.repair == REPAIR  # It has just been tried.
                yield result.replace(repair=advice(jot)) if is_known else result
        if damaged:
            text = "skipped: it would write to a damaged database"
            yield CheckResult(name="round trip", level="warn", text=text)
        else:
            yield from _safely(_round_trip, jot, settings)


def _is_absent(database: str) -> bool:
    return "://" not in database and not os.path.exists(os.path.expanduser(database))


def _absent(database: str) -> CheckResult:
    """A database that the first text creates, if its folder can be made."""
    folder = os.path.dirname(os.path.abspath(os.path.expanduser(database)))
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder) or not os.access(folder, os.W_OK | os.X_OK):
        text = f"{database} does not exist, and cannot be created in {folder}"
        return CheckResult(
            name="database", level="fail", text=text, repair="make it writable; or name another with --db"
        )
    return CheckResult(name="database", level="ok", text=f"{database} does not exist: nothing is stored yet")


def _missing_tables(jot: Jotsam) -> list[str]:
    try:
        with jot.database.snapshot() as tx:
            return list(missing_objects(tx)[0])
    except JotsamError:
        return []  # Each check reports it.


def _without_database(settings: Settings) -> Iterator[CheckResult]:
    """The checks that need no database, or none that works."""
    yield from hook_checks.spools(settings.db)
    yield from _hooks(None, settings)
    if settings.has_model:
        level, text, repair = check_model(settings)
        yield CheckResult(name="model", level=level, text=text, repair=repair)
    else:
        yield CheckResult(name="model", level="ok", text=NO_MODEL)
    yield from _recognition(settings)
    yield from check_reranker(settings)


def _safely(check: Check, jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    try:
        yield from check(jot, settings)
    except (JotsamError, OSError) as error:
        yield CheckResult(name=check.__name__.strip("_").replace("_", " "), level="fail", text=str(error))


def _server(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    with jot.database.snapshot() as tx:
        (found,) = tx.execute(
            "select current_setting('server_version') as version, current_setting('server_encoding') as encoding,"
            " rolname as role from pg_roles where rolname = current_user"
        )
    if found["encoding"] != "UTF8":
        text = f"the encoding of the database is {found['encoding']}: some texts cannot be stored"
        yield CheckResult(name="server", level="fail", text=text, repair="create a database with encoding UTF8")
    else:
        yield CheckResult(name="server", level="ok", text=f"PostgreSQL {found['version']}, {jot.database.url}")


def _replicas(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    for replica in jot.database.replica_states():
        if replica.lag_ms is None:
            text, level = f"{replica.name}: {replica.problem}; the primary answers instead", "warn"
            repair = "check its server, or correct `read` in the address of the database"
        elif replica.lag_ms > settings.max_replica_lag_ms:
            text, level = f"{replica.name}: {replica.lag_ms / 1_000:,.1f} s behind; the primary answers instead", "warn"
            repair = f"find out why it is slow, or raise max_replica_lag_ms (now {settings.max_replica_lag_ms:,})"
        else:
            text, level, repair = f"{replica.name}: {replica.lag_ms / 1_000:,.1f} s behind", "ok", ""
        yield CheckResult(name="replica", level=level, text=text, repair=repair)


def _row_level_security(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    yield data_checks.examine_row_level_security(jot)


def _restored(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    if tables := data_checks.restore_row_level_security(jot):
        text = f"row-level security was restored: {', '.join(tables)}"
        yield CheckResult(name="repaired", level="ok", text=text)


def _pooler(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    if jot.database.is_pooled:
        text = (
            "the server is behind a connection pooler: statements are not prepared, and workers ask for jobs every"
            f" {settings.poll_interval_ms:,} ms because they cannot be notified"
        )
        yield CheckResult(name="pooler", level="ok", text=text)


def _pgvector(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """The pgvector extension. Only embeddings need it, so it is a warning only if an embedder is configured."""
    with jot.database.snapshot() as tx:
        (found,) = tx.execute(
            "select (select extversion from pg_extension where extname = 'vector') as made,"
            " (select default_version from pg_available_extensions where name = 'vector') as there,"
            " current_setting('server_version_num')::int / 10000 as major, current_database() as name"
        )
    create = f"psql -d {found['name']} -c 'create extension vector'"
    refresh = "`jotsam models refresh --force`"
    now = embedders.status(jot)
    if found["made"] and (now.name is None or now.compares):
        yield CheckResult(name="pgvector", level="ok", text=f"{found['made']}")
        return
    if found["made"]:
        text, repair = "created after the vectors: each process compares them itself", refresh
    elif found["there"]:
        text, repair = "not enabled", f"as a superuser: {create}; then {refresh}"
    else:
        apt = f"apt install postgresql-{found['major']}-pgvector (from the PostgreSQL project's apt repository)"
        text, repair = "not installed", f"on the server (Debian, Ubuntu): {apt}; {create}; then {refresh}"
    if now.name is None:
        yield CheckResult(name="pgvector", level="ok", text=f"{text}; needed only for embeddings: {repair}")
    else:
        text += ": each process loads all vectors of its tenant, and needs the 'embed' extra for it"
        yield CheckResult(name="pgvector", level="warn", text=text, repair=repair)


def _file(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    path = jot.database.url
    mode = stat.S_IMODE(os.stat(path).st_mode)
    if mode & 0o077 and files.HAS_MODES:
        text = f"{path} has mode {mode:04o}: others can read it"
        yield CheckResult(name="file", level="warn", text=text, repair=f"chmod 600 {path}")
    else:
        yield CheckResult(name="file", level="ok", text=f"{path}, mode {mode:04o}")


def _folder(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """The default data folder must be private. A folder that the user chose must not be writable by others."""
    path = os.path.dirname(jot.database.url)
    mode = stat.S_IMODE(os.stat(path).st_mode)
    forbidden = 0o077 if path == data_folder(os.environ) else 0o022
    if mode & forbidden and not mode & stat.S_ISVTX and files.HAS_MODES:
        text = f"{path} has mode {mode:04o}: others can {'write to' if mode & 0o022 else 'read'} it"
        yield CheckResult(name="folder", level="warn", text=text, repair=f"chmod 700 {path}")
    else:
        yield CheckResult(name="folder", level="ok", text=f"{path}, mode {mode:04o}")
    if sqlite_notify.remove_old(jot.database.url):
        text = f"{jot.database.url}{sqlite_notify.OLD_SUFFIX}, the pipe of an earlier version, which a copy waited for"
        yield CheckResult(name="folder", level="ok", text=f"removed {text}")


def _sqlite(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    with jot.database.snapshot() as tx:
        version = str(tx.execute("select sqlite_version() as version")[0]["version"])
        mode = str(tx.execute("pragma journal_mode")[0]["journal_mode"])
    if tuple(int(part) for part in version.split(".")) < SAFE_SQLITE:
        text = f"SQLite {version} can damage a database with several writers"
        yield CheckResult(name="sqlite", level="fail", text=text, repair="pip install --upgrade apsw")
    elif mode != "wal":
        text = f"the journal mode is {mode}: readers and writers block each other"
        yield CheckResult(name="sqlite", level="warn", text=text, repair="keep the database on a local disk")
    else:
        yield CheckResult(name="sqlite", level="ok", text=f"SQLite {version}, write-ahead log")


def _schema(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    with jot.database.snapshot() as tx:
        rows = tx.execute("select schema, max(version) as version from jotsam_migration group by schema")
        _, indexes = missing_objects(tx) if jot.database.is_file else ({}, {})
    found = {row["schema"]: row["version"] for row in rows}
    missing = [schema for schema in MEMORY if schema not in found]
    text = ", ".join(f"{schema} {version}" for schema, version in sorted(found.items()))
    level, repair = ("fail", advice(jot)) if missing else ("ok", "")
    if indexes:
        level, text, repair = "fail", f"missing: {', '.join(f'index {name}' for name in indexes)}", REPAIR
    yield CheckResult(name="schema", level=level, text=text or "no schema", repair=repair)


def _integrity(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    started = monotonic_ms()
    with jot.database.snapshot() as tx:
        lines = [str(row["quick_check"]) for row in tx.execute("pragma quick_check(3)")]
    lines = [line for line in lines if "fts5" not in line] or ["ok"]  # reported by `_text_index`
    if lines == ["ok"]:
        yield CheckResult(name="integrity", level="ok", text=f"quick check passed in {monotonic_ms() - started:,} ms")
    else:
        repair = f"stop all writers, and {advice(jot)}"
        yield CheckResult(name="integrity", level="fail", text="; ".join(lines), repair=repair)


def _text_index(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    with jot.database.snapshot() as tx:
        damage = text_index.damage(tx)
    text = f"the full-text index is damaged: {damage}" if damage else "the full-text index is intact"
    repair = REPAIR if damage else ""
    yield CheckResult(name="text index", level="fail" if damage else "ok", text=text, repair=repair)


def _repaired(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    jot.database.maintain()  # On a full disk the write-ahead log may be what fills it.
    with jot.database.transaction() as tx:
        _, indexes = missing_objects(tx)
        for sql in indexes.values():
            tx.execute(sql)
        made = text_index.rebuild(tx) if text_index.damage(tx) else None
    if indexes:
        yield CheckResult(name="repaired", level="ok", text=f"created again: {', '.join(indexes)}")
    if made is not None:
        yield CheckResult(name="repaired", level="ok", text=f"the full-text index was rebuilt from {made:,} texts")


def _adopted(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    accepted = capture.accept_spooled(jot.database, settings, hook_checks.orphans(jot.database.url))
    if accepted:
        yield CheckResult(name="repaired", level="ok", text=f"stored in this database: {hook_checks.turns(accepted)}")


def _space(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    folder = os.path.dirname(jot.database.url)
    free = shutil.disk_usage(folder).free
    level = "fail" if free < NO_SPACE else "warn" if free < LOW_SPACE else "ok"
    repair = "" if level == "ok" else "free some space: without it nothing can be accepted"
    yield CheckResult(name="space", level=level, text=f"{free / 1e9:,.1f} GB free in {folder}", repair=repair)


def _disk(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    path = f"{jot.database.url}.doctor-{new_id()[:8]}"
    started = monotonic_ms()
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(bytes(4_096))
            file.flush()
            os.fsync(file.fileno())
    finally:
        spool.remove(path)
    yield CheckResult(name="disk", level="ok", text=f"written and synced in {monotonic_ms() - started:,} ms")


def _worker(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """Only what is right with it: `_health` tells that none runs and jobs wait."""
    with jot.database.snapshot() as tx:
        state, pid = worker_state(tx, leased=jot.database.is_file)
        holder = worker_lease.holder(tx, longest_ms=start_worker.LEASE_MS) if jot.database.is_file else None
    text = f"running, pid {pid}" if state == "running" and pid else state
    if state == "none":
        text = "none is running"
        if holder:
            text += f"; pid {holder.pid} died, and the next worker takes over at once"
    yield CheckResult(name="worker", level="ok", text=text)


def _health(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """The verdict of `jotsam status`."""
    found = [one for one in jot.status().findings if one.name not in OTHER_CHECKS]
    for one in found:
        yield CheckResult(name=one.name, level=AS_CHECK[one.level], text=one.text, repair=one.command)
    if not found:
        yield CheckResult(name="health", level="ok", text="no job is dead, and no queue is paused")


def _log(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    path = spool.log_path(jot.database.url)
    if (why := own_files.problem(path, beside=jot.database.url)) is not None:
        yield CheckResult(name="log", level="warn", text=f"not written: {why}", repair=f"rm {path}")
        return
    errors = hook_checks.recent_errors(path, limit=1)
    level, repair = ("warn", f"see {path}") if errors else ("ok", "")
    yield CheckResult(name="log", level=level, text=errors[0] if errors else "no recent error", repair=repair)


def _hooks(jot: Jotsam | None, settings: Settings) -> Iterator[CheckResult]:
    return hook_checks.hooks(jot.database if jot else None, settings)


def _account(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """No job is lost: every accepted job is done, discarded, pending or dead."""
    with jot.database.snapshot() as tx:
        each = [queue.totals(tx, queue=name, tenant=settings.tenant) for name in EVERY_QUEUE]
        depth = queue.depth(tx, queues=EVERY_QUEUE, tenant=settings.tenant)
    accepted, done, discarded = (sum(one[event] for one in each) for event in ("accepted", "done", "discarded"))
    parts = f"{done:,} done + {discarded:,} discarded + {depth.live:,} live + {depth.dead:,} dead"
    text = f"{accepted:,} accepted = {parts}"
    if accepted == done + discarded + depth.live + depth.dead:
        yield CheckResult(name="account", level="ok", text=text)
    else:
        wrong = text.replace("=", "is not", 1)
        yield CheckResult(name="account", level="fail", text=wrong, repair=f"{advice(jot)}; and report this as a bug")


def _spool(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    return hook_checks.spools(jot.database.url)


def _embedder(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    now = embedders.status(jot)
    if now.name is None:
        yield CheckResult(name="embedder", level="ok", text=f"none is configured; {embedders.offer()}")
    elif now.problem:
        repair = "fix what the error describes, or choose another with embed_model and embed_url"
        yield CheckResult(name="embedder", level="fail", text=now.problem, repair=repair)
    elif now.missing or now.failed:
        text = f"{now.missing:,} memories have no vector of {now.name}, and {now.failed:,} cannot be embedded"
        yield CheckResult(name="embedder", level="warn", text=text, repair="jotsam models refresh")
    else:
        text = f"{now.name}, {now.place}; {now.waiting:,} memories are queued for embedding"
        yield CheckResult(name="embedder", level="ok", text=text)


def _reranker(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    return check_reranker(settings)


def _model(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    """Whether the language model can be asked: its server, or its program. This costs nothing."""
    if not settings.has_model:
        yield CheckResult(name="model", level="ok", text=NO_MODEL)
        return
    with jot.database.snapshot() as tx:
        closed = next((one.reason for one in paused(tx) if one.queue == MODEL), None)
        failing = jobs.groups(tx, tenant=settings.tenant, kind=MODEL)
    level, text, repair = check_model(settings)
    if level == "ok" and closed is not None:
        level, text = "warn", f"{text}; but the queue is paused: {closed}"
        repair = f"once that is fixed: jotsam jobs resume {MODEL}"
    latest = max(failing, key=lambda group: group.newest or 0, default=None)
    if latest is not None:
        text += f"; last error: {latest.error}"
        level, repair = ("warn" if level == "ok" else level), repair or "see `jotsam jobs groups`"
    yield CheckResult(name="model", level=level, text=text, repair=repair)


def _names(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    return _recognition(settings)


def _recognition(settings: Settings) -> Iterator[CheckResult]:
    if not settings.spacy_model:
        yield CheckResult(name="names", level="ok", text="recognised by rules and the bundled tagger")
        return
    from jotsam.models import spacy_ner

    try:
        spacy_ner.load(settings.spacy_model)
    except InvalidInput as error:
        repair = "fix what the error describes, or unset spacy_model; then run `jotsam models reprocess --all`"
        yield CheckResult(name="names", level="fail", text=f"{error}; using the bundled tagger", repair=repair)
    else:
        yield CheckResult(name="names", level="ok", text=f"recognised by rules and spaCy's {settings.spacy_model}")


def _round_trip(jot: Jotsam, settings: Settings) -> Iterator[CheckResult]:
    yield selftest.round_trip(jot, settings)


LOCAL_CHECKS = (_spool, _hooks, _log)  # of files on this machine
FILE_CHECKS = (_file, _folder, _sqlite, _schema, _integrity, _text_index, _space, _disk, *LOCAL_CHECKS, _worker, backup)
SERVER_CHECKS = (
    *(_server, _replicas, _pooler, _row_level_security, backup_on_server, _pgvector, _schema),
    *(*LOCAL_CHECKS, _worker),
)
COMMON_CHECKS = (
    *(_model, _names, _embedder, _reranker, engines, lifecycle, data_checks.unread_sessions, _health, _account),
)
DAMAGE = ("schema", "integrity", "text index")  # checks whose failure means that the file is damaged
