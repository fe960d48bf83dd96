"""What each method of `Client.blocks` sends. The signatures are those of `Blocks`."""

from __future__ import annotations

import jotsam
from jotsam.core import validate
from jotsam.remote.request import Request, given, reading, record, segment, tuple_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class BlocksCalls:
    """The methods of `Blocks` as requests. A block is of the client's project and actor if none is given."""

    def __init__(self, *, project: str | None, actor: str | None) -> None:
        self._project, self._actor = project, actor

    def set(
        self,
        name: str,
        text: str,
        *,
        limit: int | None = None,
        pinned: bool | None = None,
        project: str | None = None,
        actor: str | None = None,
        version: int | None = None,
    ) -> Request[jotsam.MemoryBlock]:
        body = {"text": text, **given(limit=limit, pinned=pinned)}
        return self._writing("PUT", _path(name), body, self._place(project, actor), version)

    def append(
        self,
        name: str,
        text: str,
        *,
        project: str | None = None,
        actor: str | None = None,
        version: int | None = None,
    ) -> Request[jotsam.MemoryBlock]:
        place = self._place(project, actor)
        return self._writing("POST", f"{_path(name)}/append", {"text": text}, place, version)

    def get(self, name: str, *, project: str | None = None, actor: str | None = None) -> Request[jotsam.MemoryBlock]:
        return reading(_path(name), record(lambda: jotsam.MemoryBlock), self._place(project, actor))

    def list(
        self, *, project: str | None = None, actor: str | None = None, pinned: bool | None = None, limit: int = 200
    ) -> Request[tuple[jotsam.MemoryBlock, ...]]:
        query = {"project": project, "actor": actor, "pinned": pinned, "limit": limit}
        return reading("/v1/blocks", tuple_of(lambda: jotsam.MemoryBlock), query)

    def delete(
        self, name: str, *, project: str | None = None, actor: str | None = None, version: int | None = None
    ) -> Request[jotsam.MemoryBlock]:
        return self._writing("DELETE", _path(name), None, self._place(project, actor), version)

    def _place(self, project: str | None, actor: str | None) -> dict[str, object]:
        return {
            "project": self._project if project is None else project,
            "actor": self._actor if actor is None else actor,
        }

    def _writing(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None,
        query: Mapping[str, object],
        version: int | None,
    ) -> Request[jotsam.MemoryBlock]:
        headers = {} if version is None else {"If-Match": f'"{validate.check_int("version", version, 0)}"'}
        read = record(lambda: jotsam.MemoryBlock)
        return Request(method=method, path=path, read=read, query=query, body=body, headers=headers)


def _path(name: str) -> str:
    return f"/v1/blocks/{segment('name', name)}"
