"""Signing in to the dashboard: a link that works once becomes a token in the cookie of one browser.

Both are tokens of the tenant, of which only hashes are stored, so every server process knows them and `jotsam server
tokens` can revoke them. None of them is accepted as a token of the API.
"""

from __future__ import annotations

from jotsam.core.token_records import NewToken, Principal
from jotsam.memory.access.audit import audited_here
from jotsam.memory.access.tokens import add_token, find_principal, new_token_id
from jotsam.storage.access import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.token_records import Scope
    from jotsam.storage.database import Database

LINK_MS = 10 * 60_000
SIGN_IN_MS = 7 * 86_400_000


def create_link(database: Database, *, tenant: str, scope: Scope, by: str = "cli") -> str:
    """The secret of a new link for `sign_in`. It works once, for ten minutes."""
    id = new_token_id()
    audited = audited_here(database, tenant=tenant, by=by, action="dashboard link", subject=id)
    with audited.transaction(tenant=tenant) as tx:
        tokens.forget_links(tx, before=tx.now)
        made = add_token(tx, id=id, name="link", scope=scope, purpose="link", **_limits(tx.now + LINK_MS))
    return made.secret


def is_link_open(database: Database, text: str) -> bool:
    """Whether a link can still be used."""
    return find_principal(database, text, purpose="link") is not None


def use_link(database: Database, text: str) -> Principal | None:
    """Who a link is for. None if it is unknown, was used or has expired. It cannot be used again."""
    found = find_principal(database, text, purpose="link")
    if found is None:
        return None
    with database.transaction(tenant=found.tenant) as tx:
        return found if tokens.use_up(tx, id=found.token) else None  # Another request may have used it just now.


def sign_in(database: Database, principal: Principal, *, scope: Scope) -> NewToken:
    """A token for the cookie of a browser, valid for a week."""
    id = new_token_id()
    audited = audited_here(database, tenant=principal.tenant, by=principal.name, action="dashboard sign-in", subject=id)
    with audited.transaction(tenant=principal.tenant) as tx:
        return add_token(tx, id=id, name="dashboard", scope=scope, purpose="dashboard", **_limits(tx.now + SIGN_IN_MS))


def find_sign_in(database: Database, cookie: str) -> Principal | None:
    """Who a browser with this cookie is signed in as."""
    return find_principal(database, cookie, purpose="dashboard")


def _limits(expires_at: int) -> dict[str, int | None]:
    return {"rate": None, "max_bytes": None, "expires_at": expires_at}
