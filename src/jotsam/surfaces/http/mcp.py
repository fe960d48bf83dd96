"""`POST /mcp`: the Model Context Protocol over HTTP, by the dispatcher of `jotsam mcp`, which keeps no session.

A token with the scope read can call the tools that change nothing.
"""

from __future__ import annotations

from binascii import a2b_base64

from msgspec import Struct

from jotsam.core.errors import InvalidInput
from jotsam.surfaces.http.requests import access
from jotsam.surfaces.http.requests.route import Call, Reply, Route
from jotsam.surfaces.http.server.http_error import HttpError
from jotsam.surfaces.mcp.content import Content, Memory
from jotsam.surfaces.mcp.dispatcher import LEGACY, MODERN, UNSUPPORTED_VERSION, Dispatcher, is_modern
from jotsam.surfaces.mcp.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    RpcError,
    decode,
    encode,
    failure,
    request_id,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HEADER_MISMATCH = -32020
BAD_REQUEST = (PARSE_ERROR, INVALID_REQUEST, HEADER_MISMATCH, -32021, UNSUPPORTED_VERSION)
READING_TOOLS = frozenset(
    ("recall", "get_memory", "memory_status", "recall_memory", "check_database_health"),
)
PROFILES = ("jotsam", "automem")
# The header, the name of the parameter that it repeats, and the methods that have it.
NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class McpQuery(Struct, forbid_unknown_fields=True):
    """Which tools are offered."""

    profile: str = "jotsam"


def message(call: Call) -> Reply:
    """Answer one message, or a batch of the revisions that have them."""
    profile = call.query.profile
    if profile not in PROFILES:
        raise InvalidInput(f"invalid profile {profile!r}: must be one of {', '.join(PROFILES)}")
    try:
        sent = decode(call.payload)
    except RpcError as error:
        return Reply(body=failure(None, error), status=400)
    wrong = _header_mismatch(sent, call.headers)
    if wrong:
        return Reply(body=failure(request_id(sent), RpcError(HEADER_MISMATCH, wrong)), status=400)
    version = call.headers.get("mcp-protocol-version", LEGACY[-1])
    if version not in (*MODERN, *LEGACY):
        known = ", ".join((*MODERN, *LEGACY))
        unknown = RpcError(INVALID_REQUEST, f"unsupported protocol version {version[:100]!r}: must be one of {known}")
        return Reply(body=failure(request_id(sent), unknown), status=400)
    if version in MODERN and isinstance(sent, dict) and not is_modern(sent):
        absent = RpcError(INVALID_PARAMS, "missing _meta: it has the version and the capabilities of the client")
        return Reply(body=failure(request_id(sent), absent), status=400)
    writing = _writing_tools(sent)
    if writing and call.principal.scope == "read":
        raise HttpError(403, "forbidden", f"the tool {writing[0]} needs the scope write; the token has read")
    if writing:
        call = access.audited(call, f"POST /mcp {' '.join(writing)}")
    reply = Dispatcher(Content(Memory(lambda: call.jot), profile=profile)).handle(sent)
    if reply is None:
        return Reply(status=202)
    return Reply(body=encode(reply), status=_status(reply, is_modern(sent)), wait_for=_stored(reply) if writing else ())


def _stored(reply: object) -> tuple[str, ...]:
    """The id of what a tool has stored."""
    result = reply.get("result") if isinstance(reply, dict) else None
    found = (result.get("structuredContent") or {}).get("id") if isinstance(result, dict) else None
    return (found,) if isinstance(found, str) else ()


def _status(reply: object, modern: bool) -> int:
    """Of a reply: 400 for a message that is wrong in itself; the latest revision also has 404 for an unknown method."""
    code = reply.get("error", {}).get("code") if isinstance(reply, dict) else None
    if modern and code in (METHOD_NOT_FOUND, INVALID_PARAMS):
        return 404 if code == METHOD_NOT_FOUND else 400
    return 400 if code in BAD_REQUEST else 200


def _writing_tools(sent: object) -> list[str]:
    """The names of the tools in a message, or a batch, that may change something."""
    if isinstance(sent, list):
        return [name for one in sent for name in _writing_tools(one)]
    if not isinstance(sent, dict) or sent.get("method") != "tools/call":
        return []
    params = sent.get("params")
    name = params.get("name") if isinstance(params, dict) else None
    return [] if name in READING_TOOLS else [str(name)[:100]]


def _header_mismatch(sent: object, headers: Mapping[str, str]) -> str | None:
    """A header that differs from the body: proxies route by the headers, so they must be true."""
    if not isinstance(sent, dict) or not is_modern(sent):
        return None
    method, params = sent.get("method"), sent.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    version = meta.get("io.modelcontextprotocol/protocolVersion") if isinstance(meta, dict) else None
    expected = [("mcp-protocol-version", version), ("mcp-method", method)]
    if method in NAMED and isinstance(params, dict):
        expected.append(("mcp-name", params.get(NAMED[method])))
    for name, value in expected:
        if (told := _header_value(headers.get(name))) != value:
            return f"the header {name} is {told!r}; the message says {value!r}"
    return None


def _header_value(value: str | None) -> str | None:
    """A header, decoded if it is Base64 because it has other characters than ASCII."""
    if value is None or not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return a2b_base64(value[len("=?base64?") : -2], strict_mode=True).decode()
    except ValueError:
        return value


ROUTES = (
    Route(
        method="POST",
        path="/mcp",
        handler=message,
        scope="read",
        query=McpQuery,
        undecoded=True,
        summary="Answer a message of the Model Context Protocol",
    ),
)
