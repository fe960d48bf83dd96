"""`/v1/memories/by-key/{key}`: create or change the memory of a key."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from jotsam.core.records import UpsertReceipt
from jotsam.surfaces.http.route import Call, Reply, Route, given
from jotsam.surfaces.http.v1.accepting import accepted, once


class UpsertBody(Struct, forbid_unknown_fields=True):
    """The text of a key's memory, and its other fields."""

    text: str
    type: str | UnsetType | None = UNSET
    tags: list[str] | UnsetType = UNSET
    importance: float | UnsetType | None = UNSET
    confidence: float | UnsetType | None = UNSET
    metadata: dict[str, Any] | UnsetType | None = UNSET
    actor: str | UnsetType | None = UNSET
    session: str | UnsetType | None = UNSET
    position: int | UnsetType | None = UNSET
    said_at: str | int | UnsetType | None = UNSET
    valid_from: str | int | UnsetType | None = UNSET
    valid_until: str | int | UnsetType | None = UNSET
    external_id: str | UnsetType | None = UNSET
    project: str | UnsetType | None = UNSET
    source: str | UnsetType | None = UNSET


def put(call: Call) -> Reply:
    """Create or change the memory of a key."""
    fields = given(call.body)
    text = fields.pop("text")
    return once(call, lambda tx: accepted(call.jot.upsert(call.path["key"], text, tx=tx, **fields)))


ROUTES = (
    Route(
        method="PUT",
        path="/v1/memories/by-key/{key}",
        handler=put,
        scope="write",
        body=UpsertBody,
        result=UpsertReceipt,
        status=202,
        summary="Create the memory of a key, or replace its text",
    ),
)
