"""A client of the dispatcher in this process, and messages of the protocol's revisions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jotsam.surfaces.mcp.content import Content, Memory
from jotsam.surfaces.mcp.dispatcher import Dispatcher
from jotsam.surfaces.mcp.messages import decode, encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam import Jotsam

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "modern-client", "version": "1"},
}


def request(method: str, params: dict[str, Any] | None = None, *, id: object = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})}


def modern(method: str, params: dict[str, Any] | None = None, *, id: object = 1, **meta: Any) -> dict[str, Any]:
    """A request of revision 2026-07-28."""
    return request(method, {**(params or {}), "_meta": {**META, **meta}}, id=id)


class McpClient:
    """Calls tools as a client does: each message is encoded and decoded on its way."""

    def __init__(self, connect: Callable[[], Jotsam], **options: Any) -> None:
        self.memory = Memory(connect)
        self.dispatcher = Dispatcher(Content(self.memory, **options))

    def send(self, message: object) -> Any:
        reply = self.dispatcher.handle(decode(encode(message)))
        return None if reply is None else json.loads(encode(reply))

    def result(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        reply = self.send(request(method, params))
        assert "result" in reply, reply
        return reply["result"]  # type: ignore[no-any-return]

    def error(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        return self.send(request(method, params))["error"]  # type: ignore[no-any-return]

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured content of a call that succeeds."""
        result = self.result("tools/call", {"name": tool, "arguments": arguments})
        assert not result["isError"], result
        return result["structuredContent"]  # type: ignore[no-any-return]

    def text(self, tool: str, **arguments: Any) -> str:
        """The text of a call that succeeds."""
        result = self.result("tools/call", {"name": tool, "arguments": arguments})
        assert not result["isError"], result
        return result["content"][0]["text"]  # type: ignore[no-any-return]

    def refused(self, tool: str, **arguments: Any) -> str:
        """The error of a call, as a model reads it."""
        result = self.result("tools/call", {"name": tool, "arguments": arguments})
        assert result["isError"], result
        return result["content"][0]["text"]  # type: ignore[no-any-return]
