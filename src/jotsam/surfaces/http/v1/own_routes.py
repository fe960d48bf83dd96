"""Routes that are no method of the library: one document, forgetting one thing, waiting, and allowed secrets."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from jotsam.core.errors import Conflict, InvalidInput, NotFound
from jotsam.core.records import Record
from jotsam.memory.forgetting.forget_records import ForgetReceipt
from jotsam.memory.reading.show import Details
from jotsam.surfaces.http.requests.route import MAX_WAIT_S, Call, Reply, Route, given
from jotsam.surfaces.http.v1.fields import Text, required_version


class ActorQuery(Struct, forbid_unknown_fields=True):
    """Only memories of this person, agent or user of a service."""

    actor: Text = UNSET


class ForgetOptions(Struct, forbid_unknown_fields=True):
    """How to forget."""

    trash: bool = False  # keep it in the trash, from which it can be restored
    never_again: bool = False  # refuse the same text, key and external id from now on


def forget_memory(call: Call) -> Reply:
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


class Waited(Record):
    """Whether all of it is done or dead. False: the time was over."""

    done: bool


class WaitBody(Struct, forbid_unknown_fields=True):
    """What to wait for: the jobs of these documents and memories, or without ids all of the tenant."""

    ids: Annotated[list[str], Meta(max_length=500)] = []
    timeout_ms: Annotated[int, Meta(ge=0, le=MAX_WAIT_S * 1_000)] = MAX_WAIT_S * 1_000


def wait(call: Call) -> Reply:
    """Wait until jobs are done or dead."""
    body = call.body
    return Reply(wait_for=body.ids, wait_ms=body.timeout_ms, waited=lambda done: Reply(body=Waited(done=done)))


class AllowBody(Struct, forbid_unknown_fields=True):
    """A text that looks like a secret and is not, or the beginning of its fingerprint; and why."""

    reason: str
    secret: str | UnsetType = UNSET
    fingerprint: str | UnsetType = UNSET


class ForbidBody(Struct, forbid_unknown_fields=True):
    """The beginning of a fingerprint."""

    fingerprint: str


class Fingerprint(Record):
    """The SHA-256 of an allowed text."""

    fingerprint: str


class Forbidden(Record):
    """How many texts are not allowed any longer."""

    forbidden: int


def allow(call: Call) -> Reply:
    fields = given(call.body)
    reason, knowledge = fields.pop("reason"), call.jot.knowledge
    if len(fields) != 1:
        raise InvalidInput("invalid body: give either secret or fingerprint")
    if "secret" in fields:
        return Reply(body=Fingerprint(fingerprint=knowledge.allow(fields["secret"], reason=reason)))
    return Reply(body=Fingerprint(fingerprint=knowledge.allow_redacted(fields["fingerprint"], reason=reason)))


def forbid(call: Call) -> Reply:
    return Reply(body=Forbidden(forbidden=call.jot.knowledge.forbid(call.body.fingerprint)))


ROUTES = (
    Route(
        method="DELETE",
        path="/v1/memories/{id}",
        handler=forget_memory,
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
    Route(
        method="POST",
        path="/v1/wait",
        handler=wait,
        scope="read",
        body=WaitBody,
        result=Waited,
        summary="Wait until jobs are done or dead",
    ),
    Route(
        method="POST",
        path="/v1/allowed-secrets",
        handler=allow,
        scope="admin",
        body=AllowBody,
        result=Fingerprint,
        summary="Allow a text that looks like a secret",
    ),
    Route(
        method="POST",
        path="/v1/allowed-secrets/forbid",
        handler=forbid,
        scope="admin",
        body=ForbidBody,
        result=Forbidden,
        summary="Redact such a text again",
    ),
)
