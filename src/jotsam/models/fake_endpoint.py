"""An OpenAI-compatible server without a model: it answers what a few rules find, and fails as its script says.

    python -m jotsam.models.fake_endpoint --port 8765 --latency-ms 1000

It serves whoever tries Jotsam without a key, and every test and benchmark that needs a model: over real HTTP, with the
same bytes for the same question. `POST /script` with `["500", "ok", "429:2"]` says what happens to the next requests,
in order; a model named `fail-500` fails so every time. `GET /log` tells what was asked.

| word | what happens |
|---|---|
| `ok` | an answer |
| `400`, `401`, `429:2`, `503:1`, ... | that status; behind the colon its Retry-After in seconds |
| `too-long` | 400, as for a prompt longer than the context |
| `no-schema`, `no-json` | 400 for `response_format` json_schema, or for any |
| `no-max-tokens`, `no-temperature` | 400 for that parameter |
| `fence`, `think`, `comma`, `chatter` | a right answer in a fence, after thoughts, with a comma too many, amid words |
| `broken`, `shape`, `strange`, `empty` | text that is no JSON, the wrong shape, items nobody can believe, no text |
| `length` | cut off by the limit of tokens |
| `mixed` | a right answer with one item nobody can believe |
| `created`, `moved` | a right answer under 201; 301 to another place |
| `say:TEXT`, `raw:BODY` | an answer with that text; that body, whatever it is |
| `cut-body`, `no-body`, `hang`, `drip`, `html` | cut off within, cut off at once, never, for ever, a page of HTML |

This is a double for models, not for our own code. It must not be good at reading.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import threading
from collections import deque
from hashlib import blake2s
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Self

DIMENSION = 64
CHARACTERS_PER_TOKEN = 4
DRIP_SECONDS = 0.05
LONGEST_HANG_SECONDS = 600

_TEXT = re.compile(r"<text>\n(.*)\n</text>", re.DOTALL)
_NAME = re.compile(r"\b[A-Z][A-Za-z0-9+#]*(?: [A-Z][a-z]+)?")
_FACT = re.compile(
    r"([A-Z]\w+(?: [A-Z]\w+)?|[Ww]e|[Tt]he \w+(?: \w+)?) (uses|use|prefers|chose|depends on|is) ([\w+#.-]+)"
)
_WORD = re.compile(r"\w+")
_REFUSALS = {
    "no-schema": ("json_schema", "response_format.type 'json_schema' is not supported"),
    "no-json": ("json_schema json_object", "response_format is not supported"),
}


def extraction(text: str) -> dict[str, Any]:
    """What looks like the reading of a text: names as tools, plain sentences as facts."""
    names = [name for name in dict.fromkeys(_NAME.findall(text)) if name not in ("The", "We", "I", "It", "A", "In")]
    facts = [
        {
            "subject": s,
            "predicate": p,
            "object": o.rstrip("."),
            "confidence": 0.8,
            "valid_from": None,
            "valid_until": None,
        }
        for s, p, o in _FACT.findall(text)
    ]
    summary = " ".join(text.split())[:120] or "nothing"
    return {
        "summary": summary,
        "type": "Decision" if "chose" in text or "decided" in text else "Context",
        "type_confidence": 0.6,
        "importance": 0.5,
        "entities": [{"name": name, "category": "tools", "confidence": 0.9} for name in names[:20]],
        "facts": facts[:20],
        "dates": [],
    }


def embedding(text: str, dimension: int = DIMENSION) -> list[float]:
    """A vector of length 1 whose places are its hashed words: texts that share words are near each other."""
    vector = [0.0] * dimension
    for word in _WORD.findall(text.lower()):
        digest = blake2s(word.encode(), digest_size=4).digest()
        vector[int.from_bytes(digest[:3]) % dimension] += 1.0 if digest[3] % 2 else -1.0
    length = sum(value * value for value in vector) ** 0.5
    return [value / length for value in vector] if length else [1.0] + [0.0] * (dimension - 1)


class Scripted:
    """The server, on a port of this machine, in threads of this process. A context manager.

    `requests` are the bodies asked so far, each with its `path` and `authorization`; `at_most` the most at one time.
    """

    def __init__(self, *, port: int = 0, latency_ms: int = 0, dimension: int = DIMENSION) -> None:
        self.latency_ms = latency_ms
        self.dimension = dimension
        self.requests: list[dict[str, Any]] = []
        self.at_most = 0
        self._now = 0
        self._script: deque[str] = deque()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._held = threading.Event()
        self._held.set()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.scripted = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def script(self, words: Iterable[str]) -> None:
        """What happens to the next requests, in order; afterwards `ok`."""
        with self._lock:
            self._script = deque(words)

    def hold(self) -> None:
        """From now on no request is answered, until `go_on`."""
        self._held.clear()

    def go_on(self) -> None:
        self._held.set()

    def serve_forever(self) -> None:
        self._server.serve_forever(poll_interval=0.02)

    def close(self) -> None:
        self._ended.set()
        self._held.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, asked: dict[str, Any]) -> str:
        """Take note of a request. Returns the word that says what happens to it."""
        with self._lock:
            self.requests.append(asked)
            self._now += 1
            self.at_most = max(self.at_most, self._now)
            model = str(asked.get("model", ""))
            word = model.removeprefix("fail-") if model.startswith("fail-") else ""
            word = word or (self._script.popleft() if self._script else "ok")
        self._held.wait(LONGEST_HANG_SECONDS)
        if self.latency_ms:
            self._ended.wait(self.latency_ms / 1000)
        return word

    def end(self) -> None:
        with self._lock:
            self._now -= 1

    def pause(self, seconds: float) -> bool:
        """Wait; True when the server has ended meanwhile."""
        return self._ended.wait(seconds)


class _Server(ThreadingHTTPServer):
    scripted: Scripted
    daemon_threads = True
    request_queue_size = 128
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that go away are part of the script."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # Else head and body travel apart, and a kept connection waits 40 ms for each.
    wbufsize = -1

    def log_message(self, format: str, *args: object) -> None:
        """Silent: `GET /log` tells."""

    def do_GET(self) -> None:
        if self.path == "/log":
            self._send(200, {"requests": self.server.scripted.requests, "at_most": self.server.scripted.at_most})
        else:
            self._send(200, {"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/script":
            self.server.scripted.script(body)
            self._send(200, {})
            return
        scripted = self.server.scripted
        asked = {**body, "path": self.path, "authorization": self.headers.get("authorization")}
        word = scripted.begin(asked)
        try:
            if not self._fails(word, asked):
                self._answer(word, asked)
        finally:
            scripted.end()

    def _fails(self, word: str, asked: dict[str, Any]) -> bool:
        """Fail as the word says. False: it says to answer."""
        status, _, after = word.partition(":")
        kind = (asked.get("response_format") or {}).get("type", "plain")
        if status.isdigit():
            self._error(int(status), f"scripted failure {status}", after)
        elif word == "too-long":
            self._error(400, "This model's maximum context length is 100 tokens", code="context_length_exceeded")
        elif word in _REFUSALS and kind in _REFUSALS[word][0].split():
            self._error(400, _REFUSALS[word][1])
        elif word == "no-max-tokens" and "max_tokens" in asked:
            self._error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        elif word == "no-temperature" and "temperature" in asked:
            self._error(400, "Unsupported value: 'temperature' does not support 0")
        elif word in ("cut-body", "no-body", "hang", "drip", "html"):
            self._break(word)
        elif word == "moved":
            self._write(301, b"", "text/plain", {"location": "https://example.com/v1"})
        elif word.startswith("raw:"):
            self._write(200, word.removeprefix("raw:").encode(), "application/json")
        else:
            return False
        return True

    def _break(self, word: str) -> None:
        self.close_connection = True
        if word == "html":
            self._write(200, b"<html><body>Welcome</body></html>", "text/html")
        elif word == "hang":
            self.server.scripted.pause(LONGEST_HANG_SECONDS)
        elif word in ("cut-body", "drip"):
            self.send_response(200)
            self.send_header("content-length", "1000")
            self.end_headers()
            self.wfile.write(b'{"choices": [')
            self.wfile.flush()
            while word == "drip" and not self.server.scripted.pause(DRIP_SECONDS):
                self.wfile.write(b" ")
                self.wfile.flush()

    def _answer(self, word: str, asked: dict[str, Any]) -> None:
        if self.path.endswith("/embeddings"):
            texts = asked["input"] if isinstance(asked["input"], list) else [asked["input"]]
            size = self.server.scripted.dimension
            data = [{"object": "embedding", "index": i, "embedding": embedding(t, size)} for i, t in enumerate(texts)]
            tokens = sum(len(text) for text in texts) // CHARACTERS_PER_TOKEN
            used = {"prompt_tokens": tokens, "total_tokens": tokens}
            self._send(200, {"object": "list", "model": asked["model"], "data": data, "usage": used})
            return
        question = "".join(message["content"] for message in asked["messages"])
        content = said(word, asked["messages"][-1]["content"])
        used = {"prompt_tokens": len(question) // CHARACTERS_PER_TOKEN}
        used["completion_tokens"] = len(content or "") // CHARACTERS_PER_TOKEN
        finish = "length" if word == "length" else "stop"
        choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": finish}
        found = {"object": "chat.completion", "model": asked["model"], "choices": [choice], "usage": used}
        self._send(201 if word == "created" else 200, found)

    def _error(self, status: int, message: str, after: str = "", *, code: str | None = None) -> None:
        headers = {"retry-after": after} if after else {}
        said = {"error": {"message": message, "type": "scripted", "code": code}}
        self._write(status, json.dumps(said).encode(), "application/json", headers)

    def _send(self, status: int, found: object) -> None:
        self._write(status, json.dumps(found).encode(), "application/json")

    def _write(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def said(word: str, question: str) -> str | None:
    """The text of an answer, right or wrong as the word says."""
    if word.startswith("say:"):
        return word.removeprefix("say:")
    found = _TEXT.search(question)
    reading = extraction(found[1] if found else question)
    right = json.dumps(reading, ensure_ascii=False)
    nobody = {"name": "Nobody Anywhere", "category": "people", "confidence": 1}
    replies = {
        "fence": f"Sure! Here you go:\n```json\n{right}\n```\nAnything else?",
        "think": f"<think>It says {{something}}.</think>\n{right}",
        "comma": right[:-1] + ",}",
        "chatter": f"The reading is {{as asked}}:\n{right}\nI hope this helps.",
        "broken": right[: len(right) // 2] + "}}",
        "shape": json.dumps({"triples": []}),
        "strange": json.dumps({**reading, "entities": [nobody], "facts": [{"subject": "x"}]}),
        "mixed": json.dumps({**reading, "entities": [nobody, *reading["entities"]]}),
        "empty": None,
        "length": right[: len(right) // 2],
    }
    return replies.get(word, right)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m jotsam.models.fake_endpoint", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--port", type=int, default=0, help="of 127.0.0.1 (default: any free one)")
    parser.add_argument("--latency-ms", type=int, default=0, help="how long each answer takes")
    parser.add_argument("--dimension", type=int, default=DIMENSION, help="of the vectors (default %(default)s)")
    chosen = parser.parse_args()
    server = Scripted(port=chosen.port, latency_ms=chosen.latency_ms, dimension=chosen.dimension)
    print(server.url, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
