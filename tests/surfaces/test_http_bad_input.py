"""Bad input on every route: a clear answer, never an internal error, and nothing half written."""

from __future__ import annotations

import asyncio
import itertools
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn

from http_routes import STREAMS, name_of, path_of, required_body
from http_server import HttpServer, Response, serving
from jotsam import Jotsam
from jotsam.core.settings import Settings
from jotsam.core.token_records import SCOPES
from jotsam.surfaces.http import serve
from jotsam.surfaces.http.app import create_app
from jotsam.surfaces.http.requests.route import Route
from jotsam.surfaces.http.routes import ROUTES
from jotsam.surfaces.http.server.options import ServeOptions
from jotsam.surfaces.http.server.server import Server

MAX_BODY = 250_000
DEEP = 90_000
PATHS = (
    "..",
    "%2e%2e%2f%2e%2e",
    "%2f",
    "%00",
    "%ff",
    "x" * 5_000,
    "' or 1=1 --",
    "%0d%0aX-Evil:%201",
    "*",
    "-1",
    "9" * 40,
)
PARAMETERS = ("id", "memory_id", "name", "slug", "key", "path")
CODES = {400, 403, 404, 405, 413, 415, 422}
NOT_BUILT = {501, 503}

# Bodies that no route accepts.
BODIES = {
    "no JSON": b"{",
    "a list": b"[]",
    "null": b"null",
    "text": b'"x"',
    "NaN": b'{"text": NaN, "question": NaN, "content": NaN, "ids": NaN, "name": NaN}',
    "Infinity": b'{"text": Infinity, "question": -Infinity}',
    "invalid UTF-8": b'{"text": "\xff\xfe", "question": "\xff"}',
    "invalid name": b'{"\xff": 1}',
    "deep": b'{"metadata":' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep and open": b"[" * DEEP,
    "more after it": b"{} {}",
    "a NUL in the middle": b'{"text": "x"\0}',
}
BEGUN = (b"", b'Content-Length: 1000\r\n\r\n{"text": "half', b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"tex')
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
UNKNOWN_FIELD = b'{"no_such_field": 1}'
SKIPPED = STREAMS | {"POST /mcp"}  # MCP has errors of its own, and tests of them.


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("bad") / "jotsam.db")


@pytest.fixture(scope="module")
def served(db: str) -> Iterator[HttpServer]:
    """A server that must not log a traceback in any of these tests."""
    with serving(db, "--max-body", str(MAX_BODY)) as running:
        running.post("/v1/memories", {"text": "We use tabs."})
        yield running
        log = running.stop()
        assert "Traceback" not in log, log[max(0, log.index("Traceback") - 300) :][:6000]


@pytest.fixture
def unchanged(db: str, served: HttpServer) -> Iterator[None]:
    """Nothing is written in this test."""
    before = counts(db)
    yield
    assert counts(db) == before


def counts(db: str) -> dict[str, int]:
    with Jotsam(settings=Settings(db=db, worker="off")) as jot, jot.database.snapshot() as tx:
        names = [row["name"] for row in tx.execute("select name from sqlite_master where type = 'table'")]
        # The recalls of earlier tests become events a little later.
        return {name: tx.execute(f"select count(*) as n from '{name}'")[0]["n"] for name in names if name != "event"}


def tried() -> list[Route]:
    return [route for route in ROUTES if name_of(route) not in SKIPPED]


def sample_path(route: Route) -> str:
    return path_of(route, dict.fromkeys(PARAMETERS, "7"))


def is_clear(route: Route, response: Response, *, allowed: set[int] = CODES) -> bool:
    """An error in the shape of the route, with a sentence."""
    if response.status not in allowed:
        return False
    body = response.json
    shape = response.headers["content-type"]
    if route.errors == "automem":
        return body["status"] == "error" and bool(body["message"])
    return shape == "application/problem+json" and body["status"] == response.status and bool(body["detail"])


def takes_json(route: Route) -> bool:
    return route.body is not None


def test_a_body_that_is_not_what_a_route_takes_is_refused(served: HttpServer, unchanged: None) -> None:
    wrong = []
    for route in filter(takes_json, tried()):
        for what, content in BODIES.items():
            found = served.request(route.method, sample_path(route), content=content, headers=JSON)
            if not is_clear(route, found, allowed=CODES | NOT_BUILT) or (
                found.status != 400 and route.errors == "problem"
            ):
                wrong.append(f"{name_of(route)}, {what}: {found}")
        if route.errors == "problem":
            kinds = {
                "an unknown field": ({"content": UNKNOWN_FIELD, "headers": JSON}, 400),
                "another type": ({"content": b"{}", "headers": {"Content-Type": "text/plain"}}, 415),
                "an unknown parameter": ({"body": required_body(route)}, 400),
            }
            for what, (sent, status) in kinds.items():
                path = sample_path(route) + ("?no_such=1" if "parameter" in what else "")
                found = served.request(route.method, path, **sent)
                if found.status != status or not is_clear(route, found):
                    wrong.append(f"{name_of(route)}, {what}: {found}")
    assert wrong == []


def test_a_field_of_the_wrong_type_is_refused(served: HttpServer, unchanged: None) -> None:
    """A required text is a number, a list, an object, and null."""
    wrong = []
    for route in filter(takes_json, tried()):
        for value in (7, [[1]], {"a": 1}, None, True):
            body = required_body(route, value)
            if not body or route.errors != "problem" or ("items" in body and isinstance(value, list)):
                continue  # A batch answers for each of its items.
            found = served.request(route.method, sample_path(route), body)
            if not is_clear(route, found):
                wrong.append(f"{name_of(route)}, {value!r}: {found}")
    assert wrong == []


def test_a_body_beyond_the_limit_is_refused_with_and_without_its_length(served: HttpServer, unchanged: None) -> None:
    wrong = []
    large = b'{"text": "' + b"x" * MAX_BODY + b'"}'
    for route in filter(takes_json, tried()):
        found = served.request(route.method, sample_path(route), content=large, headers=JSON)
        if found.status != 413 or not is_clear(route, found):
            wrong.append(f"{name_of(route)}: {found}")
    assert wrong == []
    connection = served.connection()
    try:
        headers = {**JSON, "Authorization": f"Bearer {served.token}"}
        connection.request("POST", "/v1/memories", iter([large[:100_000], large[100_000:]]), headers)
        assert connection.getresponse().status == 413
    finally:
        connection.close()


def test_a_token_that_is_missing_wrong_revoked_expired_or_too_weak_is_refused(served: HttpServer, db: str) -> None:
    with Jotsam(settings=Settings(db=db, worker="off")) as jot:
        revoked = jot.admin.create_token(name="revoked", scope="admin")
        jot.admin.revoke_token(revoked.id)
        read, write, admin = (jot.admin.create_token(name=one, scope=one).secret for one in SCOPES[:3])
        old = jot.admin.create_token(name="expired", scope="admin")
        with jot.database.transaction(tenant="default") as tx:
            tx.execute("update api_token set expires_at = 1 where id = :id", {"id": old.id})
        made = [revoked.secret, old.secret]
    id, _, secret = read.removeprefix("jot_").partition("_")
    bad = [
        "x",
        "jot_",
        f"jot_{id}_",
        f"jot_{id}_{secret[:-1]}x",
        f"jot_{id}_{secret}x",
        "jot_" + "a" * 5_000,
        *made,
    ]
    wrong = []
    # One check refuses them for all routes, so each route gets none and one of the others: each kind is sent to many.
    others = itertools.cycle(bad)
    for route in tried():
        if route.scope is None:
            continue
        for token in (None, next(others)):
            found = served.request(route.method, sample_path(route), token=token)
            if found.status != 401 or "www-authenticate" not in found.headers:
                wrong.append(f"{name_of(route)}, {token and token[:20]}: {found}")
        weaker = {"write": [read], "admin": [read, write], "operator": [read, write, admin]}.get(route.scope, [])
        for token in weaker:
            found = served.request(route.method, sample_path(route), token=token)
            if found.status != 403 or not is_clear(route, found):
                wrong.append(f"{name_of(route)} needs {route.scope}: {found}")
    assert wrong == []


def test_tricks_with_paths_and_parameters_find_nothing(served: HttpServer, unchanged: None) -> None:
    wrong = []
    for route in tried():
        if "{" not in route.path or route.method in ("PUT", "POST") or route.scope is None:
            continue
        for trick in PATHS:
            path = path_of(route, dict.fromkeys(PARAMETERS, trick), encode=False)
            found = served.request(route.method, path.replace(" ", "%20"))
            if found.status not in {400, 404, 405} | NOT_BUILT and not (found.status == 200 and trick in ("%2f", "..")):
                wrong.append(f"{name_of(route)}, {trick[:20]}: {found}")
            if "x-evil" in found.headers:
                wrong.append(f"{name_of(route)} lets a path write headers")
            if "\ue000" in found.content.decode():
                wrong.append(f"{name_of(route)}, {trick[:20]}: shows how paths are matched")
    for route in tried():
        if route.query is None or route.method != "GET" or route.scope is None:
            continue
        for query in (
            "limit=-1",
            "limit=x",
            "limit=" + "9" * 400,
            "limit=null",
            "cursor=%00",
            "a=1&a=2",
            "%ff=%fe",
            "=",
            "limit",
        ):
            found = served.get(f"{sample_path(route)}?{query}")
            if found.status >= 500 and found.status not in NOT_BUILT:
                wrong.append(f"{name_of(route)}?{query[:20]}: {found}")
            if found.status == 200 and route.errors == "problem" and query != "=":
                wrong.append(f"{name_of(route)}?{query[:20]} is accepted: {found}")
    assert wrong == []


def test_an_unknown_path_and_a_wrong_method_are_problems_too(served: HttpServer, unchanged: None) -> None:
    for path in (
        "/v2/memories",
        "/v1/memories/a/b/c",
        "//v1/status",
        "/v1/../v1/status",
        "/%2e%2e/etc/passwd",
        "/v1/status/",
    ):
        found = served.get(path)
        assert found.status == 404, path
        assert found.json["code"] == "not-found", path
    found = served.request("PUT", "/v1/status")
    assert (found.status, {*found.headers["allow"].split(", ")}) == (405, {"GET", "HEAD"})
    assert served.request("BREW", "/v1/status").status == 405


def test_what_is_no_request_of_http_or_too_large_for_one_is_refused(served: HttpServer, unchanged: None) -> None:
    """A flood of headers, a line without an end, other protocols, lengths that contradict each other."""
    token = f"Authorization: Bearer {served.token}\r\n".encode()
    get = b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\n"
    post = b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + token
    sent = {
        "many headers": get + b"X-A: b\r\n" * 20_000 + b"\r\n",
        "a large header": get + b"X-A: " + b"b" * 500_000 + b"\r\n\r\n",
        "a long path": b"GET /" + b"a" * 500_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        "a header without a colon": get + b"X A\r\n\r\n",
        "two lengths": post + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "a negative length": post + b"Content-Length: -1\r\n\r\n",
        "a length and chunks": post + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    }
    for what, content in sent.items():
        answer = raw(served, content)
        assert answer == b"" or answer.split(b" ")[1][:1] == b"4", (what, answer[:200])
    assert served.get("/v1/status").status == 200


def test_a_request_with_two_ends_is_refused_and_what_follows_is_not_read(served: HttpServer, unchanged: None) -> None:
    """A proxy that goes by the length would take the second request for a part of the first one, or the other way."""
    token = f"Authorization: Bearer {served.token}\r\n".encode()
    hidden = b"GET /v1/status HTTP/1.1\r\nHost: localhost\r\n" + token + b"\r\n"
    for path in (b"/v1/memories", b"/memory", b"/ui/sign-in", b"/nowhere"):
        head = b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + token
        two = head + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        with socket.create_connection(address(served), timeout=60) as connection:
            connection.sendall(two + hidden)
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))
        assert answer.startswith(b"HTTP/1.1 400 "), (path, answer)
        assert b"\r\nconnection: close\r\n" in answer.lower(), path
        assert answer.count(b"HTTP/1.1 ") == 1, (path, answer)
        assert b"it has Content-Length and Transfer-Encoding" in answer, path


