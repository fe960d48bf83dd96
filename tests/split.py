"""Which tests run on PostgreSQL in the check, and whether these execute all that a server can do differently.

A test of both databases runs on SQLite in the check. On PostgreSQL it runs in the long suites, and in the check if it
is marked `needs_server`: because it executes a query with two texts, is about types, locks, isolation or errors, or is
the one pass of a public operation. A whole check fails if a named query or a public operation was not executed on
PostgreSQL by any of its tests.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

import jotsam
from jotsam.storage.postgres import postgres, postgres_roles
from jotsam.storage.sqlite import sqlite
from jotsam.storage.statements import SQL, queries

CLIENTS = (jotsam.Jotsam, jotsam.Admin, jotsam.Knowledge, jotsam.Blocks, jotsam.Lifecycle, jotsam.Crystals)
CLIENTS += (jotsam.Store, jotsam.Queue, jotsam.Processor)

# Queries and operations that perhaps no test process executes on PostgreSQL in the check; the long suites do. The check
# names those that one executes after all: take them out. It only shrinks.
NOT_YET = {
    *("crystals.unlink", "exports.supersede_document", "identities.first_rival"),
    *("themes.of_memory", "vectors.all_visible"),
    "search.unmatched",
    *("projects.latest", "projects.look", "projects.marked", "themes.untag"),
    *("Knowledge.allow_redacted", "Lifecycle.undo", "Lifecycle.wait", "Admin.revoke_token"),
    "Admin.job",
}

OF_A_FILE = {"Admin.backup"}
"""Operations that a server refuses."""

Record = dict[str, str]
"""A query or an operation, and a test that executed it."""


def on_server(definition: pytest.FunctionDefinition | pytest.Function) -> Any:
    """The parameter of a test of both databases that runs it on a server."""
    needs_server = definition.get_closest_marker("needs_server")
    return pytest.param("postgres", marks=() if needs_server else (pytest.mark.long,))


def named_queries() -> set[str]:
    """Every query that a server can execute. A fragment is no query; it is executed with those that it is a part of."""
    files = {path.stem for folder in ("common", "postgres") for path in Path(SQL, folder).glob("*.sql")}
    only_files = {"text_index", "worker_lease"}
    return {f"{file}.{name}" for file in files - only_files - {"fragments"} for name in queries("postgres", file)}


def operations() -> set[str]:
    return {f"{client.__name__}.{name}" for client in CLIENTS for name in _methods(client)} - OF_A_FILE


def left_out(wanted: Iterable[str], on_postgres: Record, on_sqlite: Record) -> list[str]:
    """A line for each that no test executed on PostgreSQL, with a test that could."""
    return [
        f"{name} is not executed on PostgreSQL by any test of the check; "
        + (f"mark one that does, with needs_server: {test}" if (test := on_sqlite.get(name)) else "no test executes it")
        for name in sorted(set(wanted) - NOT_YET - on_postgres.keys())
    ]


def no_longer_left_out(on_postgres: Record) -> list[str]:
    """A line for each of `NOT_YET` that a test executed."""
    return [
        f"{name} is executed on PostgreSQL: remove it from NOT_YET" for name in sorted(NOT_YET & on_postgres.keys())
    ]


class Recorder:
    """A plugin: which test executes which queries and public operations, on which database."""

    def __init__(self) -> None:
        self.postgres: Record = {}
        self.sqlite: Record = {}
        self._queries: set[tuple[str, str]] = set()
        self._operations: set[str] = set()
        for module in (postgres, postgres_roles, sqlite):
            module.statement = self._recording(module.statement)  # type: ignore[attr-defined]
        for client in CLIENTS:
            for name in _methods(client):
                setattr(client, name, self._recorded(f"{client.__name__}.{name}", getattr(client, name)))

    def _recording(self, statement: Any) -> Any:
        def load(dialect: str, query: str) -> str:
            self._queries.add((dialect, query))
            return str(statement(dialect, query))

        return load

    def _recorded(self, name: str, method: Any) -> Any:
        @functools.wraps(method)
        def call(*arguments: Any, **options: Any) -> Any:
            result = method(*arguments, **options)
            self._operations.add(name)  # One that was refused does not count.
            return result

        return call

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._queries.clear()
        self._operations.clear()
        try:
            return (yield)
        finally:
            # What a thread adds meanwhile belongs to no test.
            dialects = {dialect for dialect, _ in list(self._queries)}
            for dialect, query in list(self._queries):
                self._record(dialect).setdefault(query, item.nodeid)
            for operation in list(self._operations) if len(dialects) == 1 else ():
                self._record(*dialects).setdefault(operation, item.nodeid)

    def _record(self, dialect: str) -> Record:
        return self.postgres if dialect == "postgres" else self.sqlite

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["executed"] = (self.postgres, self.sqlite)
        elif _is_the_check(session):
            self.missing = left_out(named_queries() | operations(), self.postgres, self.sqlite)
            if self.missing:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    missing: Iterable[str] = ()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """One of the processes that run the tests has ended."""
        for ours, theirs in zip((self.postgres, self.sqlite), node.workeroutput["executed"], strict=True):
            ours |= theirs

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for line in self.missing:
            terminalreporter.write_line(line, red=True)
        for line in no_longer_left_out(self.postgres):
            terminalreporter.write_line(line)


def _methods(client: type) -> list[str]:
    return [name for name, _ in inspect.getmembers(client, inspect.isfunction) if not name.startswith("_")]


def _is_the_check(session: pytest.Session) -> bool:
    """Whether all tests of the check were run, and succeeded."""
    config = session.config
    is_whole = config.args_source == pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
    is_default = config.option.markexpr == "not long and not agents" and not config.option.collectonly
    return is_whole and is_default and session.exitstatus == pytest.ExitCode.OK
