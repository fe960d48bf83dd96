"""`/v1/blocks`: memory blocks. Project and actor are parts of a block's address; without them it is for all."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from jotsam.core.records import MemoryBlock
from jotsam.surfaces.http.route import Call, Reply, Route, given, items
from jotsam.surfaces.http.v1.fields import Limit, required_version


class Place(Struct, forbid_unknown_fields=True):
    """The project and the actor of a block."""

    project: str | UnsetType = UNSET
    actor: str | UnsetType = UNSET


class ListQuery(Struct, forbid_unknown_fields=True):
    """Which blocks: of a project, of an actor (an empty one: of none), pinned or not."""

    project: str | UnsetType = UNSET
    actor: str | UnsetType = UNSET
    pinned: bool | UnsetType = UNSET
    limit: Limit = UNSET


class BlockBody(Struct, forbid_unknown_fields=True):
    """The text of a block. What is not given stays: at first a limit of 2,000 characters, pinned."""

    text: str
    limit: int | UnsetType | None = UNSET
    pinned: bool | UnsetType | None = UNSET


class AppendBody(Struct, forbid_unknown_fields=True):
    """A line to add."""

    text: str


def list_blocks(call: Call) -> Reply:
    return items(call.jot.blocks.list(**given(call.query)))


def get(call: Call) -> Reply:
    return _reply(call.jot.blocks.get(call.path["name"], **given(call.query)))


def put(call: Call) -> Reply:
    fields = given(call.body)
    return _reply(call.jot.blocks.set(call.path["name"], fields.pop("text"), **fields, **_where(call)))


def append(call: Call) -> Reply:
    return _reply(call.jot.blocks.append(call.path["name"], call.body.text, **_where(call)))


def delete(call: Call) -> Reply:
    return _reply(call.jot.blocks.delete(call.path["name"], **_where(call)))


def _where(call: Call) -> dict[str, Any]:
    """The address of the request, and the version that it requires."""
    return {**given(call.query), "version": required_version(call)}


def _reply(block: MemoryBlock) -> Reply:
    return Reply(body=block, headers={"ETag": f'"{block.version}"'})


ROUTES = (
    Route(
        method="GET",
        path="/v1/blocks",
        handler=list_blocks,
        scope="read",
        query=ListQuery,
        result="MemoryBlock[]",
        summary="Memory blocks by name",
    ),
    Route(
        method="GET",
        path="/v1/blocks/{name}",
        handler=get,
        scope="read",
        query=Place,
        result=MemoryBlock,
        summary="One memory block",
    ),
    Route(
        method="PUT",
        path="/v1/blocks/{name}",
        handler=put,
        scope="write",
        query=Place,
        body=BlockBody,
        result=MemoryBlock,
        summary="Create a memory block, or replace its text",
    ),
    Route(
        method="POST",
        path="/v1/blocks/{name}/append",
        handler=append,
        scope="write",
        query=Place,
        body=AppendBody,
        result=MemoryBlock,
        summary="Add a line to a memory block",
    ),
    Route(
        method="DELETE",
        path="/v1/blocks/{name}",
        handler=delete,
        scope="write",
        query=Place,
        result=MemoryBlock,
        summary="Delete a memory block",
    ),
)
