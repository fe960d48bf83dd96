"""What all tests share: a clock that stands still until it is told to tick, and a real database.

A test that asks for `url`, `database` or `jot` runs on a file. Those in tests/conformance run on every database; see
`split`.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

import jotsam
from jotsam import Jotsam
from jotsam.core.settings import Settings
from jotsam.models.fake_endpoint import FakeEndpoint
from jotsam.storage import connect, migrations, partitions
from prepared import ALONE_ON_A_SERVER, MADE_BY_THE_PROGRAM, Files, Schemas
from processes import WAIT_MS, Running
from servers import Server, SharedServer, begin_run, end_run
from split import Recorder

if TYPE_CHECKING:
    from jotsam.storage.database import Database, Transaction

# The same examples in each run, and none that is too slow: neither luck nor a busy machine may decide about a change.
# New examples are thought up by whoever asks for them: `pytest --hypothesis-profile=explore`.
hypothesis.settings.register_profile(
    "same", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("same")
# `JOTSAM_TEST_PARTITIONS=4 pytest tests/conformance` runs it on tables that are partitioned.
partitions.DEFAULT = int(os.environ.get("JOTSAM_TEST_PARTITIONS", "0"))
hypothesis.settings.register_profile("explore", derandomize=False, print_blob=True)
# For tools/mutate.py: it only wants to know whether a fault is found, not the shortest history that shows it.
hypothesis.settings.register_profile("unshrunk", phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate])


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # It is in each process of the tests that another one has started.
        begin_run()
    config.pluginmanager.register(Recorder())


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        end_run()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Between its tests the loop of Playwright counts as running in this thread, which `asyncio.run` would refuse."""
    loop = None if "browser" in pyfuncitem.fixturenames else asyncio._get_running_loop()
    if loop is None:
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


def pytest_collection() -> None:
    """Import without the garbage collection, which would examine all that stays many times."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Exempt what was imported from the garbage collection, which pytest runs ten times at its end."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what the tests of faults have tried: those that passed have compared everything with what was accepted."""
    reports = [report for report in terminalreporter.getreports("passed") if report.when == "call"]
    tried = {report.nodeid: text for report in reports for name, text in report.user_properties if name == "tried"}
    if tried:
        terminalreporter.section("tried and survived, 0 lost, 0 doubled")
    for test, text in sorted(tried.items()):
        terminalreporter.line(f"{test.rpartition('/')[2]}: {text}")


class StandingClock:
    """A clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now = 1_750_000_000_000

    def __call__(self) -> int:
        return self.now

    def tick(self, milliseconds: int) -> None:
        self.now += milliseconds


@pytest.fixture
def clock() -> StandingClock:
    return StandingClock()


@pytest.fixture(scope="session")
def server() -> Server:
    """A database on the PostgreSQL of all test processes, which the first that asks starts. Tests do not disturb it."""
    return SharedServer(os.environ.get("PYTEST_XDIST_WORKER", "main"))


@pytest.fixture(scope="session")
def own_server() -> Iterator[Server]:
    """A PostgreSQL of this test process, which a test may crash, freeze or configure."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def schemas(server: Server) -> Iterator[Schemas]:
    schemas = Schemas(server)
    yield schemas
    schemas.close()


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(tmp_path_factory.mktemp("files"))


@pytest.fixture
def kind() -> str:
    """Of the database; tests/conformance asks for each."""
    return "sqlite"


@pytest.fixture
def new_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], str]]:
    """The address of a new and empty database, each time it is called.

    On a server it is the emptied database of a test that has ended, in which every migration is applied, unless the
    test is about making one.
    """
    numbers, lent = itertools.count(), list[str]()
    name = request.module.__name__
    if kind != "postgres":
        yield lambda: str(tmp_path / f"jotsam{next(numbers) or ''}.db")
    elif name in ALONE_ON_A_SERVER:
        yield request.getfixturevalue("own_server").url
    elif request.path.parent.name == "postgres" or name in MADE_BY_THE_PROGRAM:
        yield request.getfixturevalue("server").url
    else:
        schemas = request.getfixturevalue("schemas")

        def lend() -> str:
            lent.append(schemas.lend())
            return lent[-1]

        yield lend
        for url in lent:
            schemas.give_back(url)


