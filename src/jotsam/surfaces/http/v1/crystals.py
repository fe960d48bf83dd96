"""`/v1/crystals`: what several sessions agree on, what may become it, and what was refused."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from jotsam.core.crystal_records import Crystal
from jotsam.surfaces.http.route import Call, Reply, Route, given, items
from jotsam.surfaces.http.v1.fields import Limit
from jotsam.surfaces.http.v1.staleness import covered


class ListQuery(Struct, forbid_unknown_fields=True):
    """Which: promoted, retracted, candidate or refused, and of a project."""

    state: str | UnsetType = UNSET
    project: str | UnsetType = UNSET
    limit: Limit = UNSET


class ConfirmBody(Struct, forbid_unknown_fields=True):
    """The id of a memory. Its kind: decision, preference, procedure, fact or learning."""

    id: str
    kind: str | UnsetType | None = UNSET


class NoBody(Struct, forbid_unknown_fields=True):
    """Nothing."""


def list_crystals(call: Call) -> Reply:
    return items(call.jot.crystals.list(**given(call.query)))


def confirm(call: Call) -> Reply:
    fields = given(call.body)
    return Reply(body=call.jot.crystals.confirm(fields.pop("id"), **fields))


def retract(call: Call) -> Reply:
    return Reply(body=call.jot.crystals.retract(call.path["id"]))


def undo_retract(call: Call) -> Reply:
    return Reply(body=call.jot.crystals.undo_retract(call.path["id"]))


ROUTES = (
    Route(
        method="GET",
        path="/v1/crystals",
        handler=covered(list_crystals),
        scope="read",
        query=ListQuery,
        result="Crystal[]",
        with_staleness=True,
        summary="What several sessions agree on",
    ),
    Route(
        method="POST",
        path="/v1/crystals",
        handler=confirm,
        scope="write",
        body=ConfirmBody,
        result=Crystal,
        summary="Make a crystal of a memory",
    ),
    Route(
        method="POST",
        path="/v1/crystals/{id}/retract",
        handler=retract,
        scope="write",
        body=NoBody,
        result=Crystal,
        summary="Hide a crystal",
    ),
    Route(
        method="POST",
        path="/v1/crystals/{id}/undo-retract",
        handler=undo_retract,
        scope="write",
        body=NoBody,
        result=Crystal,
        summary="Take back that a crystal was retracted",
    ),
)
