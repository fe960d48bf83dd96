"""Records what a client sends to a server, and what it gets: a proxy that writes a fixture for `tests/wire`.

python -m tools.record_wire --to http://127.0.0.1:8787 --port 8001 --token TOKEN --client "NAME VERSION (COMMIT)" FILE

Point the client to the port, use it, and press Control-C. Ids and the token are replaced by names, so that a test can
send the same again to another server.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import threading
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
# The headers of a request that matter.
KEPT = frozenset(("authorization", "x-api-key", "content-type", "origin", "prefer"))
KEPT |= {"access-control-request-method", "access-control-request-headers"}
ANSWERED = ("content-type", "access-control-allow-origin")  # headers of a reply that matter
BAD = 400  # the first status of an error
HOP = ("host", "connection", "content-length", "transfer-encoding", "accept-encoding")


class Recorder:
    """Writes one line for each exchange, in the order in which they end."""

    def __init__(self, path: Path, *, client: str, token: str) -> None:
        self._path, self._token = path, token
        self._ids: dict[str, str] = {}
        self._lock = threading.Lock()
        path.write_text(json.dumps({"client": client}) + "\n")

    def add(self, asked: dict[str, Any], answered: dict[str, Any]) -> None:
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            sent, got = (
                json.dumps(part, ensure_ascii=False).replace(self._token, "{token}") for part in (asked, answered)
            )
            # An id that the client sends before any reply had it exists nowhere, and stays as it is.
            sent = ID.sub(lambda found: self._ids.get(found[0], found[0]), sent)
            if answered["status"] < BAD:
                got = ID.sub(lambda found: self._ids.setdefault(found[0], f"{{id{len(self._ids) + 1}}}"), got)
            file.write(json.dumps({**json.loads(sent), **json.loads(got)}, ensure_ascii=False) + "\n")


def handler_of(recorder: Recorder, host: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
            connection = HTTPConnection(host, timeout=60)
            connection.request(self.command, self.path, body or None, headers)
            reply = connection.getresponse()
            content = reply.read()
            found = {name.lower(): value for name, value in reply.getheaders()}
            self.send_response(reply.status)
            for name, value in found.items():
                if name not in HOP:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            sent = {name.lower(): value for name, value in headers.items() if name.lower() in KEPT}
            asked = {"method": self.command, "path": self.path, "headers": sent, "body": decoded(body)}
            kept = {name: found[name] for name in ANSWERED if name in found}
            recorder.add(asked, {"status": reply.status, "reply_headers": kept, "reply": decoded(content)})

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_OPTIONS = forward

        def log_message(self, *arguments: Any) -> None:
            sys.stderr.write(f"{self.command} {self.path}\n")

    return Handler


def decoded(content: bytes) -> Any:
    """JSON as a value, other text as it is, nothing as null."""
    if not content:
        return None
    try:
        return json.loads(content)
    except ValueError:
        return content.decode(errors="replace")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--to", required=True, help="the address of the server")
    parser.add_argument("--port", type=int, required=True, help="the port that the client connects to")
    parser.add_argument("--token", required=True, help="the token, which is not recorded")
    parser.add_argument("--client", required=True, help="name, version and commit of the client")
    arguments = parser.parse_args()
    recorder = Recorder(arguments.file, client=arguments.client, token=arguments.token)
    host = urlsplit(arguments.to).netloc
    server = ThreadingHTTPServer(("127.0.0.1", arguments.port), handler_of(recorder, host))
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
