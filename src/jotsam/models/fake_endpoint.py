"""A fake OpenAI-compatible server for trials and tests. It uses no model: a few rules produce the replies.

    python -m jotsam.models.fake_endpoint --port 8765 --latency-ms 1000

It lets you try Jotsam without an API key, and serves the tests and benchmarks over real HTTP. The same request always
gets the same bytes. `POST /script` with `["500", "ok", "429:2"]` sets the behaviours of the next requests, in order;
a model named `fail-500` always fails that way. `GET /log` returns the requests so far.

| behaviour | response |
|---|---|
| `ok` | a valid reply |
| `400`, `401`, `429:2`, `503:1`, ... | that status; the number after the colon is Retry-After in seconds |
| `too-long` | 400, as for a prompt longer than the context window |
| `no-schema`, `no-json` | 400 for the `response_format` json_schema, or for any `response_format` |
| `no-max-tokens`, `no-temperature`, `no-stream`, `no-stream-options` | 400 for that parameter |
| `whole` | a valid reply that is not streamed, although a stream is asked for |
| `slow`, `stall`, `stop` | a stream of 20 pieces: slow, silent after the half, closed after the half |
| `fence`, `think`, `comma`, `chatter` | a valid reply: fenced, after a thought, with a trailing comma, amid prose |
| `broken`, `shape`, `strange`, `empty` | invalid JSON, the wrong shape, only items that fail validation, no text |
| `length`, `length:20` | a reply cut off at the token limit: at its half, after 20 characters |
| `mixed` | a valid reply with one item that fails validation |
| `created`, `moved` | a valid reply with status 201; a redirect (301) |
| `say:TEXT`, `raw:BODY` | a reply with that text; that response body, unchecked |
| `status:400:BODY` | that status with that response body |
| `refusal` | the model declines: no text, but a reason |
| `huge` | a reply above the size limit of 4 MB |
| `cut-body`, `no-body`, `hang`, `drip`, `html` | closed within the body, closed at once, silent, endless, HTML |

It stands in for models, never for our own code, and must not become good at extraction.
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
STREAM_PIECES = 20
LONGEST_HANG_SECONDS = 600
HUGE_CHARACTERS = 4_000_001

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


def fake_extraction(text: str) -> dict[str, Any]:
    """A plausible extraction: capitalised words as tools, simple sentences as facts."""
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


def fake_embedding(text: str, dimension: int = DIMENSION) -> list[float]:
    """A unit vector of hashed words: texts that share words are close to each other."""
    vector = [0.0] * dimension
    for word in _WORD.findall(text.lower()):
        digest = blake2s(word.encode(), digest_size=4).digest()
        vector[int.from_bytes(digest[:3]) % dimension] += 1.0 if digest[3] % 2 else -1.0
    length = sum(value * value for value in vector) ** 0.5
    return [value / length for value in vector] if length else [1.0] + [0.0] * (dimension - 1)


class FakeEndpoint:
    """The server, on a loopback port, in threads of this process. A context manager.

    `failing` maps words to the behaviour of each request whose text contains the word, its context left out. `requests`
    holds the request bodies so far, each with its `path` and `authorization`; `peak_concurrency` is the highest number
    of requests in progress at once. With `context_tokens` a longer prompt is refused as llama.cpp does, and
    `tells_context` lists the size.
    """

    def __init__(self, *, port: int = 0, latency_ms: int = 0, dimension: int = DIMENSION) -> None:
        self.latency_ms = latency_ms
        self.dimension = dimension
        self.failing: dict[str, str] = {}
        self.context_tokens: int | None = None
        self.tells_context = False
        self.requests: list[dict[str, Any]] = []
        self.peak_concurrency = 0
        self._in_progress = 0
        self._script: deque[str] = deque()
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._running = threading.Event()
        self._running.set()
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.fake_endpoint = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def script(self, behaviours: Iterable[str]) -> None:
        """Set the behaviours of the next requests, in order; later ones are `ok`."""
        with self._lock:
            self._script = deque(behaviours)

    def hold(self) -> None:
        """Answer no request until `resume`."""
        self._running.clear()

    def resume(self) -> None:
        self._running.set()

    def serve_forever(self) -> None:
        self._server.serve_forever(poll_interval=0.02)

    def close(self) -> None:
        self._closing.set()
        self._running.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, request: dict[str, Any]) -> str:
        """Record a request. Returns its behaviour."""
        with self._lock:
            self.requests.append(request)
            self._in_progress += 1
            self.peak_concurrency = max(self.peak_concurrency, self._in_progress)
            model = str(request.get("model", ""))
            behaviour = model.removeprefix("fail-") if model.startswith("fail-") else ""
            text = _asked_text(request)
            words = [word for word in self.failing if word in text]
            behaviour = behaviour or next((self.failing[word] for word in words), "")
            behaviour = behaviour or (self._script.popleft() if self._script else "ok")
        self._running.wait(LONGEST_HANG_SECONDS)
        if self.latency_ms:
            self._closing.wait(self.latency_ms / 1000)
        return behaviour

    def end(self) -> None:
        with self._lock:
            self._in_progress -= 1

    def pause(self, seconds: float) -> bool:
        """Wait up to `seconds`. Returns whether the server is closing."""
        return self._closing.wait(seconds)


class _Server(ThreadingHTTPServer):
    fake_endpoint: FakeEndpoint
    daemon_threads = True
    request_queue_size = 128
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore disconnected clients: tests cause them on purpose."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # With Nagle, a reused connection waits 40 ms for each response.
    wbufsize = -1

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing; `GET /log` returns the requests."""

    def do_GET(self) -> None:
        if self.path == "/log":
            fake = self.server.fake_endpoint
            self._send(200, {"requests": fake.requests, "peak_concurrency": fake.peak_concurrency})
        else:
            model: dict[str, Any] = {"id": "fake-model", "object": "model"}
            if self.server.fake_endpoint.tells_context:
                model["meta"] = {"n_ctx": self.server.fake_endpoint.context_tokens}
            self._send(200, {"object": "list", "data": [model]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/script":
            self.server.fake_endpoint.script(body)
            self._send(200, {})
            return
        fake_endpoint = self.server.fake_endpoint
        request = {**body, "path": self.path, "authorization": self.headers.get("authorization")}
        behaviour = fake_endpoint.begin(request)
        try:
            if not self._fail(behaviour, request):
                self._answer(behaviour, request)
        finally:
            fake_endpoint.end()

    def _fail(self, behaviour: str, request: dict[str, Any]) -> bool:
        """Send the failure of a behaviour. Returns whether there was one."""
        status, _, after = behaviour.partition(":")
        kind = (request.get("response_format") or {}).get("type", "plain")
        if status.isdigit():
            self._error(int(status), f"fake failure {status}", after)
        elif self._exceeds_context(request):
            self._error(400, "request exceeds the available context size", code="exceed_context_size_error")
        elif behaviour == "too-long":
            self._error(400, "This model's maximum context length is 100 tokens", code="context_length_exceeded")
        elif behaviour in _REFUSALS and kind in _REFUSALS[behaviour][0].split():
            self._error(400, _REFUSALS[behaviour][1])
        elif behaviour == "no-max-tokens" and "max_tokens" in request:
            self._error(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        elif behaviour == "no-temperature" and "temperature" in request:
            self._error(400, "Unsupported value: 'temperature' does not support 0")
        elif behaviour in ("no-stream", "no-stream-options") and (name := behaviour[3:].replace("-", "_")) in request:
            self._error(400, f"Unsupported parameter: '{name}'")
        elif behaviour in ("cut-body", "no-body", "hang", "drip", "html"):
            self._break(behaviour)
        elif behaviour == "moved":
            self._write(301, b"", "text/plain", {"location": "https://example.com/v1"})
        elif behaviour.startswith("raw:"):
            self._write(200, behaviour.removeprefix("raw:").encode(), "application/json")
        elif behaviour.startswith("status:"):
            _, status, body = behaviour.split(":", 2)
            self._write(int(status), body.encode(), "application/json")
        else:
            return False
        return True

    def _exceeds_context(self, request: dict[str, Any]) -> bool:
        context = self.server.fake_endpoint.context_tokens
        prompt = sum(len(message["content"]) for message in request.get("messages", ()))
        return context is not None and prompt // CHARACTERS_PER_TOKEN + request.get("max_tokens", 0) > context

    def _break(self, behaviour: str) -> None:
        self.close_connection = True
        if behaviour == "html":
            self._write(200, b"<html><body>Welcome</body></html>", "text/html")
        elif behaviour == "hang":
            self.server.fake_endpoint.pause(LONGEST_HANG_SECONDS)
        elif behaviour in ("cut-body", "drip"):
            self.send_response(200)
            self.send_header("content-length", "1000")
            self.end_headers()
            self.wfile.write(b'{"choices": [')
            self.wfile.flush()
            while behaviour == "drip" and not self.server.fake_endpoint.pause(DRIP_SECONDS):
                self.wfile.write(b" ")
                self.wfile.flush()

    def _answer(self, behaviour: str, request: dict[str, Any]) -> None:
        if self.path.endswith("/embeddings"):
            texts = request["input"] if isinstance(request["input"], list) else [request["input"]]
            vectors = [fake_embedding(text, self.server.fake_endpoint.dimension) for text in texts]
            data = [{"object": "embedding", "index": i, "embedding": vector} for i, vector in enumerate(vectors)]
            tokens = sum(len(text) for text in texts) // CHARACTERS_PER_TOKEN
            used = {"prompt_tokens": tokens, "total_tokens": tokens}
            self._send(200, {"object": "list", "model": request["model"], "data": data, "usage": used})
            return
        question = "".join(message["content"] for message in request["messages"])
        content = reply_text(behaviour, request["messages"][-1]["content"])
        used = {"prompt_tokens": len(question) // CHARACTERS_PER_TOKEN}
        used["completion_tokens"] = len(content or "") // CHARACTERS_PER_TOKEN
        finish = "length" if behaviour.startswith("length") else "stop"
        message: dict[str, Any] = {"role": "assistant", "content": content}
        if behaviour == "refusal":
            message = {"role": "assistant", "content": None, "refusal": "I cannot help with that"}
        field = "refusal" if behaviour == "refusal" else "content"
        if request.get("stream") and message[field] and behaviour not in ("whole", "huge"):
            self._stream(behaviour, (field, message[field]), finish, used if request.get("stream_options") else None)
            return
        choice = {"index": 0, "message": message, "finish_reason": finish}
        found = {"object": "chat.completion", "model": request["model"], "choices": [choice], "usage": used}
        self._send(201 if behaviour == "created" else 200, found)

    def _stream(self, behaviour: str, message: tuple[str, str], finish: str, used: dict[str, int] | None) -> None:
        """Send a reply, given as the name of its field and the text, as server-sent events."""
        field, content = message
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        size = -(-len(content) // STREAM_PIECES)
        pieces = [content[at : at + size] for at in range(0, len(content), size)]
        for number, piece in enumerate(pieces):
            if behaviour in ("stall", "stop") and number >= len(pieces) // 2:
                self.close_connection = True
                self.server.fake_endpoint.pause(LONGEST_HANG_SECONDS if behaviour == "stall" else 0)
                return
            if behaviour == "slow":
                self.server.fake_endpoint.pause(DRIP_SECONDS)
            self._event({"choices": [{"index": 0, "delta": {field: piece}, "finish_reason": None}]})
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        if used is not None:
            self._event({"choices": [], "usage": used})
        self._chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _event(self, found: object) -> None:
        self._chunk(b"data: " + json.dumps(found).encode() + b"\n\n")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _error(self, status: int, message: str, after: str = "", *, code: str | None = None) -> None:
        headers = {"retry-after": after} if after else {}
        found = {"error": {"message": message, "type": "fake", "code": code}}
        self._write(status, json.dumps(found).encode(), "application/json", headers)

    def _send(self, status: int, found: object) -> None:
        self._write(status, json.dumps(found).encode(), "application/json")

    def _write(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _asked_text(request: dict[str, Any]) -> str:
    """The text that a request asks about, or all of the request."""
    found = _TEXT.search(request["messages"][-1]["content"]) if request.get("messages") else None
    return found[1] if found else json.dumps(request)


def reply_text(behaviour: str, question: str) -> str | None:
    """The text of a chat reply, valid or not according to the behaviour."""
    if behaviour.startswith("say:"):
        return behaviour.removeprefix("say:")
    behaviour, _, characters = behaviour.partition(":")
    found = _TEXT.search(question)
    extracted = fake_extraction(found[1] if found else question)
    valid = json.dumps(extracted, ensure_ascii=False)
    unknown = {"name": "Nobody Anywhere", "category": "people", "confidence": 1}
    replies = {
        "fence": f"Sure! Here you go:\n```json\n{valid}\n```\nAnything else?",
        "think": f"<think>It says {{something}}.</think>\n{valid}",
        "comma": valid[:-1] + ",}",
        "chatter": f"The extraction is {{as asked}}:\n{valid}\nI hope this helps.",
        "broken": valid[: len(valid) // 2] + "}}",
        "shape": json.dumps({"triples": []}),
        "strange": json.dumps({**extracted, "entities": [unknown], "facts": [{"subject": "x"}]}),
        "mixed": json.dumps({**extracted, "entities": [unknown, *extracted["entities"]]}),
        "empty": None,
        "huge": valid + " " * HUGE_CHARACTERS,
        "length": valid[: int(characters or len(valid) // 2)],
    }
    return replies.get(behaviour, valid)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m jotsam.models.fake_endpoint", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1 (default: any free port)")
    parser.add_argument("--latency-ms", type=int, default=0, help="delay of each response")
    parser.add_argument(
        "--dimension", type=int, default=DIMENSION, help="dimension of the vectors (default: %(default)s)"
    )
    options = parser.parse_args()
    server = FakeEndpoint(port=options.port, latency_ms=options.latency_ms, dimension=options.dimension)
    print(server.url, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
