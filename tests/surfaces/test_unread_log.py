"""A log that nothing reads stops no request; what is dropped is counted and told."""

from __future__ import annotations

import logging
import os
import signal
from http.client import HTTPConnection
from pathlib import Path
from select import select
from urllib.parse import urlsplit

import http_server
from jotsam.admin import logs
from jotsam.core.settings import Settings
from jotsam.surfaces.http.server.options import ServeOptions
from jotsam.surfaces.http.server.server import Server
from processes import PATIENCE, until


def ask(address: str, path: str) -> int:
    connection = HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        return connection.getresponse().status
    finally:
        connection.close()


def test_requests_are_answered_while_nothing_reads_the_log(tmp_path: Path) -> None:
    """Each of these requests is a line of 160 bytes, and a pipe has 65,536."""
    arguments = ["--db", str(tmp_path / "m.db"), "serve", "--port", "0", "--no-worker"]
    process = http_server._start(arguments, env={**os.environ, "JOTSAM_ASYNC": "0"})
    with process:
        try:
            address = http_server._address(process)
            assert {ask(address, "/v1/status") for _ in range(700)} == {401}
            assert ask(address, "/healthz") == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


def logger_to(end: int, *, most: int) -> tuple[logging.Logger, logs.UnreadHandler]:
    handler = logs.UnreadHandler(os.fdopen(end, "w"), most=most)
    handler.setFormatter(logs.TextLines())
    log = logging.Logger("test")
    log.addHandler(handler)
    return log, handler


def test_dropped_lines_are_counted_and_told_once_the_log_is_read(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    server = Server(Settings(db=str(tmp_path / "m.db")), ServeOptions())
    log, handler = logger_to(writing, most=3)
    log.warning("x" * 100_000)  # more than the pipe takes
    until(lambda: select([reading], [], [], 0)[0])  # The writer has begun with it.
    for number in range(10):
        log.warning("line %d", number)
    assert b"jotsam_log_lines_dropped_total 8.0" in server.metrics.text(None, ready=True)
    text = b""
    while b"line 1\n" not in text:
        text += os.read(reading, 65_536)
    handler.flush()
    while b"8 lines of the log were dropped, because nothing read it" not in text:
        text += os.read(reading, 65_536)
    assert b"line 2" not in text
    server.metrics.close()
    handler._stream.close()
    os.close(reading)


def test_a_log_whose_reader_is_gone_stops_nothing() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    log, handler = logger_to(writing, most=3)
    for number in range(10):
        log.warning("line %d", number)
        handler.flush()
    assert list(handler._lines) == []
