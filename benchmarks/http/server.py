"""A server to measure, and the clients that measure it: raw sockets, which cost little beside the server."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.child import environment
from jotsam.memory.access.tokens import create_token
from jotsam.storage import connect

HTTP_END = b"\r\n\r\n"


class Served:
    """A running server: its address, a token, and its process."""

    def __init__(self, url: str, token: str, process: subprocess.Popen[str]) -> None:
        self.url, self.token, self.process = url, token, process

    def client(self) -> Client:
        return Client(urlsplit(self.url).netloc, self.token)

    def mebibytes(self) -> float:
        """The resident set of the server's process."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


class Client:
    """One connection that is kept open."""

    def __init__(self, address: str, token: str) -> None:
        host, _, port = address.partition(":")
        self._host, self._token = address, token
        self._socket = socket.create_connection((host, int(port)))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = b""

    def request(self, method: str, path: str, body: object = None) -> tuple[int, bytes]:
        """The status and the body of the response."""
        self.send(method, path, body)
        head = self._until(HTTP_END).decode()
        length = int(re.search(r"content-length: (\d+)", head, re.IGNORECASE)[1])  # type: ignore[index]
        while len(self._buffer) < length:
            self._buffer += self._socket.recv(1 << 16)
        content, self._buffer = self._buffer[:length], self._buffer[length:]
        return int(head.split(" ", 2)[1]), content

    def send(self, method: str, path: str, body: object = None) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\nAuthorization: Bearer {self._token}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        self._socket.sendall(head.encode() + content)

    def first_bytes(self, wanted: bytes) -> bytes:
        """What a stream sends first, up to and with some bytes."""
        return self._until(wanted)

    def close(self) -> None:
        self._socket.close()

    def _until(self, end: bytes) -> bytes:
        while end not in self._buffer:
            more = self._socket.recv(1 << 16)
            if not more:
                raise ConnectionError(f"the server closed the connection after {self._buffer[:200]!r}")
            self._buffer += more
        found, self._buffer = self._buffer.split(end, 1)
        return found + end


@contextmanager
def served(db: str, *options: str, worker: bool = False) -> Iterator[Served]:
    """A server on a free port."""
    database = connect(db)
    token = create_token(database, tenant="default", name="benchmark", scope="admin").secret
    database.close()
    command = [sys.executable, "-m", "jotsam", "--db", db, "serve", "--port", "0", *options]
    command += [] if worker else ["--no-worker"]
    log = Path(f"{db}.serve.log")
    with log.open("w") as errors:
        process = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=errors, text=True)
    try:
        yield Served(_address(process, log), token, process)
    finally:
        process.terminate()
        process.wait()


def _address(process: subprocess.Popen[Any], log: Path) -> str:
    while process.poll() is None:
        if found := re.search(r"serving .* on (http://\S+)", log.read_text()):
            return found[1]
    raise RuntimeError(log.read_text())
