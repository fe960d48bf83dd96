"""`/v1/memories`: accept, list, read, change and forget memories."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from jotsam.core.errors import Conflict, InvalidInput, NotFound
from jotsam.core.records import Receipt, Record, StoredMemory, UpdateReceipt
from jotsam.memory.forget_records import ForgetReceipt
from jotsam.surfaces.http.route import Call, Reply, Route, given, items
from jotsam.surfaces.http.v1.accepting import Batch, BatchResult, accepted, batch_reply, once
from jotsam.surfaces.http.v1.fields import (
    ActorQuery,
    Flag,
    Names,
    NoFields,
    Number,
    PageLimit,
    SelectionFields,
    Text,
    Time,
    options_of,
    required_version,
)
from jotsam.surfaces.http.v1.staleness import pending_header


class MemoryBody(Struct, forbid_unknown_fields=True):
    """A memory to accept."""

    text: str
    key: Text = UNSET  # of the caller: a text with a key that exists is a duplicate
    type: Text = UNSET  # such as Decision, Preference, Insight; found by rules if it is not given
    tags: Names = UNSET
    importance: Number = UNSET  # 0 to 1
    confidence: Number = UNSET  # 0 to 1
    metadata: dict[str, Any] | UnsetType | None = UNSET
    actor: Text = UNSET  # the person, agent or user of a service
    session: Text = UNSET  # of a conversation
    position: int | UnsetType | None = UNSET  # order within the session
    said_at: Time = UNSET  # when it was said
    valid_from: Time = UNSET  # from when on it holds
    valid_until: Time = UNSET  # until when it holds
    external_id: Text = UNSET  # its id in another system; it can be read by it too
    project: Text = UNSET  # a label
    source: Text = UNSET  # a path, a URL, or any name


class MemoryChange(Struct, forbid_unknown_fields=True):
    """What to change of a memory; what is not given stays, and null removes it."""

    text: str | UnsetType = UNSET
    tags: Names = UNSET  # instead of the tags given before
    add_tags: Names = UNSET
    remove_tags: Names = UNSET
    metadata: dict[str, Any] | UnsetType | None = UNSET  # instead of the stored one
    add_metadata: dict[str, Any] | UnsetType = UNSET  # merged into the stored one: these keys are set, others stay
    type: Text = UNSET
    importance: Number = UNSET  # 0 to 1
    confidence: Number = UNSET  # 0 to 1
    valid_from: Time = UNSET
    valid_until: Time = UNSET
    forget_history: Flag = UNSET  # remove the earlier versions too


class MemoryList(SelectionFields, forbid_unknown_fields=True):
    """Which memories, and which page of them."""

    order: Literal["newest", "importance"] = "newest"
    history: bool = False  # include superseded and invalid memories
    archived: bool = False  # include archived memories
    cursor: str | None = None  # the `next_cursor` of the page before
    limit: PageLimit = 50


class ForgetOptions(Struct, forbid_unknown_fields=True):
    """How to forget."""

    trash: bool = False  # keep it in the trash, from which it can be restored
    never_again: bool = False  # refuse the same text, key and external id from now on


class MemoryPage(Record):
    """A page of memories. `pending`: selected documents that are not split into memories yet."""

    items: tuple[StoredMemory, ...]
    next_cursor: str | None
    pending: int


def create(call: Call) -> Reply:
    """Accept one memory."""
    fields = given(call.body)
    text = fields.pop("text")
    return once(call, lambda tx: accepted(call.jot.remember(text, tx=tx, **fields)))


def create_many(call: Call) -> Reply:
    """Accept up to 500 memories in one commit."""
    return once(call, lambda tx: batch_reply(call.jot.remember_many(call.body.items, tx=tx)))


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


def get(call: Call) -> Reply:
    """One memory."""
    memory = call.jot.get(call.path["id"], **given(call.query))
    return Reply(body=memory, headers={"ETag": f'"{memory.version}"'})


def update(call: Call) -> Reply:
    """Change fields of one memory."""
    receipt = call.jot.update(call.path["id"], version=required_version(call), **given(call.body))
    waits = (receipt.id,) if receipt.job_id else ()
    return Reply(body=receipt, headers={"ETag": f'"{receipt.version}"'}, wait_for=waits)


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


def versions(call: Call) -> Reply:
    """A memory as it was before each update."""
    return items(call.jot.versions(call.path["id"], **given(call.query)))


def archive(call: Call) -> Reply:
    """Hide one memory from recall."""
    return Reply(body=call.jot.archive(call.path["id"]))


def unarchive(call: Call) -> Reply:
    """Show one archived memory again."""
    return Reply(body=call.jot.unarchive(call.path["id"]))


_ONE = "/v1/memories/{id}"

ROUTES = (
    Route(
        method="POST",
        path="/v1/memories",
        handler=create,
        scope="write",
        body=MemoryBody,
        result=Receipt,
        status=202,
        summary="Accept one memory",
    ),
    Route(
        method="POST",
        path="/v1/memories/batch",
        handler=create_many,
        scope="write",
        body=Batch,
        result=BatchResult,
        status=202,
        summary="Accept up to 500 memories in one commit",
    ),
    Route(
        method="GET",
        path="/v1/memories",
        handler=listed,
        scope="read",
        query=MemoryList,
        result=MemoryPage,
        summary="Memories that match every given parameter, page by page",
    ),
    Route(
        method="GET",
        path=_ONE,
        handler=get,
        scope="read",
        query=ActorQuery,
        result=StoredMemory,
        summary="One memory with all its fields",
    ),
    Route(
        method="PATCH",
        path=_ONE,
        handler=update,
        scope="write",
        body=MemoryChange,
        result=UpdateReceipt,
        summary="Change fields of one memory",
    ),
    Route(
        method="DELETE",
        path=_ONE,
        handler=forget,
        scope="write",
        query=ForgetOptions,
        result=ForgetReceipt,
        summary="Forget one memory",
    ),
    Route(
        method="GET",
        path=_ONE + "/versions",
        handler=versions,
        scope="read",
        query=ActorQuery,
        result="MemoryVersion[]",
        summary="One memory as it was before each update",
    ),
    Route(
        method="POST",
        path=_ONE + "/archive",
        handler=archive,
        scope="write",
        body=NoFields,
        result=StoredMemory,
        summary="Hide one memory from recall",
    ),
    Route(
        method="POST",
        path=_ONE + "/unarchive",
        handler=unarchive,
        scope="write",
        body=NoFields,
        result=StoredMemory,
        summary="Show one archived memory again",
    ),
)
