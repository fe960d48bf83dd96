"""PostgreSQL without its driver: session settings, parameter syntax and translation of server errors."""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core import dsn
from jotsam.core.errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnavailable,
    DatabaseUnusable,
    JotsamError,
    TenantMoved,
)

MOMENT = "cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)"
NOW = f"select {MOMENT} as now, pg_backend_pid() as pid"
# The same with a number that changes when a migration is applied.
NOW_WITH_SCHEMAS = f"{NOW}, (select sum(version) from jotsam_migration) as schemas"

OLDEST_SERVER = 15  # the first that sets one column of a composite foreign key to null

# The server ends a transaction that is idle for longer, and releases its locks.
IDLE_TRANSACTION_MS = 60_000

# A failed statement aborts a transaction. With the savepoint a snapshot can continue, as on SQLite. It is sent together
# with `begin` and costs no round trip.
START = "start"

# Raised by the function `enter_tenant`.
TENANT_MOVED = "JM001"

# Corrupted data or index, missing table, type, function or file.
_DAMAGED = ("XX001", "XX002", "42P01", "42704", "42883", "58P01")

_PARAMETER = re.compile(r"'(?:[^']|'')*'|--[^\n]*|::|(?<!\w):([A-Za-z_]\w*)")

_READ_ONLY = (
    "the server is read-only (a standby, or a primary during a switchover); try again, or use the address of the"
    " primary (with several hosts, target_session_attrs=read-write finds it)"
)
_STARTING = "the server is starting or shutting down; try again"
_CROWDED = "the server has no free connections; try again later, start fewer workers, or raise max_connections"
_NO_DATABASE = "the database does not exist; create it, or choose another --db"
_NO_ENTRY = "authentication failed; check the user and the password (in the address, or in ~/.pgpass)"
_NO_RULE = "the server does not allow this user to connect from here; add a line to its pg_hba.conf"
_NO_PORT = "invalid port: must be 1 to 65535"
_NO_ACCESS = "this role may not connect to the database; its owner can `grant connect on database NAME to ROLE`"
_MOVED = "use the database that has the tenant; while it is moved, try again"
_BAD_PARAMETER = "invalid parameter in the address; correct or remove it"
_NO_TRUST = "the server and this client cannot agree on TLS; check sslmode and the certificates"

# By SQLSTATE or a prefix of one; the first match counts.
_MEANING: tuple[tuple[str, type[JotsamError], str], ...] = (
    ("40001", DatabaseBusy, "conflict with another transaction; try again"),
    ("40P01", DatabaseBusy, "deadlock with another transaction; try again"),
    ("55P03", DatabaseBusy, "another transaction holds the lock; try again when it is done"),
    ("57014", DatabaseBusy, "the statement timed out on the server; try again"),
    ("53100", DatabaseFull, "no space left on the server; free some and try again, nothing was written"),
    ("25006", DatabaseUnavailable, _READ_ONLY),
    ("3D", DatabaseUnusable, _NO_DATABASE),
    ("28", DatabaseUnusable, _NO_ENTRY),
    ("53300", DatabaseUnavailable, _CROWDED),
    ("25P03", DatabaseUnavailable, "the server ended an idle transaction; try again"),
    ("53", DatabaseUnavailable, "the server is out of resources; try again later"),
    ("57P", DatabaseUnavailable, _STARTING),
    ("08", DatabaseUnavailable, "the connection was lost; try again"),
)

# By the message of a failed connection, for which the driver passes no SQLSTATE; the first match counts. With several
# hosts the message contains one error per host: the temporary ones come first. Messages of a server that does not speak
# English match nothing, and count as temporary.
_REFUSALS: tuple[tuple[str, type[JotsamError], str], ...] = (
    (r"database system is|not yet accepting|shutting down", DatabaseUnavailable, _STARTING),
    (r"too many (clients|connections)|remaining connection slots", DatabaseUnavailable, _CROWDED),
    (r"session is read-only|hot standby mode|session is not read-only", DatabaseUnavailable, _READ_ONLY),
    (r"FATAL: +database \".*\" does not exist|not currently accepting connections", DatabaseUnusable, _NO_DATABASE),
    (r"FATAL: +role \".*\" (does not exist|is not permitted)", DatabaseUnusable, _NO_ENTRY),
    (r"authentication failed|no password supplied", DatabaseUnusable, _NO_ENTRY),
    (r"permission denied for database", DatabaseUnusable, _NO_ACCESS),
    (r"no pg_hba\.conf entry|pg_hba\.conf rejects", DatabaseUnusable, _NO_RULE),
    (r"invalid port number|invalid integer value .* \"port\"", DatabaseUnusable, _NO_PORT),
    (r"invalid \"?\w+\"? value: |definition of service", DatabaseUnusable, _BAD_PARAMETER),
    (
        r"FATAL: +(unrecognized configuration|invalid value for|unsupported startup) parameter",
        DatabaseUnusable,
        _BAD_PARAMETER,
    ),
    (r"does not support SSL|certificate|private key file|GSSAPI", DatabaseUnusable, _NO_TRUST),
)


