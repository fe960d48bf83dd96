"""`/v1/allowed-secrets`: allow a text that looks like a secret, by itself or by its fingerprint, or redact it again."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.surfaces.http.route import Call, Reply, Route, given


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
