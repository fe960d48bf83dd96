"""The contract that every database keeps, and the loader of its SQL.

A room (`queue`, `documents`, ...) is a module of functions whose first argument is an open transaction.
It names its queries as `<room>.<query>`; the text stands in `sql/common/<room>.sql` where both databases understand
it, and in `sql/<dialect>/<room>.sql` where they must differ. What may be shown is said in `sql/<dialect>/shown.sql`
alone, as fragments that a query names in braces: `{shown.memory}`.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager
    from typing import Any, Protocol

    from jotsam.storage.migrations import Migration

    Value = str | int | float | bytes | None
    Row = dict[str, Any]

    class Transaction(Protocol):
        """Named queries inside one transaction. Each binds `:now` and, if it has a tenant, `:tenant`."""

        now: int  # milliseconds, read once at the start of the transaction

        tenant: str
        """The tenant it was opened for, or empty: then a query with `:tenant` raises unless the caller passes one."""

        at_once: int
        """How many things a statement had best be told of: a server is asked seldom, for each time is a way there."""

        def one(self, query: str, **params: Value) -> Row | None: ...
        def all(self, query: str, **params: Value) -> list[Row]: ...
        def run(self, query: str, **params: Value) -> None: ...
        def each(self, query: str, rows: Iterable[Mapping[str, Value]]) -> None: ...
        def execute(self, sql: str, params: Mapping[str, Value] | None = None) -> list[Row]:
            """The caller's own SQL, in this same transaction."""
            ...

        def set_tenant(self, tenant: str) -> None:
            """Bind another tenant from here on. For code that serves several tenants in one transaction."""
            ...

        def lock(self, name: str) -> None:
            """Until this transaction ends, nobody else passes here under the same name."""
            ...

        def compares_vectors(self) -> bool:
            """Whether the database itself can compare vectors, here and now."""
            ...

        def outlive(self, error: BaseException) -> str | None:
            """What is damaged, if this error of a statement says that a part of the database is; else None.

            A snapshot can still read the other parts; its tenant stays bound.
            """
            ...

        def ring(self) -> None:
            """Wake whoever waits for jobs, once this transaction is committed."""
            ...

    class Database(Protocol):
        """Hands out transactions. One object serves all threads of a process."""

        url: str
        """What it is called in messages and in commands; a password is left out."""

        is_file: bool
        """One file on this machine, with one worker process at a time; else a server, with as many as are started."""

        applied: tuple[Migration, ...]
        """What opening it has applied."""

        def transaction(self, *, tenant: str = "", durable: bool = True) -> AbstractContextManager[Transaction]:
            """Writes, for one tenant if named: `:tenant` is bound, and row-level security hides all others.

            With `durable` the commit survives a power cut; without, only the death of this process.
            """
            ...

        def snapshot(self, *, tenant: str = "") -> AbstractContextManager[Transaction]:
            """Reads of one moment; nothing may be written."""
            ...

        def ring(self) -> None:
            """Wake whoever waits, in any process."""
            ...

        def wait(self, timeout_ms: int) -> bool:
            """Wait until somebody rings, in any process, at most `timeout_ms`. True: somebody did."""
            ...

        def tidy(self) -> None:
            """Maintenance, off the hot path."""
            ...

        def close(self) -> None: ...


SQL = os.path.join(os.path.dirname(__file__), "sql")
MARK = "-- name: "
SHOWN = "{shown."

_statements: dict[tuple[str, str], str] = {}


def statement(dialect: str, query: str) -> str:
    """The SQL text of `<room>.<query>`. Each room is read once, when first asked for: a start-up reads what it uses."""
    if (dialect, query) not in _statements:
        room = query.partition(".")[0]
        found = _read("common", room) | _read(dialect, room)
        _statements.update({(dialect, f"{room}.{name}"): _whole(dialect, text) for name, text in found.items()})
    return _statements[dialect, query]


def _whole(dialect: str, text: str) -> str:
    """The text with the fragments of `shown.sql` that it names: what may be shown is said once, and nothing else is."""
    head, *rest = text.split(SHOWN)
    pieces = (piece.partition("}") for piece in rest)
    return head + "".join(statement(dialect, f"shown.{name}") + after for name, _, after in pieces)


def _read(folder: str, room: str) -> dict[str, str]:
    path = os.path.join(SQL, folder, f"{room}.sql")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        parts = file.read().split(MARK)[1:]
    named = (part.partition("\n") for part in parts)
    return {name.strip(): text.strip().removesuffix(";") for name, _, text in named}
