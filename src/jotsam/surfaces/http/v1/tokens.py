"""What the routes of tokens check: nobody creates or revokes a token that may do more than their own."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from jotsam.surfaces.http import access
from jotsam.surfaces.http.route import Call, Reply, given
from jotsam.surfaces.http.v1.fields import Time


class TokenBody(Struct, forbid_unknown_fields=True):
    """A token to create for the tenant of this one."""

    name: str
    scope: Literal["read", "write", "admin", "operator"] = "write"
    expires_at: Time = UNSET
    rate: float | UnsetType | None = UNSET
    max_bytes: int | UnsetType | None = UNSET


def create(call: Call) -> Reply:
    """Create a token with at most the scope of the one that asks."""
    access.check_grants(call.principal, call.body.scope)
    return Reply(body=call.jot.admin.create_token(**given(call.body)))


def revoke(call: Call) -> Reply:
    """Refuse a token from now on. One of an operator is revoked by an operator."""
    id = call.path["id"]
    for one in call.jot.admin.tokens():
        if one.id == id:
            access.check_grants(call.principal, one.scope)
    return Reply(body=call.jot.admin.revoke_token(id))
