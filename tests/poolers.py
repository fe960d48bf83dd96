"""A real pgbouncer in front of the PostgreSQL of the tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import psycopg
import pytest

from processes import until
from servers import ROLE, Server

UNPACKED = Path(sys.prefix) / "pgbouncer" / "usr"  # by scripts/setup, where pgbouncer is not installed

CONFIG = """
[databases]
postgres = host={server}
[pgbouncer]
pool_mode = {mode}
default_pool_size = {size}
listen_addr =
unix_socket_dir = {folder}
auth_type = trust
auth_file = {folder}/users
logfile = {folder}/log
"""


class Pooler:
    """Started when it is made; `close` stops it. It listens on a socket in a folder of its own."""

    def __init__(self, server: Server, mode: str, size: int) -> None:
        program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin:{UNPACKED / 'sbin'}")
        if program is None:
            pytest.skip("pgbouncer is not installed, and `source scripts/setup dev` could not unpack it")
        owner = (server.folder / "data").stat()
        self.folder = Path(tempfile.mkdtemp(prefix="jotsam-pool-", dir="/tmp"))
        config = self.folder / "config"
        config.write_text(CONFIG.format(server=server.folder / "data", mode=mode, size=size, folder=self.folder))
        (self.folder / "users").write_text(f'"{ROLE}" ""\n')
        os.chown(self.folder, owner.st_uid, owner.st_gid)
        libraries = next((str(path.parent) for path in UNPACKED.glob("lib/**/libcares.so.2")), "")
        self._process = subprocess.Popen(  # It refuses to run as root, so it runs as the owner of the server.
            [program, "--quiet", str(config)],
            env=os.environ | {"LD_LIBRARY_PATH": libraries},
            user=owner.st_uid if os.geteuid() == 0 else None,
            extra_groups=[] if os.geteuid() == 0 else None,
        )
        until(lambda: self._process.poll() is not None or self._listens())
        assert self._process.poll() is None, (self.folder / "log").read_text()

    def _listens(self) -> bool:
        """The socket's file is there a moment before the process listens."""
        with socket.socket(socket.AF_UNIX) as client:
            return client.connect_ex(str(self.folder / ".s.PGSQL.6432")) == 0

    def url(self, schema: str) -> str:
        return f"postgresql://{ROLE}@/postgres?host={self.folder}&port=6432&schema={schema}"

    def connect(self) -> psycopg.Connection[tuple[object, ...]]:
        """A connection of another program."""
        return psycopg.connect(f"postgresql://{ROLE}@/postgres?host={self.folder}&port=6432", prepare_threshold=None)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
