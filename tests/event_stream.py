"""A client of Server-Sent Events that reads a real socket."""

from __future__ import annotations

import json
import socket
from collections import deque
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from http_server import HttpServer

WAIT_S = 30


class Message:
    """One message of a stream. `name` is empty for one that has data alone."""

    def __init__(self, lines: list[str]) -> None:
        fields = dict(line.split(": ", 1) for line in lines if not line.startswith(":"))
        self.id, self.name = fields.get("id", ""), fields.get("event", "")
        self.data: Any = json.loads(fields["data"]) if "data" in fields else None

    def __repr__(self) -> str:
        return f"Message({self.id}, {self.name}, {self.data})"


class EventStream:
    """An open stream. `small` makes the buffer of what is not read small."""

    def __init__(
        self, server: HttpServer, path: str = "/v1/events", *, after: str = "", token: str = "", small: bool = False
    ) -> None:
        place = urlsplit(server.url)
        self.last_id = after
        self._socket = socket.socket()
        if small:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        self._socket.settimeout(WAIT_S)
        self._file = self._socket.makefile("rb")
        self._rest = ""
        self._blocks: deque[str] = deque()
        resume = f"Last-Event-ID: {after}\r\n" if after else ""
        head = f"GET {path} HTTP/1.1\r\nHost: {place.netloc}\r\nAuthorization: Bearer {token or server.token}\r\n"
        try:
            self._socket.connect((place.hostname, place.port))
            self._socket.sendall(f"{head}{resume}\r\n".encode())
            self.status = int(self._file.readline().split()[1])
            self.headers = dict(self._header_lines())
        except BaseException:
            self.close()
            raise

    def next(self) -> Message | None:
        """The next message that has data. None at the end of the stream."""
        while True:
            message = self._block()
            if message is None or message.data is not None:
                return message

    def begun(self) -> Self:
        """The same stream, when it follows: what happens from now on is sent."""
        while not self.last_id:
            self._block()
        return self

    def until(self, name: str) -> list[Message]:
        """All messages up to the first one of a name."""
        found: list[Message] = []
        while not found or found[-1].name != name:
            message = self.next()
            assert message is not None, found
            found.append(message)
        return found

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _header_lines(self) -> list[tuple[str, str]]:
        found = []
        while (line := self._file.readline().decode().strip()) != "":
            name, _, value = line.partition(": ")
            found.append((name.lower(), value))
        return found

    def _block(self) -> Message | None:
        while not self._blocks:
            size = int(self._file.readline().strip() or b"0", 16)
            data = self._file.read(size).decode()
            self._file.readline()
            if not size:
                return None
            *blocks, self._rest = (self._rest + data).split("\n\n")
            self._blocks += blocks
        message = Message(self._blocks.popleft().split("\n"))
        self.last_id = message.id or self.last_id
        return message