def test_no_answer_is_read_as_another_type_than_it_says(served: HttpServer) -> None:
    wrong = []
    for route in tried():
        for token in (served.token, None):
            body = {"timeout_ms": 0} if route.path == "/v1/wait" else None
            found = served.request(route.method, sample_path(route), body, token=token)
            if found.headers.get("x-content-type-options") != "nosniff":
                wrong.append(f"{name_of(route)} {found.status}")
    pages = ("/", "/ui", "/ui/", "/ui/static/none.js", "/ui/sign-in", "/nowhere")
    answers = {path: served.get(path, token=None).headers for path in pages}
    wrong += [path for path, headers in answers.items() if headers.get("x-content-type-options") != "nosniff"]
    assert wrong == []


def test_a_client_that_leaves_in_the_middle_has_written_nothing(served: HttpServer, unchanged: None) -> None:
    begun = b"POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"
    for path in (b"/v1/memories", b"/v1/memories/batch", b"/v1/import", b"/v1/recall", b"/memory"):
        head = begun % (path, served.token.encode())
        for body in (
            b"",
            b'Content-Length: 1000\r\n\r\n{"text": "half',
            b'Transfer-Encoding: chunked\r\n\r\n5\r\n{"tex',
        ):
            with socket.create_connection(address(served)) as connection:
                connection.sendall(head + body)
    # A request that was sent whole is done, or not at all; the next one is answered.
    assert served.get("/v1/status").status == 200


