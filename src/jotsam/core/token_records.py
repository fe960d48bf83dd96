"""Records of the tokens of the HTTP API, and of its audit."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Scope = Literal["read", "write", "admin", "operator"]
    Purpose = Literal["api", "link", "dashboard"]

# Each contains those before it.
SCOPES = ("read", "write", "admin", "operator")
OPERATOR = SCOPES[-1]  # what concerns the server and all its tenants; the others are about one tenant


class Token(Record):
    """A token of the HTTP API or of the dashboard, without its secret. `last_used_at` is accurate to a minute."""

    id: str
    tenant: str
    name: str
    scope: str  # `read`, `write`, `admin` or `operator`, each with those before
    purpose: str = "api"  # `link`: signs in to the dashboard once; `dashboard`: in the cookie of a browser
    created_at: int
    expires_at: int | None = None
    revoked_at: int | None = None
    last_used_at: int | None = None
    rate: float | None = None  # requests per second; None: not limited
    max_bytes: int | None = None  # of the body of a request; None: the limit of the server


class NewToken(Record):
    """A token that was created now. `secret` is what a client sends; it is stored nowhere and cannot be shown again."""

    id: str
    secret: str
    token: Token

    def __repr__(self) -> str:
        return f"NewToken(id={self.id!r}, secret=(set))"


class Principal(Record):
    """On whose behalf a request is made. `used`: the use of the token is to be noted, by `mark_used`."""

    token: str
    name: str
    tenant: str
    scope: str
    rate: float | None = None
    max_bytes: int | None = None
    used: bool = False

    @property
    def scopes(self) -> tuple[str, ...]:
        """The scope and those that it contains."""
        return SCOPES[: SCOPES.index(self.scope) + 1]

    @property
    def is_operator(self) -> bool:
        """Whether the server itself may be shown and changed."""
        return self.scope == OPERATOR


class AuditEntry(Record):
    """A request that changed something, or the creation or revocation of a token. `id` and `created_at` come from the
    database.
    """

    tenant: str
    request: str  # its id
    token: str = ""  # its id; empty if the request did not come over HTTP
    name: str  # of the token, or of the surface: `cli`, `python`
    action: str  # such as `POST /v1/memories`
    subject: str = ""  # the ids in the path of the request
    address: str = ""  # of the client
    id: int = 0
    created_at: int = 0
