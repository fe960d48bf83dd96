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
    type: str | UnsetType | None = UNSET  # such as Decision, Preference, Insight; found by rules if it is not given
    tags: list[str] | UnsetType = UNSET
    importance: float | UnsetType | None = UNSET  # 0 to 1
    confidence: float | UnsetType | None = UNSET  # 0 to 1
    metadata: dict[str, Any] | UnsetType | None = UNSET
    actor: str | UnsetType | None = UNSET  # the person, agent or user of a service
    session: str | UnsetType | None = UNSET  # of a conversation
    position: int | UnsetType | None = UNSET  # order within the session
    said_at: str | int | UnsetType | None = UNSET  # when it was said
    valid_from: str | int | UnsetType | None = UNSET  # from when on it holds
    valid_until: str | int | UnsetType | None = UNSET  # until when it holds
    external_id: str | UnsetType | None = UNSET  # its id in another system; it can be read by it too
    project: str | UnsetType | None = UNSET  # a label
    source: str | UnsetType | None = UNSET  # a path, a URL, or any name


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
