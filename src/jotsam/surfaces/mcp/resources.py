"""Resources: the status, a memory by id, and the brief of a project."""

from __future__ import annotations

from jotsam.core.errors import InvalidInput, NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from jotsam.memory.api.client import Jotsam

STATUS = "memory://status"
MEMORY, PROJECT, BRIEF = "memory://memory/", "memory://project/", "/brief"
TEXT = "text/plain"
MAX_CHARACTERS = 80_000

RESOURCES = [{"uri": STATUS, "name": "status", "description": "What is stored, pending and failed", "mimeType": TEXT}]
TEMPLATES = [
    {
        "uriTemplate": "memory://memory/{id}",
        "name": "memory",
        "description": "A memory or document with all its fields",
        "mimeType": TEXT,
    },
    {
        "uriTemplate": "memory://project/{project}/brief",
        "name": "brief",
        "description": "What was decided, preferred and left open in a project",
        "mimeType": TEXT,
    },
]


def read_resource(jot: Jotsam, params: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a resource. Raises `InvalidInput`, `NotFound`."""
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise InvalidInput("invalid uri: must be a string")
    return {"contents": [{"uri": uri, "mimeType": TEXT, "text": _text(jot, uri)}]}


def _text(jot: Jotsam, uri: str) -> str:
    from jotsam.surfaces.mcp import calls

    if uri == STATUS:
        return calls.status_text(jot.status())
    if uri.startswith(MEMORY):
        id = decoded(uri[len(MEMORY) :])
        return calls.get_memory(jot, {"ids": [id], "max_tokens": MAX_CHARACTERS // calls.CHARACTERS_PER_TOKEN}, "")[0]
    if uri.startswith(PROJECT) and uri.endswith(BRIEF):
        return calls.brief(jot, decoded(uri[len(PROJECT) : -len(BRIEF)]))
    raise NotFound(f"there is no resource {uri!r}: see resources/list and resources/templates/list")


def decoded(part: str) -> str:
    """A part of a URI with its percent escapes replaced."""
    pieces = part.encode(errors="replace").split(b"%")
    whole = pieces[0]
    for piece in pieces[1:]:
        try:
            whole += bytes([int(piece[:2], 16)]) + piece[2:]
        except ValueError:
            whole += b"%" + piece
    return whole.decode(errors="replace")
