"""What the admin of a tenant needs: redactions, allowed secrets, costs, retention, tokens and the audit."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from jotsam.core.errors import InvalidInput
from jotsam.core.records import Record
from jotsam.core.token_records import NewToken, Token
from jotsam.memory.retention import Expired
from jotsam.surfaces.http import access
from jotsam.surfaces.http.route import Call, Reply, Route, given, items
from jotsam.surfaces.http.v1.fields import PageLimit, Time


class AllowBody(Struct, forbid_unknown_fields=True):
    """A text that looks like a secret and is not, or the beginning of its fingerprint; and why."""

    reason: str
    secret: str | UnsetType = UNSET
    fingerprint: str | UnsetType = UNSET


class ForbidBody(Struct, forbid_unknown_fields=True):
    """The beginning of a fingerprint."""

    fingerprint: str


class CostQuery(Struct, forbid_unknown_fields=True):
    """Of how many days."""

    days: Annotated[int, Meta(ge=1, le=100_000)] = 30


class TokenBody(Struct, forbid_unknown_fields=True):
    """A token to create for the tenant of this one."""

    name: str
    scope: Literal["read", "write", "admin", "operator"] = "write"
    expires_at: Time = UNSET
    rate: float | UnsetType | None = UNSET
    max_bytes: int | UnsetType | None = UNSET


class AuditQuery(Struct, forbid_unknown_fields=True):
    """Which page of the audit."""

    cursor: str | None = None
    limit: PageLimit = 100


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


def costs(call: Call) -> Reply:
    return items(call.jot.admin.costs(days=call.query.days))


def retention(call: Call) -> Reply:
    return Reply(body=call.jot.admin.expired())


def list_tokens(call: Call) -> Reply:
    return items(call.jot.admin.tokens())


def create_token(call: Call) -> Reply:
    """Create a token with at most the scope of the one that asks."""
    access.check_grants(call.principal, call.body.scope)
    return Reply(body=call.jot.admin.create_token(**given(call.body)))


def revoke_token(call: Call) -> Reply:
    """Refuse a token from now on. One of an operator is revoked by an operator."""
    id = call.path["id"]
    for one in call.jot.admin.tokens():
        if one.id == id:
            access.check_grants(call.principal, one.scope)
    return Reply(body=call.jot.admin.revoke_token(id))


def audit(call: Call) -> Reply:
    cursor, limit = call.query.cursor, call.query.limit
    if cursor is not None and not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 19):
        raise InvalidInput(f"invalid cursor {cursor[:80]!r}: must be the `next_cursor` of a page")
    found = call.jot.admin.audit(after=int(cursor or 0), limit=limit)
    return items(found, next_cursor=str(found[-1].id) if len(found) == limit else None)


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
    Route(
        method="GET",
        path="/v1/costs",
        handler=costs,
        scope="admin",
        query=CostQuery,
        result="DailyCost[]",
        summary="Use of models by day and model",
    ),
    Route(
        method="GET",
        path="/v1/retention",
        handler=retention,
        scope="admin",
        result=Expired,
        summary="What a worker will remove because of its age",
    ),
    Route(
        method="GET",
        path="/v1/tokens",
        handler=list_tokens,
        scope="admin",
        result="Token[]",
        summary="Tokens of the tenant, without their secrets",
    ),
    Route(
        method="POST",
        path="/v1/tokens",
        handler=create_token,
        scope="admin",
        body=TokenBody,
        result=NewToken,
        status=201,
        summary="Create a token; its secret is in this answer only",
    ),
    Route(
        method="DELETE",
        path="/v1/tokens/{id}",
        handler=revoke_token,
        scope="admin",
        result=Token,
        summary="Refuse a token from now on",
    ),
    Route(
        method="GET",
        path="/v1/audit",
        handler=audit,
        scope="admin",
        query=AuditQuery,
        result="AuditEntry[]",
        summary="Requests that changed something, the newest first",
    ),
)
