"""The dispatcher: one message in, its reply out. It keeps no state of a connection and does no I/O of its own.

A request with the protocol version in `_meta` is served by revision 2026-07-28; any other by the revisions that begin
with `initialize`, whose clients ignore fields they do not know. So each message is answered from itself alone, over
any transport.
"""

from __future__ import annotations

from jotsam.core.version import VERSION
from jotsam.surfaces.mcp.messages import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    RpcError,
    failure,
    request_id,
    success,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jotsam.surfaces.mcp.content import Content

    Params = Mapping[str, Any]
    Result = dict[str, Any]
    Handler = Callable[[Content, str, Params, str | None], Result]

MODERN = ("2026-07-28",)
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

UNSUPPORTED_VERSION = -32022
PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT = "io.modelcontextprotocol/clientInfo"
SERVER = "io.modelcontextprotocol/serverInfo"

SERVER_INFO = {"name": "jotsam", "title": "Jotsam memory", "version": VERSION}
LIST_TTL_MS = 3_600_000
MAX_BATCH = 100

# Methods that need the memory; any other is answered at once.
SLOW = ("tools/call", "resources/read", "prompts/get")


class Dispatcher:
    """Answers messages about some content."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def handle(self, message: object, *, client: str | None = None) -> Result | list[Result] | None:
        """The reply to a decoded message; None for a notification, or a response of the client.

        `client` is its name, if the transport knows it, for requests that do not state it themselves.
        """
        if isinstance(message, list):
            return self._batch(message, client)
        if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
            if "method" not in message and ("result" in message or "error" in message):
                return None
            if isinstance(message.get("method"), str) and "id" not in message:
                return None  # No notification of a client changes anything here.
        id = request_id(message)
        try:
            return success(id, self._result(message, id, client))
        except RpcError as error:
            return failure(id, error)
        except Exception as error:
            return failure(id, RpcError(INTERNAL_ERROR, f"internal error: {type(error).__name__}: {error}"))

    def _batch(self, messages: list[object], client: str | None) -> Result | list[Result] | None:
        """Replies to a batch, which revisions before 2025-06-18 have."""
        if not 0 < len(messages) <= MAX_BATCH:
            return failure(None, RpcError(INVALID_REQUEST, f"invalid batch: must have 1 to {MAX_BATCH} messages"))
        if any(is_modern(one) or _method(one) == "initialize" for one in messages):
            return failure(None, RpcError(INVALID_REQUEST, "invalid batch: this message must be sent alone"))
        replies = [reply for one in messages if isinstance(reply := self._reply(one, client), dict)]
        return replies or None

    def _reply(self, message: object, client: str | None) -> object:
        if isinstance(message, list):
            return failure(None, RpcError(INVALID_REQUEST, "invalid request: a batch inside a batch"))
        return self.handle(message, client=client)

    def _result(self, message: object, id: object, client: str | None) -> Result:
        method = _method(message)
        if id is None or method is None or not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise RpcError(INVALID_REQUEST, 'invalid request: must have "jsonrpc": "2.0", a method, and an id')
        params = message.get("params", {})
        if not isinstance(params, dict):
            raise RpcError(INVALID_PARAMS, "invalid params: must be an object")
        modern = is_modern(message)
        client = _check_meta(params) or client if modern else client
        handler = (_MODERN if modern else _LEGACY).get(method)
        if handler is None:
            raise RpcError(METHOD_NOT_FOUND, f"unknown method {method!r}")
        result = handler(self._content, method, params, client)
        if modern:
            meta = {**result.get("_meta", {}), SERVER: SERVER_INFO}
            result = {"resultType": "complete", **result, "_meta": meta}
        return result


def is_modern(message: object) -> bool:
    """Whether a message belongs to a revision without `initialize`."""
    if (method := _method(message)) == "server/discover":
        return True
    params = message.get("params") if isinstance(message, dict) else None
    if method == "initialize" and isinstance(params, dict) and "protocolVersion" in params:
        return False  # It is a handshake: the client may put more into it.
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and (PROTOCOL_VERSION in meta or CAPABILITIES in meta)


def is_slow(message: object) -> bool:
    """Whether the reply needs the memory."""
    return any(map(is_slow, message)) if isinstance(message, list) else _method(message) in SLOW


def _method(message: object) -> str | None:
    method = message.get("method") if isinstance(message, dict) else None
    return method if isinstance(method, str) else None


def _check_meta(params: Params) -> str | None:
    """Check the version and capabilities of a request. Returns the name of the client, if it gives one."""
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        raise RpcError(INVALID_PARAMS, f"missing _meta: must have {PROTOCOL_VERSION} and {CAPABILITIES}")
    version = meta.get(PROTOCOL_VERSION)
    if not isinstance(version, str):
        raise RpcError(INVALID_PARAMS, f"invalid _meta: {PROTOCOL_VERSION} must be a string")
    if version not in MODERN:
        supported = {"supported": list(MODERN), "requested": version}
        raise RpcError(UNSUPPORTED_VERSION, f"unsupported protocol version {version!r}", supported)
    if not isinstance(meta.get(CAPABILITIES), dict):
        raise RpcError(INVALID_PARAMS, f"invalid _meta: {CAPABILITIES} must be an object")
    return _name_of(meta.get(CLIENT))


def client_of(message: object) -> str | None:
    """The name that a client gives in `initialize`."""
    params = message.get("params") if isinstance(message, dict) and _method(message) == "initialize" else None
    return _name_of(params.get("clientInfo")) if isinstance(params, dict) else None


def _name_of(info: object) -> str | None:
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) else None


def _initialize(content: Content, method: str, params: Params, client: str | None) -> Result:
    """The first reply of a legacy connection. A client that wants another version gets the latest of these."""
    wanted = params.get("protocolVersion")
    if not isinstance(wanted, str):
        raise RpcError(INVALID_PARAMS, f"invalid protocolVersion: must be one of {', '.join(LEGACY)}")
    return {
        "protocolVersion": wanted if wanted in LEGACY else LEGACY[0],
        "capabilities": content.capabilities,
        "serverInfo": SERVER_INFO,
        "instructions": content.instructions,
    }


def _discover(content: Content, method: str, params: Params, client: str | None) -> Result:
    return {
        "supportedVersions": list(MODERN),
        "capabilities": content.capabilities,
        "instructions": content.instructions,
        "ttlMs": LIST_TTL_MS,
        "cacheScope": "public",
    }


def _ping(content: Content, method: str, params: Params, client: str | None) -> Result:
    return {}


def _list(content: Content, method: str, params: Params, client: str | None) -> Result:
    """A list. All of them fit into one page, so that no cursor is ever valid."""
    if params.get("cursor") is not None:
        raise RpcError(INVALID_PARAMS, "invalid cursor: the list has one page")
    if method not in content.lists:
        raise RpcError(METHOD_NOT_FOUND, f"unknown method {method!r}")
    return dict(content.lists[method])


def _list_modern(content: Content, method: str, params: Params, client: str | None) -> Result:
    return {**_list(content, method, params, client), "ttlMs": LIST_TTL_MS, "cacheScope": "public"}


def _call(content: Content, method: str, params: Params, client: str | None) -> Result:
    return content.call(method, params, client=client, modern=False)


def _call_modern(content: Content, method: str, params: Params, client: str | None) -> Result:
    result = content.call(method, params, client=client, modern=True)
    return {**result, "ttlMs": 0, "cacheScope": "private"} if method == "resources/read" else result


_LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
_LEGACY: dict[str, Handler] = {
    "initialize": _initialize,
    "ping": _ping,
    **dict.fromkeys(_LISTS, _list),
    **dict.fromkeys(SLOW, _call),
}
_MODERN: dict[str, Handler] = {
    "server/discover": _discover,
    **dict.fromkeys(_LISTS, _list_modern),
    **dict.fromkeys(SLOW, _call_modern),
}
