"""A proxy for clients that cannot send a token: it adds one, and forwards everything else as it came."""

from __future__ import annotations

import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from http_server import HttpServer


class TokenProxy:
    """Forwards to a server inside the `with` block."""

    def __init__(self, server: HttpServer) -> None:
        target = urlsplit(server.url).netloc

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def forward(self) -> None:
                content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                connection = HTTPConnection(target, timeout=60)
                headers = {**self.headers, "Authorization": f"Bearer {server.token}"}
                connection.request(self.command, self.path, content, headers)
                found = connection.getresponse()
                reply = found.read()
                self.send_response(found.status)
                for name, value in found.getheaders():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply)
                connection.close()

            do_GET = do_POST = do_DELETE = do_OPTIONS = forward

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
