"""A server on loopback that answers requests as a test says, and keeps what was sent."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple, Self

PROBLEM = "application/problem+json"


class Sent(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes


class Scripted(NamedTuple):
    """An answer. `cut` closes the connection after so many bytes of the body."""

    status: int = 200
    body: object = None
    headers: dict[str, str] = {}  # noqa: RUF012
    cut: int | None = None


class ScriptedServer:
    """Answers with one of `answers` after the other, the last one for ever."""

    def __init__(self, *answers: Scripted) -> None:
        self.answers = list(answers)
        self.sent: list[Sent] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.sent.append(Sent(self.command, self.path, headers, body))
                answer = outer.answer(outer.sent[-1])
                content = answer.body if isinstance(answer.body, bytes) else json.dumps(answer.body).encode()
                if answer.cut is not None:
                    self.close_connection = True
                    if not answer.cut:
                        return
                self.send_response(answer.status)
                kind = PROBLEM if answer.status >= 400 else "application/json"
                fields = {"Content-Type": kind, "Content-Length": str(len(content)), **answer.headers}
                for name, value in fields.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content[: answer.cut])

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, sent: Sent) -> Scripted:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def problem(status: int, code: str, detail: str, **headers: str) -> Scripted:
    body = {"type": "about:blank", "title": "", "status": status, "detail": detail, "code": code}
    return Scripted(status, body, {name.replace("_", "-"): value for name, value in headers.items()})
