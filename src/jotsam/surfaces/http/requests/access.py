"""Who may call what: the token of a request, and its scope.

A token is compared in constant time by `memory.access.tokens`; nothing here keeps or logs one.
"""

from __future__ import annotations

import hmac
import logging

from jotsam.core.token_records import OPERATOR, AuditEntry, Principal
from jotsam.memory.access.audit import audited_client
from jotsam.memory.access.tokens import find_principal
from jotsam.memory.status.tenant_view import tenant_client
from jotsam.surfaces.http.server.http_error import HttpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam
    from jotsam.surfaces.http.requests.route import Call, Route
    from jotsam.surfaces.http.server.limits import RateLimit

log = logging.getLogger("jotsam.http")

STATIC, STATIC_ADMIN = "static", "static-admin"  # ids of the tokens of the settings
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="jotsam"'}


def principal_of(jot: Jotsam, text: str | None) -> Principal:
    """Who sends a request with a token. Raises `HttpError` 401."""
    if text is None:
        raise HttpError(401, "unauthorized", "Unauthorized: send `Authorization: Bearer TOKEN`", headers=CHALLENGE)
    found = static_principal(jot.settings, text) or find_principal(jot.database, text)
    if found is None:
        raise HttpError(401, "unauthorized", "Unauthorized: the token is unknown or expired", headers=CHALLENGE)
    return found


def token_of(route: Route, headers: Mapping[str, str], query: Mapping[str, str]) -> str | None:
    """The token of a request: a bearer token, or on AutoMem's routes any of the three ways that it has."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and token.strip():
        return token.strip()
    if route.errors != "automem":
        return None
    return headers.get("x-api-key") or query.get("api_key") or None


def warn_of_query(route: Route, query: Mapping[str, str], principal: Principal) -> None:
    """Log that a client sends a token in the query string, without the query string."""
    for name in ("api_key", "admin_token"):
        if route.errors == "automem" and query.get(name):
            where = "%s %s has a token as ?%s=, which the logs of proxies keep: send it as a header; it is token %s"
            log.warning(where, route.method, route.path, name, principal.token)


def static_principal(settings: Settings, text: str) -> Principal | None:
    """The principal of a token of the settings."""
    for wanted, id, scope in (
        (settings.http_admin_token, STATIC_ADMIN, OPERATOR),
        (settings.http_token, STATIC, "write"),
    ):
        if wanted and _is_same(wanted, text):
            return Principal(token=id, name=id, tenant=settings.tenant, scope=scope)
    return None


def check_scope(principal: Principal, route: Route) -> None:
    """Refuse a route beyond the scope of the token."""
    if route.scope and route.scope not in principal.scopes:
        raise HttpError(403, "forbidden", f"this needs the scope {route.scope}; the token has {principal.scope}")


def check_admin_token(jot: Jotsam, principal: Principal, candidates: Sequence[str | None]) -> None:
    """Ask for AutoMem's second token. A token with the scope admin needs no second one."""
    if "admin" in principal.scopes:
        return
    given, settings = next((one for one in candidates if one), None), jot.settings
    if given is None and not settings.http_admin_token:
        raise HttpError(403, "forbidden", "Admin token not configured")
    if given is not None:
        if settings.http_admin_token and _is_same(settings.http_admin_token, given):
            return
        found = find_principal(jot.database, given)
        if found and "admin" in found.scopes and found.tenant == principal.tenant:
            return
    raise HttpError(401, "unauthorized", "Admin authorization required")


def check_grants(principal: Principal, scope: str) -> None:
    """Refuse to create or revoke a token that may do more than the token of the request."""
    if scope not in principal.scopes:
        raise HttpError(403, "forbidden", f"this needs the scope {scope}; the token has {principal.scope}")


def client_of(jot: Jotsam, principal: Principal) -> Jotsam:
    """The memory of the principal's tenant. What concerns the server is in it for an operator only."""
    scoped = jot.scoped(tenant=principal.tenant)
    return scoped if principal.is_operator else tenant_client(scoped)


def _is_same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


def check_rate(limit: RateLimit, principal: Principal, *, now_ms: int) -> None:
    """Refuse a request beyond the rate of its token."""
    if principal.rate is None:
        return
    wait_ms = limit.allow(principal.token, rate=principal.rate, now_ms=now_ms)
    if wait_ms is not None:
        headers = {"Retry-After": str(-(-wait_ms // 1_000))}
        message = f"the token may send {principal.rate:g} requests per second: try again in {wait_ms:,} ms"
        raise HttpError(429, "rate-limited", message, headers=headers)


def in_tenant(call: Call, route: Route) -> Call:
    """The call with the memory of its token's tenant, audited if the route is there to change something."""
    call = call.replace(jot=client_of(call.jot, call.principal))
    is_change = route.scope != "read" and route.method != "GET"
    return audited(call, f"{route.method} {route.path}") if is_change else call


def audited(call: Call, action: str) -> Call:
    """The call with a memory whose changes are audited as this action."""
    entry = AuditEntry(
        tenant=call.principal.tenant,
        request=call.request_id,
        token=call.principal.token,
        name=call.principal.name,
        action=action,
        subject=" ".join(call.path.values()),
        address=call.address,
    )
    return call.replace(jot=audited_client(call.jot, entry))
