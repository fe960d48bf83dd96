"""A `Jotsam` of a test whose calls go through `Client` and a real server in a thread of this process.

The server answers from the database, the settings and the standing clock of the test. What needs the database itself
(`work`, `database`, `settings`) is that of the `Jotsam` behind the server.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import uvicorn

from jotsam import Client, Jotsam
from jotsam.core.settings import Settings
from jotsam.memory.access.tokens import create_token
from jotsam.surfaces.http.app import create_app
from jotsam.surfaces.http.server.options import ServeOptions
from jotsam.surfaces.http.server.server import Server

BEHIND = {"work", "database", "settings"}
TIMEOUT_S = 30


class TestServer(Server):
    """Answers from the `Jotsam` of the test that runs now: of the one whose token was sent."""

    __test__ = False

    def __init__(self) -> None:
        super().__init__(Settings(), ServeOptions())
        self.current: Jotsam | None = None

    def use(self, call: Any) -> Any:
        assert self.current is not None
        return call(self.current)

    def open(self) -> Jotsam:
        assert self.current is not None
        return self.current

    def close(self) -> None:
        self.current = None


class ThreadedServer:
    """A server on loopback for all tests of a process."""

    def __init__(self) -> None:
        self.server = TestServer()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(create_app(self.server), log_level="error", lifespan="off")
        self._uvicorn = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.run(self._uvicorn.serve([self._socket]))

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join(TIMEOUT_S)
        self._socket.close()


class HttpJotsam:
    """Looks like a `Jotsam`, and is a `Client`."""

    def __init__(self, threaded: ThreadedServer, behind: Jotsam) -> None:
        made = create_token(behind.database, tenant=behind.settings.tenant, name="test", scope="operator")
        client = Client(threaded.url, token=made.secret, project=behind.settings.project or None)
        self.__dict__.update(_threaded=threaded, _behind=behind, _client=client, _clients=[client])

    def scoped(self, *, tenant: str | None = None, **options: Any) -> HttpJotsam:
        view = object.__new__(HttpJotsam)
        view.__dict__.update(self.__dict__)
        if tenant is not None:
            view = HttpJotsam(self._threaded, self._behind.scoped(tenant=tenant))
            self._clients.append(view._client)
        view.__dict__["_client"] = view._client.scoped(**options)
        return view

    def __enter__(self) -> HttpJotsam:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for client in self._clients:
            client.close()

    def __getattr__(self, name: str) -> Any:
        self._threaded.server.current = self._behind
        return getattr(self._behind if name in BEHIND else self._client, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._behind, name, value)
