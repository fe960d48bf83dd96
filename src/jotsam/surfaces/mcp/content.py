"""What a server offers to a client: the tools of a profile, and with the default profile resources and prompts.

It turns errors into what a client expects: those of a tool into results, which a model reads, others into JSON-RPC
errors.
"""

from __future__ import annotations

import sys

from jotsam.core.clock import monotonic_ms
from jotsam.core.errors import DatabaseClosed, DatabaseReplaced, InvalidInput, JotsamError, NotFound
from jotsam.core.validate import shown
from jotsam.surfaces.mcp.messages import INTERNAL_ERROR, INVALID_PARAMS, RpcError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from jotsam.memory.api.client import Jotsam

    Arguments = dict[str, Any]
    Result = dict[str, Any]
    Call = Callable[[Jotsam, Arguments, str], tuple[str, Result]]
    T = TypeVar("T")

RESOURCE_NOT_FOUND = -32002  # before revision 2026-07-28
DEFAULT_SOURCE = "mcp"
UNUSED_MS = 60_000
MAX_SOURCE = 100  # characters of the name of a client


class Memory:
    """The client of the memory, opened by the call that needs it, and closed again when it is not used for a minute.

    So a session that stays open for days keeps no file open, which would prevent a restore, and notices a newer schema.
    """

    def __init__(self, connect: Callable[[], Jotsam]) -> None:
        self._connect = connect
        self._jot: Jotsam | None = None
        self._used_at = 0

    def use(self, call: Callable[[Jotsam], T]) -> T:
        """Call with an open client. A database that was replaced by another one is opened again, once."""
        try:
            return call(self._open())
        except (DatabaseReplaced, DatabaseClosed):
            self.close()
            return call(self._open())
        finally:
            self._used_at = monotonic_ms()

    def close_unused(self) -> None:
        """Close the client if it was not used for a minute."""
        if monotonic_ms() - self._used_at >= UNUSED_MS:
            self.close()

    def close(self) -> None:
        jot, self._jot = self._jot, None
        if jot is not None:
            jot.close()

    def _open(self) -> Jotsam:
        if self._jot is None:
            self._jot = self._connect()
        return self._jot


class Content:
    """The tools, resources and prompts of a profile. `source` is stored with what a client remembers."""

    def __init__(self, memory: Memory, *, profile: str = "jotsam", source: str | None = None) -> None:
        self._memory, self._source, self._profile = memory, source, profile
        self.instructions, tools, more = _offered(profile)
        self.lists: dict[str, Result] = {"tools/list": {"tools": tools}, **more}
        names = {method.partition("/")[0] for method in self.lists}
        self.capabilities: dict[str, Result] = {name: {} for name in ("tools", "resources", "prompts") if name in names}
        self._tools = {tool["name"]: tool for tool in tools}

    def call(self, method: str, params: Mapping[str, Any], *, client: str | None, modern: bool) -> Result:
        """The result of `tools/call`, `resources/read` or `prompts/get`. Raises `RpcError`."""
        if method == "tools/call":
            return self._call_tool(params, client)
        if self._profile != "jotsam":
            raise RpcError(INVALID_PARAMS, f"this profile has no {method.partition('/')[0]}")
        from jotsam.surfaces.mcp import prompts, resources

        read = resources.read_resource if method == "resources/read" else prompts.get
        try:
            return self._memory.use(lambda jot: read(jot, params))
        except NotFound as error:
            code = INVALID_PARAMS if modern else RESOURCE_NOT_FOUND
            raise RpcError(code, str(error), {"uri": params.get("uri")}) from None
        except InvalidInput as error:
            raise RpcError(INVALID_PARAMS, str(error)) from None
        except Exception as error:
            raise RpcError(INTERNAL_ERROR, _described(error)) from None

    def _call_tool(self, params: Mapping[str, Any], client: str | None) -> Result:
        name, given = params.get("name"), params.get("arguments")
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            raise RpcError(INVALID_PARAMS, f"unknown tool {shown(name)}: the tools are {', '.join(self._tools)}")
        given = {} if given is None else given
        if not isinstance(given, dict):
            raise RpcError(INVALID_PARAMS, "invalid arguments: must be an object")
        source = self._source or (client or "").strip()[:MAX_SOURCE] or DEFAULT_SOURCE
        try:
            text, structured = self._run(tool, given, source)
        except Exception as error:
            return {"content": [{"type": "text", "text": _described(error)}], "isError": True}
        return {"content": [{"type": "text", "text": text}], "structuredContent": structured, "isError": False}

    def _run(self, tool: Mapping[str, Any], given: Mapping[str, Any], source: str) -> tuple[str, Result]:
        from jotsam.surfaces.mcp.arguments import checked

        call = _calls(self._profile)[tool["name"]]
        arguments = checked(tool, given, strict=self._profile == "jotsam")
        return self._memory.use(lambda jot: call(jot, dict(arguments), source))


def _offered(profile: str) -> tuple[str, list[Result], dict[str, Result]]:
    """The instructions and tools of a profile, and its other lists."""
    if profile == "automem":
        from jotsam.surfaces.mcp import automem_tools

        return automem_tools.INSTRUCTIONS, automem_tools.TOOLS, {}
    from jotsam.surfaces.mcp.prompts import PROMPTS
    from jotsam.surfaces.mcp.resources import RESOURCES, TEMPLATES
    from jotsam.surfaces.mcp.tools import INSTRUCTIONS, TOOLS

    more: dict[str, Result] = {
        "resources/list": {"resources": RESOURCES},
        "resources/templates/list": {"resourceTemplates": TEMPLATES},
        "prompts/list": {"prompts": PROMPTS},
    }
    return INSTRUCTIONS, TOOLS, more


def _calls(profile: str) -> Mapping[str, Call]:
    """The function of each tool. They import the memory, so this is called with the first call of a tool."""
    if profile == "automem":
        from jotsam.surfaces.mcp import automem_calls

        return automem_calls.CALLS
    from jotsam.surfaces.mcp import calls

    return calls.CALLS


def _described(error: Exception) -> str:
    """The error as a model can use it. An unexpected one is printed to standard error with its traceback."""
    if isinstance(error, JotsamError | OSError):
        return "\n".join([str(error), *getattr(error, "__notes__", ())])
    import traceback

    traceback.print_exception(error, file=sys.stderr)
    return f"internal error: {type(error).__name__}: {error}"
