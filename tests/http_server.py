"""A real `jotsam server start` for tests, and a small client that shows whole responses."""

from __future__ import annotations

import functools
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from command_server import Command, commands
from jotsam.memory.access.tokens import create_token
from jotsam.storage import connect
from processes import PATIENCE

START_S = 60


class Response:
    """A response with its body, decoded if it is JSON."""

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.status, self.headers, self.content = status, {k.lower(): v for k, v in headers.items()}, content

    @property
    def json(self) -> Any:
        return json.loads(self.content)

    def __repr__(self) -> str:
        return f"{self.status} {self.content[:500]!r}"


class HttpServer:
    """A running server. `token` is sent by default; a test can send another, or none."""

    def __init__(self, url: str, token: str, process: subprocess.Popen[str] | Command, db: str) -> None:
        self.url, self.token, self.process, self.db = url, token, process, db
        self.logged_so_far: list[str] = []
        # A pipe that is not read fills up, and the server would wait for it.
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()

    def _read_log(self) -> None:
        with suppress(ValueError):  # Its end is closed when the test has ended.
            self.logged_so_far.extend(self.process.stderr or ())

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = "",
        headers: Mapping[str, str] | None = None,
        content: bytes | None = None,
    ) -> Response:
        """Send a request on a connection of its own. `token` None sends none; `body` is sent as JSON."""
        sent = {} if token is None else {"Authorization": f"Bearer {token or self.token}"}
        if body is not None:
            content = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        connection = self.connection()
        try:
            connection.request(method, path, content, {**sent, **(headers or {})})
            found = connection.getresponse()
            return Response(found.status, dict(found.getheaders()), found.read())
        finally:
            connection.close()

    def get(self, path: str, **options: Any) -> Response:
        return self.request("GET", path, **options)

    def post(self, path: str, body: object = None, **options: Any) -> Response:
        return self.request("POST", path, {} if body is None else body, **options)

    def connection(self) -> HTTPConnection:
        """A connection of its own."""
        return HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE)

    def create_token(self, *, tenant: str = "default", scope: str = "admin", **limits: Any) -> str:
        """Another token, made in the database."""
        database = connect(self.db)
        try:
            made = create_token(database, tenant=tenant, name="test", scope=scope, **limits)  # type: ignore[arg-type]
        finally:
            database.close()
        return made.secret

    def stop(self) -> str:
        """Stop it gracefully. Returns what it logged since it was ready."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(START_S)
        return self.logged()

    def logged(self) -> str:
        """What a server that has ended logged since it was ready."""
        self._reader.join(START_S)
        return "".join(self.logged_so_far)


@contextmanager
def serving(
    db: str, *options: str, worker: bool = False, environ: Mapping[str, str] | None = None, forked: bool = True
) -> Iterator[HttpServer]:
    """A server of a database on a free port, without a worker by default. A test may stop it.

    `forked`: its process is a fork of one that has imported the program, which saves a second.
    """
    token = _first_token(db)
    arguments = ["--db", db, "serve", "--port", "0", *options, *(() if worker else ("--no-worker",))]
    environment = {**os.environ, "JOTSAM_ASYNC": "0", **(environ or {})}
    start = functools.partial(commands().start, cwd=os.getcwd()) if forked else _start
    process = start(arguments, env=environment)
    try:
        yield HttpServer(_address(process), token, process, db)
    finally:
        with suppress(ProcessLookupError):  # It may end at this moment.
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        with process:
            process.wait()


def _start(arguments: list[str], *, env: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "jotsam", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        start_new_session=True,
    )


def _first_token(db: str) -> str:
    """A token of the tenant `default` with the scope operator, made before the server starts."""
    database = connect(db)
    try:
        return create_token(database, tenant="default", name="operator", scope="operator").secret
    finally:
        database.close()


def _address(process: subprocess.Popen[str] | Command) -> str:
    """The address that a starting server logs."""
    lines = []
    assert process.stderr
    for line in process.stderr:
        lines.append(line)
        if found := re.search(r"serving .* on (http://[^\s\"]+)", line):
            return found[1]
    raise AssertionError(f"the server did not start: {''.join(lines)}")
