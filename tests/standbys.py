"""A hot standby of a test's PostgreSQL, by streaming replication."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import psycopg

from processes import until
from servers import RUN, Server, _is_zombie


class Standby:
    """A standby of a server, read-only until it is promoted."""

    def __init__(self, primary: Server) -> None:
        followed = primary.folder / "data"
        owner = followed.stat()
        self._programs = primary._server.bin_path
        self._as = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
        self.folder = Path(tempfile.mkdtemp(dir=os.environ[RUN]))
        os.chown(self.folder, owner.st_uid, owner.st_gid)
        self.data = self.folder / "data"
        self._run("pg_basebackup", "-D", self.data, "-h", followed, "-U", "postgres", "-R", "-c", "fast")
        self.start()

    def start(self) -> None:
        options = f"-h '' -k {self.folder} -c max_standby_streaming_delay=0"
        self._run("pg_ctl", "-w", "-t", "120", "-D", self.data, "-l", self.folder / "log", "-o", options, "start")

    def kill(self) -> None:
        """As the kernel does: nobody is told, and nothing is tidied up."""
        pid = int((self.data / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)
        until(lambda: not os.path.exists(f"/proc/{pid}") or _is_zombie(pid))

    def execute(self, sql: str) -> list[tuple[object, ...]]:
        """As a superuser."""
        with psycopg.connect(host=str(self.folder), user="postgres", dbname="postgres", autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def promote(self) -> None:
        self._run("pg_ctl", "-w", "-t", "120", "-D", self.data, "promote")

    def stop(self) -> None:
        self._run("pg_ctl", "-w", "-t", "120", "-D", self.data, "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str | Path) -> None:
        command = [str(self._programs / program), *map(str, arguments)]
        ended = subprocess.run(command, stdout=subprocess.DEVNULL, check=False, cwd="/", **self._as)
        assert ended.returncode == 0, command
