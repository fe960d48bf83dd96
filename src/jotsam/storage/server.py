"""A PostgreSQL server from outside: how it is addressed and spoken to, and what its refusals mean.

Pure: it knows no driver.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from jotsam.errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseReadOnly,
    DatabaseUnavailable,
    DatabaseUnusable,
    InvalidInput,
    JotsamError,
)

SCHEMA = "jotsam"
NOW = "select cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint) as now"

SETTINGS = (
    "set application_name = 'jotsam'; set client_min_messages = warning; set jit = off; set enable_seqscan = off;"
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
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,47}")

_MEANING: tuple[tuple[str, type[JotsamError], str], ...] = (
    ("40001", DatabaseBusy, "it got in the way of another transaction; try again"),
    ("40P01", DatabaseBusy, "it and another transaction waited for each other; try again"),
    ("55P03", DatabaseBusy, "another transaction holds what it needs; try again when that is done"),
    ("57014", DatabaseBusy, "it took longer than the server allows; try again"),
    ("53100", DatabaseFull, "no space left on the server; free some and try again, nothing was written"),
    ("25006", DatabaseReadOnly, "the server takes no writes, as a standby does; give the address of the primary"),
    ("42501", DatabaseUnusable, "the role of this address may not do that; grant it, or use another role"),
    ("3D", DatabaseUnusable, "there is no such database; create it, or give another --db"),
    ("28", DatabaseUnusable, "the server does not know this user or password; check the address"),
    ("25P03", DatabaseUnavailable, "the server ended a transaction that had stood still; try again"),
    ("53", DatabaseUnavailable, "the server has no room for this; try again later"),
    ("57P", DatabaseUnavailable, "the server is stopping or starting; try again"),
    ("08", DatabaseUnavailable, "the connection was lost; try again"),
)
"""By SQLSTATE, or the beginning of one; the first that fits counts."""


def parsed(url: str) -> tuple[str, str]:
    """The address for the driver, and the schema, which `?schema=` names. Raises `InvalidInput`."""
    base, _, query = url.partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    schema = next((value for name, value in pairs if name == "schema"), SCHEMA)
    if not _NAME.fullmatch(schema):
        raise InvalidInput(f"schema is {schema!r}: give a name of at most 48 lower-case letters, digits and _")
    rest = urlencode([pair for pair in pairs if pair[0] != "schema"], quote_via=quote)
    return (f"{base}?{rest}" if rest else base), schema


def shown(url: str) -> str:
    """The address as messages show it: without the password."""
    base, mark, query = url.partition("?")
    place = urlsplit(base).netloc
    user, at, host = place.rpartition("@")
    pairs = [pair for pair in parse_qsl(query, keep_blank_values=True) if pair[0] != "password"]
    return base.replace(place, user.partition(":")[0] + at + host, 1) + mark + urlencode(pairs, safe="/")


def error(url: str, sqlstate: str | None, message: str) -> JotsamError:
    """The error of ours that says what the caller can do. Without a SQLSTATE the server said nothing at all."""
    if sqlstate is None:
        return DatabaseUnavailable(f"{url}: the server cannot be reached; try again ({message})")
    for beginning, ours, meaning in _MEANING:
        if sqlstate.startswith(beginning):
            return ours(f"{url}: {meaning} ({message})")
    return JotsamError(f"{url}: {message} ({sqlstate})")


def damage(sqlstate: str | None, message: str) -> str | None:
    """What is damaged, in one line, if that is what an error of the server says; None for any other."""
    return message.partition("\n")[0] if sqlstate in _DAMAGED else None


@lru_cache(maxsize=1_000)
def named(sql: str) -> str:
    """SQL says `:name`, the driver `%(name)s`; what stands in quotes or a comment is left alone."""
    return _PARAMETER.sub(lambda found: f"%({found[1]})s" if found[1] else found[0], sql.replace("%", "%%"))
