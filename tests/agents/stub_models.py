"""A server on loopback that answers the four agents as their vendors' models would, from a script.

It stands in for a model, never for our own code. Each agent sends its requests in the protocol of its vendor: Anthropic
messages, OpenAI responses, OpenAI chat completions, Gemini `generateContent`. Every request is kept. A request that
offers no tools is one of the agent's own (a title, a choice of model) and gets a fixed answer.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections import deque
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

USUAL_ANSWER = "All right."
USAGE = {"input_tokens": 10, "output_tokens": 5}


class Reply(NamedTuple):
    """What the model says, and which tool it then calls. The tool is found by the end of its name."""

    text: str = ""
    tool: str | None = None
    arguments: dict[str, Any] | None = None


class Request(NamedTuple):
    """A request of an agent."""

    path: str
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All strings in it, the instructions and the earlier conversation among them, but not the tools."""
        return "\n".join(_strings({name: value for name, value in self.body.items() if name != "tools"}))

    @property
    def tools(self) -> list[tuple[str, str | None]]:
        """Name and namespace of each tool that it offers."""
        found: list[tuple[str, str | None]] = []
        given = self.body.get("input")
        more = [item for item in given if item.get("type") == "additional_tools"] if isinstance(given, list) else []
        for tool in [*(self.body.get("tools") or []), *more]:
            if tool.get("type") == "additional_tools":
                found += Request(self.path, {"tools": tool["tools"]}).tools
            elif "functionDeclarations" in tool:
                found += [(function["name"], None) for function in tool["functionDeclarations"]]
            elif tool.get("type") == "namespace":
                found += [(function["name"], tool["name"]) for function in tool["tools"]]
            else:
                found.append((tool.get("name") or tool.get("function", {}).get("name", ""), None))
        return found


class StubModels:
    """`with StubModels() as models:` serves until the block ends."""

    def __init__(self) -> None:
        self.all_requests: list[Request] = []
        self.answers_without_tools = False  # from the script too; then it calls tools that are not offered
        self._replies: deque[Reply] = deque()
        self._held = threading.Event()
        self._held.set()
        self._lock = threading.Lock()
        self._number = 0
        stub = self

        class Handler(_Handler):
            models = stub

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> StubModels:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._held.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def requests(self) -> list[Request]:
        """The requests that continue a conversation, in order."""
        with self._lock:
            return [request for request in self.all_requests if request.tools]

    def will(self, *replies: Reply | str) -> None:
        """What the model answers next; after that it gives its usual answer."""
        self._replies.extend(reply if isinstance(reply, Reply) else Reply(reply) for reply in replies)

    def hold(self) -> None:
        """Do not answer until `release` is called."""
        self._held.clear()

    def release(self) -> None:
        self._held.set()

    def reply_to(self, request: Request) -> tuple[Reply, int]:
        with self._lock:
            self.all_requests.append(request)
            self._number += 1
            number = self._number
            if not request.tools and not self.answers_without_tools:
                return Reply(USUAL_ANSWER), number
            reply = self._replies.popleft() if self._replies else Reply(USUAL_ANSWER)
        self._held.wait()
        return reply, number


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    models: StubModels

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._send(b"", "text/plain")

    def do_GET(self) -> None:
        self._send(json.dumps({"object": "list", "data": [], "models": [], "has_more": False}).encode())

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.headers.get("content-encoding") == "gzip":
            raw = gzip.decompress(raw)
        try:
            body = json.loads(raw)
        except ValueError:
            body = {}
        path = self.path.partition("?")[0]
        write = next((write for ending, write in _PROTOCOLS.items() if path.endswith(ending)), None)
        if write is None or not isinstance(body, dict):
            self._send(json.dumps({"input_tokens": 10, "totalTokens": 10}).encode())  # A count, or telemetry.
            return
        request = Request(path, body)
        reply, number = self.models.reply_to(request)
        streamed = bool(body.get("stream")) or "stream" in path
        try:
            if self.models.answers_without_tools and reply.tool:
                request = Request(path, {**body, "tools": [{"name": reply.tool}]})
            self._send(write(reply, number, request, streamed), "text/event-stream" if streamed else "application/json")
        except (BrokenPipeError, ConnectionResetError):
            pass  # The agent was killed.

    def _send(self, body: bytes, kind: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _anthropic(reply: Reply, number: int, request: Request, streamed: bool) -> bytes:
    blocks: list[dict[str, Any]] = []
    if reply.text:
        blocks.append({"type": "text", "text": reply.text})
    if reply.tool:
        name, _ = _tool(request, reply.tool)
        blocks.append({"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": reply.arguments or {}})
    stop = "tool_use" if reply.tool else "end_turn"
    message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": request.body.get("model")}
    if not streamed:
        return json.dumps({**message, "content": blocks, "stop_reason": stop, "usage": USAGE}).encode()
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "usage": USAGE}}
    ]
    for index, block in enumerate(blocks):
        if block["type"] == "text":
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        events += [
            {"type": "content_block_start", "index": index, "content_block": start},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    events.append({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 5}})
    events.append({"type": "message_stop"})
    return _named_events(events)


