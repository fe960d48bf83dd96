"""JSON-RPC 2.0 messages: decoding, encoding and errors. Knows no method."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603


class RpcError(Exception):
    """A request is answered with this error."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code, self.data = code, data


def decode(line: bytes) -> Any:
    """The JSON value of a line. Raises `RpcError`."""
    try:
        return json.loads(line.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise RpcError(PARSE_ERROR, f"not JSON: {reason}") from None


def encode(message: object) -> bytes:
    """A message as one line of UTF-8. Unpaired surrogates become `?`: other parsers refuse their escapes."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(errors="replace")


def success(id: object, result: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}


def failure(id: object, error: RpcError) -> dict[str, Any]:
    """The response with an error. `id` is None if the request has no valid one."""
    data = {} if error.data is None else {"data": error.data}
    return {"jsonrpc": "2.0", "id": id, "error": {"code": error.code, "message": str(error), **data}}


def request_id(message: object) -> str | int | None:
    """The id of a request; None for anything that is not a request, such as a notification."""
    id = message.get("id") if isinstance(message, dict) and "method" in message else None
    return id if isinstance(id, str | int) and not isinstance(id, bool) else None


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
