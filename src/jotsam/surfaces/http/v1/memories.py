"""`/v1/memories` and `/v1/documents`: a page of memories, one document, and forgetting one of them."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct

from jotsam.core.errors import Conflict, InvalidInput, NotFound
from jotsam.core.records import Record, StoredMemory
from jotsam.memory.forget_records import ForgetReceipt
from jotsam.memory.show import Details
from jotsam.surfaces.http.route import Call, Reply, Route, given
from jotsam.surfaces.http.v1.fields import Text, options_of, required_version
from jotsam.surfaces.http.v1.staleness import pending_header


class ActorQuery(Struct, forbid_unknown_fields=True):
    """Only memories of this person, agent or user of a service."""

    actor: Text = UNSET


class ForgetOptions(Struct, forbid_unknown_fields=True):
    """How to forget."""

    trash: bool = False  # keep it in the trash, from which it can be restored
    never_again: bool = False  # refuse the same text, key and external id from now on


class MemoryPage(Record):
    """A page of memories. `pending`: selected documents that are not split into memories yet."""

    items: tuple[StoredMemory, ...]
    next_cursor: str | None
    pending: int


def listed(call: Call) -> Reply:
    """A page of memories."""
    options = options_of(call.query)
    try:
        page = call.jot.list(after=options.pop("cursor"), **options)
    except InvalidInput as error:  # In Python, the cursor is `after`, and `next` of a page.
        message = str(error).replace("invalid after", "invalid cursor").replace("`next`", "`next_cursor`")
        raise InvalidInput(message) from error
    body = MemoryPage(items=page.memories, next_cursor=page.next, pending=page.pending)
    return Reply(body=body, headers=pending_header(page.pending))


def forget(call: Call) -> Reply:
    """Forget one memory."""
    memory, version = call.jot.get(call.path["id"]), required_version(call)
    if version not in (None, memory.version):
        raise Conflict(f"memory {memory.id} has version {memory.version}, not {version}: read it again")
    return forgotten(call, memory.id)


def forgotten(call: Call, id: str) -> Reply:
    """The reply after a memory or a document was forgotten. Raises `NotFound` if another request was faster."""
    receipt = call.jot.forget(call.jot.plan_forget(ids=[id]), **given(call.query))
    if not (receipt.memories or receipt.documents or receipt.skipped):
        raise NotFound(f"there is no memory or document {id!r}: it was forgotten just now")
    return Reply(body=receipt)


def get_document(call: Call) -> Reply:
    """Everything stored about a document."""
    return Reply(body=_document(call, **given(call.query)))


def forget_document(call: Call) -> Reply:
    """Forget a document with all its memories."""
    return forgotten(call, _document(call).id)


def _document(call: Call, **options: Any) -> Details:
    found = call.jot.show(call.path["id"], **options)
    if found.kind != "document":
        raise NotFound(f"{call.path['id']!r} is a {found.kind}: give the id of a document")
    return found


ROUTES = (
    Route(
        method="DELETE",
        path="/v1/memories/{id}",
        handler=forget,
        scope="write",
        checks_version=True,
        query=ForgetOptions,
        result=ForgetReceipt,
        summary="Forget one memory",
    ),
    Route(
        method="GET",
        path="/v1/documents/{id}",
        handler=get_document,
        scope="read",
        query=ActorQuery,
        result=Details,
        summary="Everything stored about one document",
    ),
    Route(
        method="DELETE",
        path="/v1/documents/{id}",
        handler=forget_document,
        scope="write",
        query=ForgetOptions,
        result=ForgetReceipt,
        summary="Forget one document with all its memories",
    ),
)
