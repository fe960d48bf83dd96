"""What each method of `Client.knowledge` sends. The signatures are those of `Knowledge`."""

from __future__ import annotations

from jotsam.remote.request import Request, member, writing

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

MAX_LINKS = 500


class KnowledgeCalls:
    """The methods of `Knowledge` as requests."""

    def allow(self, secret: str, *, reason: str) -> Request[str]:
        return writing("/v1/allowed-secrets", member("fingerprint", str), {"secret": secret, "reason": reason})

    def allow_redacted(self, prefix: str, *, reason: str) -> Request[str]:
        return writing("/v1/allowed-secrets", member("fingerprint", str), {"fingerprint": prefix, "reason": reason})

    def forbid(self, prefix: str) -> Request[int]:
        return writing("/v1/allowed-secrets/forbid", member("forbidden", int), {"fingerprint": prefix})