def test_what_does_not_arrive_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "HEADERS_S", 0.05)
    settings = Settings(db=str(tmp_path / "jotsam.db"), worker="off")
    running = uvicorn.Server(serve._config(settings, ServeOptions(), None))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            begun = b"GET /healthz HTTP/1.1\r\nX-Slow: "
            refused = b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
            for sent, status in ((begun, b""), (HEALTH + begun, b"200 OK"), (refused, b"401 Unauthorized")):
                with socket.create_connection(listening.getsockname(), 60) as slow:
                    slow.sendall(sent)
                    answered = b""
                    while piece := slow.recv(4_096):  # The end is the server's.
                        answered += piece
                    assert answered[9:].partition(b"\r\n")[0] == status
        finally:
            running.should_exit = True
            thread.join()


def test_a_connection_too_many_is_closed_and_the_others_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serve, "most_connections", lambda: 2)
    monkeypatch.setattr(serve.HeaderTimeout, "full_logged_at", -serve.FULL_LOG_S)
    settings = Settings(db=str(tmp_path / "jotsam.db"), worker="off")
    running = uvicorn.Server(serve._config(settings, ServeOptions(), None))
    with socket.create_server(("127.0.0.1", 0)) as listening, ExitStack() as open_ones:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            made = [open_ones.enter_context(socket.create_connection(listening.getsockname(), 60)) for _ in range(4)]
            for refused in made[2:]:
                with suppress(ConnectionResetError):
                    assert refused.recv(100) == b""
            made[0].sendall(HEALTH)
            assert made[0].recv(100).startswith(b"HTTP/1.1 200 OK")
        finally:
            running.should_exit = True
            open_ones.close()
            thread.join()
    assert [one.getMessage()[:25] for one in caplog.records if "refusing" in one.getMessage()] == [
        "2 connections are open: r"
    ]