def _responses(reply: Reply, number: int, request: Request, streamed: bool) -> bytes:
    items: list[dict[str, Any]] = []
    if reply.text:
        content = [{"type": "output_text", "text": reply.text}]
        items.append({"type": "message", "role": "assistant", "id": f"msg_{number}", "content": content})
    if reply.tool:
        name, namespace = _tool(request, reply.tool)
        call = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "name": name}
        call |= {"namespace": namespace} if namespace else {}
        items.append(call | {"arguments": json.dumps(reply.arguments or {})})
    done = {"id": f"resp_{number}", "output": items, "usage": {**USAGE, "total_tokens": 15}}
    if not streamed:
        return json.dumps(done).encode()
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": f"resp_{number}"}}]
    events += [{"type": "response.output_item.done", "item": item} for item in items]
    return _named_events([*events, {"type": "response.completed", "response": done}])


def _chat(reply: Reply, number: int, request: Request, streamed: bool) -> bytes:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.tool:
        function = {"name": _tool(request, reply.tool)[0], "arguments": json.dumps(reply.arguments or {})}
        message["tool_calls"] = [{"index": 0, "id": f"call_{number}", "type": "function", "function": function}]
    stop = "tool_calls" if reply.tool else "stop"
    common = {"id": f"chat_{number}", "created": 1, "model": "stub"}
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    if not streamed:
        choice = {"index": 0, "message": message, "finish_reason": stop}
        return json.dumps({**common, "object": "chat.completion", "choices": [choice], "usage": usage}).encode()
    common["object"] = "chat.completion.chunk"
    chunks = [
        {**common, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**common, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}], "usage": usage},
    ]
    return b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks) + b"data: [DONE]\n\n"


def _gemini(reply: Reply, number: int, request: Request, streamed: bool) -> bytes:
    parts: list[dict[str, Any]] = [{"text": reply.text}] if reply.text else []
    if reply.tool:
        name, _ = _tool(request, reply.tool)
        parts.append({"functionCall": {"id": f"call_{number}", "name": name, "args": reply.arguments or {}}})
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
    body = json.dumps({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "stub"}).encode()
    return b"data: " + body + b"\r\n\r\n" if streamed else body


_PROTOCOLS = {
    "/messages": _anthropic,
    "/responses": _responses,
    "/chat/completions": _chat,
    ":generateContent": _gemini,
    ":streamGenerateContent": _gemini,
}


def _tool(request: Request, wanted: str) -> tuple[str, str | None]:
    for name, namespace in request.tools:
        if name == wanted or name.endswith(f"_{wanted}"):
            return name, namespace
    raise AssertionError(f"no tool {wanted!r} is offered, only {request.tools}")


def _named_events(events: list[dict[str, Any]]) -> bytes:
    return b"".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode() for event in events)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
