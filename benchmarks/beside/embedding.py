"""The one embedder of all sides: a server of the OpenAI protocol on this machine, with all-MiniLM-L6-v2 in it.

Every system that takes an embedder takes this one, so that they differ by everything else. A text that was embedded
before, in an earlier run too, is not computed again, and its first cost is charged again: a system that embeds each
text twice pays twice.
"""

from __future__ import annotations

import base64
import json
import os
import sqlite3
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from benchmarks.child import serve

MODEL = "minilm"
SIZE = 384


class Server(ThreadingHTTPServer):
    """Embeds one request at a time, and counts the processor time of it."""

    daemon_threads = True

    def __init__(self, folder: str) -> None:
        from jotsam.models.local_embedder import LocalEmbedder

        super().__init__(("127.0.0.1", 0), Handler)
        self._embedder = LocalEmbedder(folder, threads=1)
        self._known = sqlite3.connect(f"{folder}.db", isolation_level=None, check_same_thread=False)
        self._known.execute("create table if not exists known (text primary key, vector blob, seconds real)")
        self._lock = threading.Lock()
        self._spent = 0.0

    def embed(self, texts: list[str]) -> list[bytes]:
        with self._lock:
            found = [self._one(text) for text in texts]
            self._spent += sum(seconds for _, seconds in found)
            return [vector for vector, _ in found]

    def _one(self, text: str) -> tuple[bytes, float]:
        """A vector, and the seconds that it took when it was computed."""
        known = self._known.execute("select vector, seconds from known where text = ?", (text,)).fetchone()
        if known is None:
            began = time.thread_time()
            (vector,) = self._embedder.embed([text or " "])
            known = vector, time.thread_time() - began
            self._known.execute("insert into known values (?, ?, ?)", (text, *known))
        return known

    def spent(self) -> float:
        """Seconds of the processor for everything that was asked for since this was last called."""
        with self._lock:
            spent, self._spent = self._spent, 0.0
            return spent


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self._reply({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/embeddings"):
            self.send_error(404, "there is no language model here")
            return
        texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
        packed = asked.get("encoding_format") == "base64"
        data = [
            {"object": "embedding", "index": place, "embedding": _said(vector, packed)}
            for place, vector in enumerate(self.server.embed(texts))
        ]
        usage = {"prompt_tokens": 0, "total_tokens": 0}
        self._reply({"object": "list", "data": data, "model": MODEL, "usage": usage})

    def _reply(self, value: object) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing: a line for each request would be all that one sees."""


def _said(vector: bytes, packed: bool) -> str | list[float]:
    return base64.b64encode(vector).decode() if packed else list(struct.unpack(f"<{SIZE}f", vector))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    server = Server(sys.argv[1])
    threading.Thread(target=server.serve_forever, daemon=True).start()
    serve({"address": lambda: f"http://127.0.0.1:{server.server_port}/v1", "spent": server.spent})