def test_a_slow_body_is_not_waited_for_longer_than_the_limit(tmp_path: Path) -> None:
    """No thread and no transaction waits in the meantime."""
    settings = Settings(db=str(tmp_path / "jotsam.db"), worker="off", http_admin_token="t" * 20)
    server = Server(settings, ServeOptions(body_timeout_s=0))
    app = create_app(server)
    headers = {"host": "localhost", "authorization": "Bearer " + "t" * 20, "content-type": "application/json"}
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    same = {"type": "http", "method": "POST", "query_string": b"", "headers": encoded}

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()  # Nothing arrives, ever.
        raise AssertionError

    def answer(path: str) -> dict[str, Any]:
        sent: list[dict[str, Any]] = []

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(app({**same, "path": path, "raw_path": path.encode()}, receive, send))
        return sent[0]

    try:
        for path in ("/v1/memories", "/v1/import"):
            found = answer(path)
            assert found["status"] == 408, path
            assert (b"connection", b"close") in found["headers"], path
    finally:
        server.close()


def test_json_that_not_every_reader_can_read_is_refused(served: HttpServer, unchanged: None) -> None:
    """Python reads about 1,000 objects inside each other: what is stored with 900 could not be answered any more."""
    wrong = []
    for depth in (150, 900, 990):
        deep = "[" * depth + "]" * depth
        link = '{"source": "a", "type": "LEADS_TO", "target": "b", "properties": {"reason": %s}}'
        bodies = {
            "/v1/memories": '{"text": "x", "metadata": {"a": %s}}',
            "/v1/memories/batch": '{"items": [%s]}',
            "/v1/links": link,
            "/v1/recall": '{"question": "x", "metadata": {"a": %s}}',
            "/memory": '{"content": "x", "metadata": {"a": %s}}',
            "/v1/import?format=jotsam": "%s",
        }
        for path, body in bodies.items():
            found = served.request("POST", path, content=(body % deep).encode(), headers=JSON)
            if found.status != 400:
                wrong.append(f"{path}, {depth}: {found}")
    assert wrong == []
    compressed = served.request("POST", "/v1/memories", content=b"{}", headers={**JSON, "Content-Encoding": "gzip"})
    assert (compressed.status, compressed.headers["accept-encoding"]) == (415, "identity")
    surrogate = served.request("POST", "/v1/memories", content=b'{"text": "\\ud800"}', headers=JSON)
    assert (surrogate.status, "in pairs only" in surrogate.json["detail"]) == (400, True)