@pytest.fixture
def histories(kind: str) -> int:
    """How many histories of a database a test may think up: one on a server takes ten times as long."""
    return {"sqlite": 200, "postgres": 20}[kind]


@pytest.fixture
def intact(kind: str) -> Callable[[Database], None]:
    """Asks a database whether it is damaged; a server, which looks after itself, is not asked."""

    def check(database: Database) -> None:
        with database.snapshot() as tx:
            assert tx.execute("pragma integrity_check") == [{"integrity_check": "ok"}]
            assert tx.execute("pragma foreign_key_check") == []

    return {"sqlite": check, "postgres": lambda database: None}[kind]


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    """Where the database of this test is."""
    return new_url()


@pytest.fixture
def open_database(url: str, clock: StandingClock) -> Iterator[Callable[[], Database]]:
    """Opens the same database again each time it is called, as another process would."""
    opened: list[Database] = []

    def open_again() -> Database:
        opened.append(connect(url, clock=clock, wait_ms=WAIT_MS))
        return opened[-1]

    yield open_again
    for database in opened:
        database.close()


@pytest.fixture
def database(open_database: Callable[[], Database]) -> Database:
    return open_database()


@pytest.fixture
def tx(database: Database) -> Iterator[Transaction]:
    """One open transaction; with the standing clock, time passes only between transactions."""
    with database.transaction() as tx:
        yield tx


@pytest.fixture
def open_jot(url: str, clock: StandingClock) -> Iterator[Callable[..., Jotsam]]:
    """Opens the same database with other settings each time."""
    opened: list[Jotsam] = []

    def open_with(**settings: object) -> Jotsam:
        same = {"db": url, "worker": "off", "worker_idle_ms": 0, "concurrency": 2, "lock_timeout_ms": WAIT_MS}
        opened.append(Jotsam(settings=Settings(**(same | settings)), clock=clock))
        return opened[-1]

    yield open_with
    for jot in opened:
        jot.close()


@pytest.fixture
def jot(open_jot: Callable[..., Jotsam]) -> Jotsam:
    """A `Jotsam` that starts no worker of its own: `jot.work()` drains in this process."""
    return open_jot()


@pytest.fixture
def fake_endpoint() -> Iterator[FakeEndpoint]:
    """A fake OpenAI-compatible server on loopback, scripted by each test."""
    with FakeEndpoint() as fake_endpoint:
        yield fake_endpoint


@pytest.fixture
def processes() -> Iterator[list[Running]]:
    """Whatever a test leaves running here is killed at its end."""
    running: list[Running] = []
    yield running
    for process in running:
        process.kill()


@pytest.fixture
def next_version(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs Python code with version 9.9 of the package, whose queue has one migration more.

    It is a copy of the package with another migration, its fingerprint and its version, in a process of its own.
    """
    more = "alter table queue_job add column colour text; create table queue_more (id integer primary key);"

    def run(code: str, *, migration: str = more) -> subprocess.CompletedProcess[str]:
        package = tmp_path / "next" / "jotsam"
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(Path(jotsam.__file__).parent, package, ignore=ignored, dirs_exist_ok=True)
        for dialect in ("sqlite", "postgres"):
            name = f"queue_{migrations.newest(dialect, 'queue') + 1:04}_more.sql"
            (package / "storage" / "sql" / dialect / "migrations" / name).write_text(migration)
        with open(package / "storage" / "migrations.py", "a") as file:
            file.write("for known in FINGERPRINTS.values():\n    known['queue'] += ('of the test',)\n")
        (package / "core" / "version.py").write_text('VERSION = "9.9"\n')
        path = os.pathsep.join([str(package.parent), os.environ.get("PYTHONPATH", "")])
        command = [sys.executable, "-c", code]
        environment = os.environ | {"PYTHONPATH": path}
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    return run
