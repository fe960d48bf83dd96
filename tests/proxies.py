"""A proxy between a client and a PostgreSQL server, with the faults of a network: a lost reply, a frozen line."""

from __future__ import annotations

import socket
import threading
from pathlib import Path


class Proxy:
    """Listens on `port` of this machine and passes on to the server's socket, until it is told to misbehave."""

    def __init__(self, target: Path, listen_on: str = "127.0.0.1") -> None:
        self._target = str(target)
        self._door = socket.create_server((listen_on, 0))
        self.clients: list[tuple[str, int]] = []
        self.port: int = self._door.getsockname()[1]
        self.lose_replies_to = b""
        self.replaced = (b"", b"")  # of what the server says, and by what; of the same length
        self._lost = threading.Event()
        self._open = threading.Event()
        self._open.set()
        self._sockets: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def lose_reply_to(self, statement: bytes) -> None:
        """From now on the server gets such a statement, and its answer never arrives: the line is cut instead."""
        self.lose_replies_to = statement

    def heal(self) -> None:
        self.lose_replies_to = b""
        self._open.set()

    def freeze(self) -> None:
        """Nothing passes any more, and no line is closed."""
        self._open.clear()

    def close(self) -> None:
        self.heal()
        for end in (self._door, *self._sockets):
            _end(end)  # Closing alone would wake nobody who waits for it in another thread.
            end.close()

    def _accept(self) -> None:
        while True:
            try:
                client, whose = self._door.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._target)
            except OSError:  # It is down at this moment.
                client.close()
                server.close()
                continue
            self._sockets += [client, server]
            self.clients.append(whose)
            cut = threading.Event()
            threading.Thread(target=self._upwards, args=(client, server, cut), daemon=True).start()
            threading.Thread(target=self._downwards, args=(client, server, cut), daemon=True).start()

    def _upwards(self, client: socket.socket, server: socket.socket, cut: threading.Event) -> None:
        for data in _read(client):
            if self.lose_replies_to and self.lose_replies_to in data:
                cut.set()
            self._open.wait()
            if not _send(server, data):
                break
        _end(server)

    def _downwards(self, client: socket.socket, server: socket.socket, cut: threading.Event) -> None:
        for data in _read(server):
            self._open.wait()
            if self.replaced[0]:
                data = data.replace(*self.replaced)
            if cut.is_set() or not _send(client, data):
                break
        _end(client)


def _read(end: socket.socket):
    while True:
        try:
            data = end.recv(65_536)
        except OSError:
            return
        if not data:
            return
        yield data


def _send(end: socket.socket, data: bytes) -> bool:
    """False: whoever was at that end has gone."""
    try:
        end.sendall(data)
    except OSError:
        return False
    return True


def _end(end: socket.socket) -> None:
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