def test_unusual_json_has_one_clear_meaning(served: HttpServer) -> None:
    """Names that are given twice: the last counts. Characters that no database stores are replaced."""
    twice = served.request("POST", "/v1/memories", content=b'{"text": "One.", "text": "Two."}', headers=JSON)
    assert served.get(f"/v1/memories/{twice.json['id']}").json["text"] == "Two."
    marked = served.request("POST", "/v1/memories", content=b'\xef\xbb\xbf{"text": "With a mark."}', headers=JSON)
    assert served.get(f"/v1/memories/{marked.json['id']}").json["text"] == "With a mark."
    odd = served.post("/v1/memories", {"text": "a\0b"})
    assert odd.json["warnings"] == ["1 NUL characters replaced"]
    for value in (10**30, -1, 1e308, 0.5):
        assert served.post("/v1/memories", {"text": "x", "position": value}).status == 400, value
        assert served.post("/v1/memories", {"text": "x", "said_at": value}).status == 400, value
    empty = served.request("POST", "/v1/memories", content=b"", headers=JSON)
    assert (empty.status, "text" in empty.json["detail"]) == (400, True)


JSON = {"Content-Type": "application/json"}


def address(served: HttpServer) -> tuple[str, int]:
    parts = urlsplit(served.url)
    assert parts.hostname
    assert parts.port
    return parts.hostname, parts.port


def raw(served: HttpServer, content: bytes) -> bytes:
    """The answer to bytes; empty if the connection was closed without one."""
    with socket.create_connection(address(served), timeout=60) as connection:
        try:
            connection.sendall(content)
            connection.shutdown(socket.SHUT_WR)
            return connection.recv(65_536)
        except OSError:  # The server has closed it.
            return b""
