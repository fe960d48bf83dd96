"""A bridge for tests: the dispatcher behind a small HTTP server on loopback."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from jotsam.surfaces.mcp.messages import RpcError, decode, encode, failure

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from jotsam.surfaces.mcp.dispatcher import Dispatcher

LOCAL = ("127.0.0.1", "localhost")
BAD_REQUEST = (-32700, -32600, -32020, -32021, -32022)


class Bridge:
    """Serves a dispatcher at `url` inside the `with` block."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        lock = threading.Lock()  # The dispatcher is called by one thread at a time, as over standard input.

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if not self._is_local():
                    self._send(403, {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "not local"}})
                    return
                try:
                    message = decode(body)
                except RpcError as error:
                    self._send(400, failure(None, error))
                    return
                with lock:
                    reply = dispatcher.handle(message)
                code = reply.get("error", {}).get("code") if isinstance(reply, dict) else None
                self._send(202 if reply is None else 400 if code in BAD_REQUEST else 200, reply)

            def do_GET(self) -> None:
                self._send(405, None)

            do_DELETE = do_GET

            def _is_local(self) -> bool:
                """Against DNS rebinding: a page of another host may not talk to this server."""
                origin = self.headers.get("Origin")
                hosts = [urlsplit(f"//{self.headers.get('Host', '')}").hostname]
                hosts += [urlsplit(origin).hostname] if origin else []
                return all(host in LOCAL for host in hosts)

            def _send(self, status: int, reply: Any) -> None:
                body = b"" if reply is None else encode(reply)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/mcp"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
