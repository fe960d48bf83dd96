"""Tokens of the HTTP API: who a request is from, and what it may do.

A token reads `jot_<id>_<secret>`. It belongs to one tenant. Nothing here is cached: a revoked token is refused at once.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode

from jotsam.core import validate
from jotsam.core.clock import parse_time, random_bytes
from jotsam.core.errors import DatabaseUnavailable, DatabaseUnusable, InvalidInput, NotFound
from jotsam.core.token_records import SCOPES, NewToken, Principal, Token
from jotsam.ingest import validation
from jotsam.memory.access.audit import audited_here
from jotsam.pipeline.redaction.redact import redact
from jotsam.storage.access import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypedDict, Unpack

    from jotsam.core.token_records import Purpose, Scope
    from jotsam.memory.options import Timestamp
    from jotsam.storage.database import Database, Row, Transaction

    class TokenLimits(TypedDict, total=False):
        """`rate` is in requests per second, `max_bytes` the largest body of a request."""

        expires_at: Timestamp | None
        rate: float | None
        max_bytes: int | None


PREFIX = "jot"
ID_BYTES, SECRET_BYTES = 6, 32
MAX_CHARACTERS = 100  # of a text that can be a token
MAX_RATE = 1_000_000.0
USED_INTERVAL_MS = 60_000  # between two writes of `last_used_at`
NO_HASH = bytes(32)


def create_token(
    database: Database, *, tenant: str, name: str, scope: Scope, by: str = "python", **limits: Unpack[TokenLimits]
) -> NewToken:
    """Create a token for a tenant. Its secret is in the result, and nowhere else.

    `scope` is `read`, `write`, `admin` or `operator`. `by` is the name in the audit, unless `database` audits a
    request. Limits: `expires_at`, `rate` (requests per second), `max_bytes` (the largest body of a request). Raises
    `InvalidInput`.
    """
    validate.check_fields(limits, ("expires_at", "rate", "max_bytes"))
    label = redact(validation.check_line("name", validate.check_identifier("name", name)) or "")[0]
    if not label:
        raise InvalidInput(f"invalid name {name!r}: must contain more than whitespace")
    if scope not in SCOPES:
        raise InvalidInput(f"invalid scope {validate.shown(scope)}: must be one of {', '.join(SCOPES)}")
    rate, max_bytes, expires_at = limits.get("rate"), limits.get("max_bytes"), limits.get("expires_at")
    until = None if expires_at is None else parse_time(expires_at, name="expires_at")
    if max_bytes is not None:
        validate.check_int("max_bytes", max_bytes, 1)
    id, whose = new_token_id(), validation.check_tenant(tenant)
    audited = audited_here(database, tenant=whose, by=by, action="tokens create", subject=id)
    with audited.transaction(tenant=whose) as tx:
        if until is not None and until <= tx.now:
            raise InvalidInput(f"invalid expires_at {expires_at!r}: must be in the future")
        allowed = {"rate": _checked_rate(rate), "max_bytes": max_bytes, "expires_at": until}
        return add_token(tx, id=id, name=label, scope=scope, purpose="api", **allowed)


def new_token_id() -> str:
    """The id of a token. It is not secret."""
    return random_bytes(ID_BYTES).hex()


def add_token(tx: Transaction, *, id: str, name: str, scope: Scope, purpose: Purpose, **limits: Any) -> NewToken:
    """Store a new token. Its secret is in the result, and nowhere else."""
    secret = urlsafe_b64encode(random_bytes(SECRET_BYTES)).rstrip(b"=").decode()
    token = tokens.add(tx, id=id, name=name, scope=scope, purpose=purpose, hash=_hash(secret), **limits)
    return NewToken(id=id, secret=f"{PREFIX}_{id}_{secret}", token=token)


def list_tokens(database: Database, *, tenant: str) -> tuple[Token, ...]:
    """The tokens of a tenant, the oldest first, with those that were revoked or have expired.

    Those of purpose `dashboard` are in the cookies of browsers that are signed in.
    """
    with database.snapshot(tenant=validation.check_tenant(tenant)) as tx:
        return tokens.every(tx)


def any_valid(database: Database) -> bool:
    """Whether a token of the API is valid now, of any tenant."""
    with database.snapshot() as tx:
        names = tokens.tenants(tx)
    for name in names:
        with database.snapshot(tenant=name) as tx:
            if any(
                one.purpose == "api" and _is_current(one.revoked_at, one.expires_at, tx.now) for one in tokens.every(tx)
            ):
                return True
    return False


def revoke_token(database: Database, *, tenant: str, id: str, by: str = "python") -> Token:
    """Refuse a token from now on. Raises `NotFound`, also for a token of another tenant."""
    wanted, whose = validate.check_identifier("id", id), validation.check_tenant(tenant)
    audited = audited_here(database, tenant=whose, by=by, action="tokens revoke", subject=wanted)
    with audited.transaction(tenant=whose) as tx:
        token = tokens.revoke(tx, id=wanted)
        if token is None:
            raise NotFound(
                f"there is no token {validate.shown(wanted)} of tenant {whose!r}: `jotsam server tokens` lists them"
            )
    return token


def find_principal(database: Database, text: str, *, purpose: Purpose = "api") -> Principal | None:
    """On whose behalf a request with this token is made. None for a text that is not a token, or not valid now, or for
    another purpose.

    An unknown id takes about as long as a wrong secret. It is not secret.
    """
    prefix, _, rest = text.partition("_") if len(text) <= MAX_CHARACTERS and text.isascii() else ("", "", "")
    id, _, secret = rest.partition("_")
    if prefix != PREFIX or not id.isalnum() or not secret:
        return None
    given = _hash(secret)
    with database.snapshot() as tx:
        row, now = tokens.find(tx, id=id), tx.now
    is_same = hmac.compare_digest(given, row["hash"] or NO_HASH)
    if not is_same or not _is_valid(row, now) or row["purpose"] != purpose:
        return None
    return Principal(
        token=row["id"],
        name=row["name"],
        tenant=row["tenant"],
        scope=row["scope"],
        rate=row["rate"],
        max_bytes=row["max_bytes"],
        used=(row["last_used_at"] or 0) <= now - USED_INTERVAL_MS,
    )


def is_valid(database: Database, principal: Principal) -> bool:
    """Whether the token of a principal is still valid. For streams, which outlive the check of their request."""
    with database.snapshot() as tx:
        return _is_valid(tokens.find(tx, id=principal.token), tx.now)


def _is_valid(row: Row, now: int) -> bool:
    return row["id"] is not None and _is_current(row["revoked_at"], row["expires_at"], now)


def _is_current(revoked_at: int | None, expires_at: int | None, now: int) -> bool:
    return revoked_at is None and (expires_at is None or expires_at > now)


def mark_used(database: Database, principal: Principal) -> None:
    """Note that the token was used, at most once a minute.

    For after the response: it waits for the write lock. A database that cannot be written now is not an error.
    """
    if not principal.used:
        return
    try:
        with database.transaction(tenant=principal.tenant, durable=False) as tx:
            tokens.mark_used(tx, id=principal.token, interval_ms=USED_INTERVAL_MS)
    except (DatabaseUnavailable, DatabaseUnusable):
        pass  # The next use of the token notes it.


def _hash(secret: str) -> bytes:
    """SHA-256 suffices, because a secret of 256 random bits cannot be guessed: a slow hash is for passwords."""
    return hashlib.sha256(secret.encode()).digest()


def _checked_rate(rate: object) -> float | None:
    if rate is None:
        return None
    if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 < rate <= MAX_RATE:
        raise InvalidInput(
            f"invalid rate {validate.shown(rate)}: must be requests per second, above 0 and up to {MAX_RATE:,.0f}"
        )
    return float(rate)