def begin(schema: str, *, lock_ms: int, durable: bool = True) -> str:
    """The statements that start a transaction that writes, with the settings it needs."""
    commit = "on" if durable else "off"
    return f"begin; {_settings(schema, lock_ms)}; set local synchronous_commit = {commit}"


def begin_snapshot(schema: str, *, lock_ms: int) -> str:
    """The statements that start a read-only transaction in which all reads see the same state."""
    plans = "set local plan_cache_mode = auto"  # The best plan of a search depends on the question.
    isolation = "isolation level repeatable read read only"
    return f"begin {isolation}; {_settings(schema, lock_ms)}; {plans}; savepoint {START}"


def _settings(schema: str, lock_ms: int) -> str:
    """Settings of every transaction, local to it.

    A pooler (pgbouncer, Supabase, Neon) gives each transaction any of its connections, so a setting of the session
    would be missing in the next transaction, and leak to other programs. JIT compilation takes longer than any of our
    statements. Sequential scans are off because a plan made while a table was small is kept until the table is
    analyzed, and every statement has an index. Generic plans are forced because planning a claim takes as long as
    running it.
    """
    return (
        f"set local search_path = {schema}, public; set local lock_timeout = {max(1, lock_ms)};"
        f" set local idle_in_transaction_session_timeout = {IDLE_TRANSACTION_MS};"
        " set local client_min_messages = warning; set local jit = off; set local enable_seqscan = off;"
        " set local plan_cache_mode = force_generic_plan"
    )


def error(url: str, sqlstate: str | None, message: str, *, hint: str = "") -> JotsamError:
    """Translate an error of the server. Without a SQLSTATE the connection failed."""
    if sqlstate is None:
        for pattern, ours, meaning in _REFUSALS:
            if re.search(pattern, message):
                return ours(f"{url}: {meaning} ({message})")
        return DatabaseUnavailable(f"{url}: cannot reach the server; try again ({message})")
    if sqlstate == "42501":
        return DatabaseUnusable(f"{url}: permission denied; {_grant(url, message)} ({message})")
    if sqlstate == TENANT_MOVED:
        return TenantMoved(f"{url}: {_MOVED} ({message})", server=hint)
    for prefix, ours, meaning in _MEANING:
        if sqlstate.startswith(prefix):
            return ours(f"{url}: {meaning} ({message})")
    return JotsamError(f"{url}: {message} ({sqlstate})")


def _grant(url: str, message: str) -> str:
    """The statement that allows what was denied."""
    schema = dsn.split_schema(url)[1]
    role = dsn.user(url) or "ROLE"
    denied = re.search(r"permission denied for (database|schema|table|sequence) (\S+)", message)
    if denied is None:
        return "grant this role what it needs, or connect as another role"
    right = {
        "database": f"create on database {denied[2]} to {role}` or `create schema {schema} authorization {role}",
        "schema": f"usage, create on schema {schema} to {role}",
        "table": f"select, insert, update, delete on all tables in schema {schema} to {role}",
        "sequence": f"usage on all sequences in schema {schema} to {role}",
    }[denied[1]]
    return f"the owner or a superuser can run `grant {right}`"


def invalid_address(url: str, message: str) -> str:
    """What is wrong with an address that the driver cannot parse. `url` is without its password.

    The driver's message may contain a part of the password, so it is quoted only if the address shows the same.
    """
    name = message.rpartition(': "')[2].rstrip().rstrip('"')
    if "query parameter" in message and f"{name}=" in url:
        hint = f"settings of the server are written options=-c%20{name}%3DVALUE"
        return f"invalid parameter {name} in the address {url}: libpq does not know it; {hint}"
    return (
        f"invalid address {url}: percent-encode every character of the user and password that is neither a letter nor a"
        " digit, and check the parameters after the ?"
    )


def too_old(url: str, version: int) -> str | None:
    """The error for a server of this `server_version` (as a number) if it is too old."""
    if version >= OLDEST_SERVER * 10_000:
        return None
    return f"{url}: PostgreSQL {version // 10_000} is too old; Jotsam needs PostgreSQL {OLDEST_SERVER} or later"


def damage(sqlstate: str | None, message: str) -> str | None:
    """The damage that an error of the server reports, in one line; None for other errors."""
    return message.partition("\n")[0] if sqlstate in _DAMAGED else None


def migrating(schema: str) -> str:
    """The statement that locks migrations until the transaction ends."""
    return f"select pg_advisory_xact_lock(hashtextextended('migrate {schema}', 0))"


@lru_cache(maxsize=1_000)
def named(sql: str) -> str:
    """Replace `:name` by the driver's `%(name)s`, except in string literals and comments."""
    return _PARAMETER.sub(lambda found: f"%({found[1]})s" if found[1] else found[0], sql.replace("%", "%%"))
