"""Clients send half a request, or never read their answer: others are answered, and nothing is half written."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from http_server import HttpServer, serving
from jotsam import Jotsam
from processes import until

LARGE = 4_000_000  # characters of an answer that is not read, which fit into no buffer of a socket
SMALL_BUFFER = 4_096
SENT_BY_OTHERS = 20
MORE_THAN_THREADS = 50  # a server has 40 threads for requests

HEAD = "{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
STORE = "Content-Type: application/json\r\nContent-Length: 1000\r\n"


def connected(server: HttpServer, open_ones: ExitStack, *, small: bool = False) -> socket.socket:
    place = urlsplit(server.url)
    made = open_ones.enter_context(socket.socket())
    if small:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
    made.connect((place.hostname, place.port))
    return made


def head(server: HttpServer, method: str, path: str) -> str:
    return HEAD.format(method=method, path=path, token=server.token)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("clients", [3, *(pytest.param(n, marks=pytest.mark.long) for n in (MORE_THAN_THREADS, 300))])
def test_clients_that_stop_in_the_middle_delay_no_others(clients: int, tmp_path: Path, record_property) -> None:
    db = str(tmp_path / "jotsam.db")
    with Jotsam(db, worker="off") as jot:
        jot.add("x" * LARGE)
    with serving(db) as server, ExitStack() as open_ones:
        for number in range(clients):
            never_reads = connected(server, open_ones, small=True)
            never_reads.sendall((head(server, "GET", "/v1/export") + "\r\n").encode())
            assert never_reads.recv(1) == b"H", "its answer has begun"
            half_a_head = connected(server, open_ones)
            half_a_head.sendall(head(server, "POST", "/v1/memories")[: 20 + number % 60].encode())
            half_a_body = connected(server, open_ones)
            half_a_body.sendall(f'{head(server, "POST", "/v1/memories")}{STORE}\r\n{{"text": "half'.encode())
        for number in range(SENT_BY_OTHERS):
            assert server.post("/v1/memories", {"text": f"Number {number}."}).status == 202
        assert server.get("/v1/status").json["memories"] == SENT_BY_OTHERS
        assert server.get("/readyz", token=None).status == 200
        open_ones.close()
        until(lambda: server.get("/v1/export").content.count(b'"kind":"memory"') == SENT_BY_OTHERS)
        assert "Traceback" not in server.stop()
    with Jotsam(db, worker="off") as jot:
        assert jot.status().memories == SENT_BY_OTHERS
    record_property("tried", f"{3 * clients} connections, {SENT_BY_OTHERS} requests of others")
