"""A PostgreSQL server from outside: how it is spoken to, and what its refusals mean.

Pure: it knows no driver.
"""

from __future__ import annotations

import re
from functools import lru_cache

from jotsam.core.errors import DatabaseBusy, DatabaseFull, DatabaseUnavailable, DatabaseUnusable, JotsamError

MOMENT = "cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)"
NOW = f"select {MOMENT} as now"

SETTINGS = (
    "set client_min_messages = warning; set jit = off; set enable_seqscan = off;"
    "set plan_cache_mode = force_generic_plan"
)
"""Of every connection. Compiling a plan takes longer than any of ours runs. And a plan that was made while a table was
small must not read all of it for as long as nobody has told the planner that it has grown: there is always an index.
A plan is made once: the planner would make that of a claim anew each time, which takes as long as the claim. (A search
may have one of its own, for what is asked decides about it: see `PostgresDatabase.snapshot`.)
"""

START = "start"
SNAPSHOT = f"begin isolation level repeatable read read only; set local plan_cache_mode = auto; savepoint {START}"
"""A statement that fails ends a transaction. The savepoint lets a snapshot be asked on, as a file can be. It goes to
the server with the words that begin it, and so costs no way there and back.
"""

_DAMAGED = ("XX001", "XX002", "42P01", "42704", "42883", "58P01")
"""Data or an index that is corrupted, a table, a type or a function that is gone, a file that is."""

_PARAMETER = re.compile(r"'(?:[^']|'')*'|--[^\n]*|::|(?<!\w):([A-Za-z_]\w*)")

_READ_ONLY = (
    "the server takes no writes, as a standby does, or a primary that is being switched over; try again, or give the"
    " address of the primary (of several hosts, target_session_attrs=read-write finds it)"
)
_STARTING = "the server is stopping or starting; try again"
_CROWDED = (
    "all the connections that the server gives are taken; try again later, start fewer workers, or raise its limit"
)
_NO_DATABASE = "there is no such database; create it, or give another --db"
_NO_ENTRY = "the server does not let this user in; check the user and the password (in the address, or in ~/.pgpass)"
_NO_RULE = "the server lets this user in from nowhere, or not from here; add a line to its pg_hba.conf"
_NO_PORT = "the port is none; give a number from 1 to 65535"
_NO_TRUST = "it and the server do not agree on how the line is secured; look at sslmode and the certificates"

_MEANING: tuple[tuple[str, type[JotsamError], str], ...] = (
    ("40001", DatabaseBusy, "it got in the way of another transaction; try again"),
    ("40P01", DatabaseBusy, "it and another transaction waited for each other; try again"),
    ("55P03", DatabaseBusy, "another transaction holds what it needs; try again when that is done"),
    ("57014", DatabaseBusy, "it took longer than the server allows; try again"),
    ("53100", DatabaseFull, "no space left on the server; free some and try again, nothing was written"),
    ("25006", DatabaseUnavailable, _READ_ONLY),
    ("42501", DatabaseUnusable, "the role of this address may not do that; grant it, or use another role"),
    ("3D", DatabaseUnusable, _NO_DATABASE),
    ("28", DatabaseUnusable, _NO_ENTRY),
    ("53300", DatabaseUnavailable, _CROWDED),
    ("25P03", DatabaseUnavailable, "the server ended a transaction that had stood still; try again"),
    ("53", DatabaseUnavailable, "the server has no room for this; try again later"),
    ("57P", DatabaseUnavailable, _STARTING),
    ("08", DatabaseUnavailable, "the connection was lost; try again"),
)
"""By SQLSTATE, or the beginning of one; the first that fits counts."""


_REFUSALS: tuple[tuple[str, type[JotsamError], str], ...] = (
    (r"database system is|not yet accepting|shutting down", DatabaseUnavailable, _STARTING),
    (r"too many (clients|connections)|remaining connection slots", DatabaseUnavailable, _CROWDED),
    (r"session is read-only|hot standby mode|session is not read-only", DatabaseUnavailable, _READ_ONLY),
    (r"FATAL: +database \".*\" does not exist|not currently accepting connections", DatabaseUnusable, _NO_DATABASE),
    (r"FATAL: +role \".*\" (does not exist|is not permitted)", DatabaseUnusable, _NO_ENTRY),
    (r"authentication failed|no password supplied", DatabaseUnusable, _NO_ENTRY),
    (r"no pg_hba\.conf entry|pg_hba\.conf rejects|permission denied for database", DatabaseUnusable, _NO_RULE),
    (r"invalid port number|invalid integer value .* \"port\"", DatabaseUnusable, _NO_PORT),
    (r"does not support SSL|certificate|private key file|GSSAPI", DatabaseUnusable, _NO_TRUST),
)
"""By what is said where no connection comes about, for the library hands on no SQLSTATE then; the first that fits
counts. Of several hosts each has said something: what passes by itself comes first. A server that does not speak
English is taken for one that cannot be reached, and tried again."""


def error(url: str, sqlstate: str | None, message: str) -> JotsamError:
    """The error of ours that says what the caller can do. Without a SQLSTATE there is no connection."""
    if sqlstate is None:
        for words, ours, meaning in _REFUSALS:
            if re.search(words, message):
                return ours(f"{url}: {meaning} ({message})")
        return DatabaseUnavailable(f"{url}: the server cannot be reached; try again ({message})")
    for beginning, ours, meaning in _MEANING:
        if sqlstate.startswith(beginning):
            return ours(f"{url}: {meaning} ({message})")
    return JotsamError(f"{url}: {message} ({sqlstate})")


def damage(sqlstate: str | None, message: str) -> str | None:
    """What is damaged, in one line, if that is what an error of the server says; None for any other."""
    return message.partition("\n")[0] if sqlstate in _DAMAGED else None


def migrating(schema: str) -> str:
    """The statement with which whoever migrates keeps others from doing so until the transaction ends."""
    return f"select pg_advisory_xact_lock(hashtextextended('migrate {schema}', 0))"


@lru_cache(maxsize=1_000)
def named(sql: str) -> str:
    """SQL says `:name`, the driver `%(name)s`; what stands in quotes or a comment is left alone."""
    return _PARAMETER.sub(lambda found: f"%({found[1]})s" if found[1] else found[0], sql.replace("%", "%%"))
