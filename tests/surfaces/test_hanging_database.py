"""A request has a bound of time while PostgreSQL hangs, and what it wrote is there once."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest
import uvicorn

from jotsam import Jotsam
from jotsam.core.settings import Settings
from jotsam.memory.access.tokens import create_token
from jotsam.surfaces.http.app import create_app
from jotsam.surfaces.http.server.options import ServeOptions
from jotsam.surfaces.http.server.server import Server
from processes import PATIENCE, until

THREADS = 40  # of a server


class Served:
    """A server in a thread, which gives up soon."""

    def __init__(self, db: str) -> None:
        self.db, self.server = db, Server(Settings(db=db), ServeOptions(answer_timeout_s=0.5))
        with Jotsam(db) as jot:
            self.token = create_token(jot.database, tenant="default", name="t", scope="admin").secret
        self.socket = socket.create_server(("127.0.0.1", 0))
        self._uvicorn = uvicorn.Server(uvicorn.Config(create_app(self.server), log_level="error"))
        self._thread = threading.Thread(target=lambda: asyncio.run(self._uvicorn.serve([self.socket])), daemon=True)
        self._thread.start()

    def send(self, method: str, path: str, body: object = None, **headers: str) -> HTTPConnection:
        connection = HTTPConnection("127.0.0.1", self.socket.getsockname()[1], timeout=PATIENCE)
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **headers}
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        return connection

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        self._thread.join(PATIENCE)
        self.socket.close()


@pytest.fixture
def served(own_server: Any) -> Iterator[Served]:
    running = Served(own_server.url())
    yield running
    running.stop()


def answer(connection: HTTPConnection) -> tuple[int, str | None, Any]:
    response = connection.getresponse()
    found = response.status, response.getheader("retry-after"), json.loads(response.read())
    connection.close()
    return found


def test_every_request_is_answered_and_what_was_sent_again_is_there_once(served, own_server):
    keyed = {"Idempotency-Key": '"import-7"'}
    text = {"text": "The cache lives 60 s."}
    assert answer(served.send("GET", "/v1/status"))[0] == 200
    with own_server.frozen():
        waiting = [served.send("GET", "/v1/status") for _ in range(THREADS + 5)]
        writing = served.send("POST", "/v1/memories", text, **keyed)
        found = [answer(connection) for connection in waiting]
        status, retry, body = answer(writing)
    assert {(code, after, one["detail"]) for code, after, one in found} == {
        (503, "5", "the database does not answer: try again")
    }
    assert (status, retry, body["code"]) == (503, "5", "unavailable")
    until(lambda: answer(served.send("GET", "/v1/status"))[0] == 200)
    first = answer(served.send("POST", "/v1/memories", text, **keyed))
    again = answer(served.send("POST", "/v1/memories", text, **keyed))
    assert (first[0], first[2]["id"]) == (202, again[2]["id"])
    with Jotsam(served.db) as jot:
        assert jot.status().memories == 1


def test_a_change_whose_commit_hangs_says_that_its_outcome_is_not_known(served, own_server):
    """The row of the idempotency key is locked by another transaction, while the server cannot answer."""
    assert answer(served.send("GET", "/v1/status"))[0] == 200
    call_is_running, may_end = threading.Event(), threading.Event()

    def hold(*_: object) -> None:
        call_is_running.set()
        may_end.wait(PATIENCE)

    with Jotsam(served.db) as jot:
        served.server.open().database.before_commit = hold
        writing = served.send("POST", "/v1/memories", {"text": "Ana moved to Bonn."}, **{"Idempotency-Key": '"a"'})
        assert call_is_running.wait(PATIENCE)
        with own_server.frozen():
            status, retry, body = answer(writing)
        served.server.open().database.before_commit = None
        may_end.set()
        assert (status, retry) == (503, "5")
        assert "whether it has carried this out is not known" in body["detail"]
        until(lambda: jot.status().memories == 1)
        sent = served.send("POST", "/v1/memories", {"text": "Ana moved to Bonn."}, **{"Idempotency-Key": '"a"'})
        assert answer(sent)[0] == 202
        assert jot.status().memories == 1
