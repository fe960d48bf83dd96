"""`/v1/documents` and `/v1/turns`: accept texts that a worker splits, and turns of a conversation."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from jotsam.core.errors import NotFound
from jotsam.core.records import Receipt
from jotsam.memory.forget_records import ForgetReceipt
from jotsam.memory.show import Details
from jotsam.surfaces.http.route import Call, Reply, Route, given
from jotsam.surfaces.http.v1.accepting import Batch, BatchResult, accepted, batch_reply, once
from jotsam.surfaces.http.v1.fields import ActorQuery, Text, Time
from jotsam.surfaces.http.v1.memories import ForgetOptions, forgotten


class DocumentBody(Struct, forbid_unknown_fields=True):
    """A document to accept."""

    text: str
    key: Text = UNSET  # of the caller: a text with a key that exists is a duplicate
    source: Text = UNSET  # a path, a URL, or any name
    project: Text = UNSET  # a label
    date: Time = UNSET  # when it was written
    actor: Text = UNSET  # the person, agent or user of a service
    session: Text = UNSET  # of a conversation


class TurnBody(Struct, forbid_unknown_fields=True):
    """A turn of a conversation to accept."""

    text: str
    session: str  # of the conversation
    key: Text = UNSET  # of the caller: a text with a key that exists is a duplicate
    actor: Text = UNSET  # who said it
    position: int | UnsetType | None = UNSET  # order within the session
    said_at: Time = UNSET  # when it was said
    project: Text = UNSET
    source: Text = UNSET  # the program
    type: Text = UNSET


def create(call: Call) -> Reply:
    """Accept one document."""
    fields = given(call.body)
    text = fields.pop("text")
    return once(call, lambda tx: accepted(call.jot.add(text, tx=tx, **fields)))


def create_many(call: Call) -> Reply:
    """Accept up to 500 documents in one commit."""
    return once(call, lambda tx: batch_reply(call.jot.add_many(call.body.items, tx=tx)))


def add_turn(call: Call) -> Reply:
    """Accept one turn."""
    fields = given(call.body)
    text = fields.pop("text")
    return once(call, lambda tx: accepted(call.jot.add_turn(text, tx=tx, **fields)))


def get(call: Call) -> Reply:
    """Everything stored about a document."""
    return Reply(body=_document(call, **given(call.query)))


def forget(call: Call) -> Reply:
    """Forget a document with all its memories."""
    return forgotten(call, _document(call).id)


def _document(call: Call, **options: Any) -> Details:
    found = call.jot.show(call.path["id"], **options)
    if found.kind != "document":
        raise NotFound(f"{call.path['id']!r} is a {found.kind}: give the id of a document")
    return found


ROUTES = (
    Route(
        method="POST",
        path="/v1/documents",
        handler=create,
        scope="write",
        body=DocumentBody,
        result=Receipt,
        status=202,
        summary="Accept one document",
    ),
    Route(
        method="POST",
        path="/v1/documents/batch",
        handler=create_many,
        scope="write",
        body=Batch,
        result=BatchResult,
        status=202,
        summary="Accept up to 500 documents in one commit",
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}",
        handler=get,
        scope="read",
        query=ActorQuery,
        result=Details,
        summary="Everything stored about one document",
    ),
    Route(
        method="DELETE",
        path="/v1/documents/{id}",
        handler=forget,
        scope="write",
        query=ForgetOptions,
        result=ForgetReceipt,
        summary="Forget one document with all its memories",
    ),
    Route(
        method="POST",
        path="/v1/turns",
        handler=add_turn,
        scope="write",
        body=TurnBody,
        result=Receipt,
        status=202,
        summary="Accept one turn of a conversation",
    ),
)
