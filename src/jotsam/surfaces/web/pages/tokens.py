"""Tokens of the API, the browsers that are signed in, and the audit. For admins."""

from __future__ import annotations

from jotsam.core.clock import system_clock
from jotsam.core.errors import NotFound
from jotsam.core.token_records import SCOPES
from jotsam.surfaces.http.requests import access
from jotsam.surfaces.web.pages.page import Confirm, Page, PageCall, PageRoute, Redirect, whole_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.token_records import Token

DAY_MS = 86_400_000
AUDIT_PAGE, AUDIT_LATEST = 100, 10
MAX_DAYS = 3_650
MAX_ID = 10**18
ABOUT = {
    "read": "read",
    "write": "write (and read)",
    "admin": "admin (and both)",
    "operator": "operator (and all of the server)",
}
BROWSERS = "dashboard"  # the purpose of a token in the cookie of a browser


def tokens(call: PageCall) -> Page:
    """All tokens, valid ones first, and the latest entries of the audit."""
    now = system_clock()
    found = sorted(call.jot.admin.tokens(), key=lambda one: (state_of(one, now) != "valid", -one.created_at))
    return Page(
        template="tokens.html",
        values={
            "api": [(one, state_of(one, now)) for one in found if one.purpose != BROWSERS],
            "browsers": [
                (one, state_of(one, now))
                for one in found
                if one.purpose == BROWSERS and (one.expires_at or 0) > now - 7 * DAY_MS
            ],
            "own": call.principal.token,
            "audit": call.jot.admin.audit(limit=AUDIT_LATEST),
        },
    )


def ask_create(call: PageCall) -> Page:
    """The form for a new token."""
    return Page(template="token_create.html", values={"scopes": [(one, ABOUT[one]) for one in call.principal.scopes]})


def create(call: PageCall) -> Page:
    """Create a token, and show its secret this once."""
    form = call.form
    scope = form.get("scope", "read")
    if scope in SCOPES:
        access.check_grants(call.principal, scope)
    days = whole_number(form.get("days", "") or "0", name="days", least=0, most=MAX_DAYS)
    new = call.jot.admin.create_token(
        name=form.get("name", ""),
        scope=scope,  # type: ignore[arg-type]  # It is checked there.
        expires_at=system_clock() + days * DAY_MS if days else None,
    )
    scheme = "https" if call.headers.get("x-forwarded-proto") == "https" else "http"
    address = f"{scheme}://{call.headers.get('host', 'localhost')}"
    return Page(template="token_created.html", values={"new": new, "address": address})


def ask_revoke(call: PageCall) -> Confirm:
    """Ask whether to revoke a token."""
    token = _token(call)
    is_browser = token.purpose == BROWSERS
    lines = ["It is refused from now on. This cannot be taken back: create another one instead."]
    if is_browser:
        lines = ["The browser must sign in again."]
    if token.id == call.principal.token:
        lines.append("It is this browser: you are signed out.")
    title = f"Sign out the browser {token.id}?" if is_browser else f"Revoke the token {token.name}?"
    button = "Sign out" if is_browser else "Revoke"
    return Confirm(title=title, lines=lines, button=button, back="/ui/tokens", danger=True)


def revoke(call: PageCall) -> Redirect:
    """Revoke a token, or sign a browser out."""
    access.check_grants(call.principal, _token(call).scope)
    token = call.jot.admin.revoke_token(call.path["id"])
    said = f"Signed out the browser {token.id}." if token.purpose == BROWSERS else f"Revoked the token {token.name}."
    return Redirect(to="/ui/tokens", said=said)


def audit(call: PageCall) -> Page:
    """A page of the audit, the newest entries first."""
    after = whole_number(call.query.get("after", "0"), name="after", least=0, most=MAX_ID)
    found = call.jot.admin.audit(after=after, limit=AUDIT_PAGE + 1)
    shown = found[:AUDIT_PAGE]
    return Page(
        template="audit.html",
        values={
            "audit": shown,
            "first": "/ui/audit" if after else None,
            "next": f"/ui/audit?after={shown[-1].id}" if len(found) > AUDIT_PAGE else None,
        },
    )


def state_of(token: Token, now: int) -> str:
    """valid, expired or revoked."""
    if token.revoked_at is not None:
        return "revoked"
    return "expired" if token.expires_at is not None and token.expires_at <= now else "valid"


def _token(call: PageCall) -> Token:
    """The token of the path. Raises `NotFound`."""
    for one in call.jot.admin.tokens():
        if one.id == call.path["id"]:
            return one
    raise NotFound(f"there is no token {call.path['id'][:40]!r}")


ROUTES = (
    PageRoute(method="GET", path="/ui/tokens", handler=tokens, scope="admin"),
    PageRoute(method="GET", path="/ui/tokens/create", handler=ask_create, scope="admin"),
    PageRoute(method="POST", path="/ui/tokens/create", handler=create, scope="admin"),
    PageRoute(method="GET", path="/ui/tokens/{id}/revoke", handler=ask_revoke, scope="admin"),
    PageRoute(method="POST", path="/ui/tokens/{id}/revoke", handler=revoke, scope="admin"),
    PageRoute(method="GET", path="/ui/audit", handler=audit, scope="admin"),
)
