"""The host names and origins that a server answers to."""

from __future__ import annotations

from jotsam.surfaces.http.http_error import HttpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def check_host(headers: Mapping[str, str], allowed: frozenset[str]) -> None:
    """Refuse a host name that is not the server's: a page of another site could have been bound to its address."""
    host = host_name(headers.get("host", ""))
    if host not in allowed and "*" not in allowed:
        raise HttpError(421, "wrong-host", f"unknown host {host[:200]!r}: allow it with `jotsam serve --allow-host`")


def check_origin(headers: Mapping[str, str], *, hosts: frozenset[str], origins: frozenset[str]) -> None:
    """Refuse a page of another site. Programs send no origin."""
    origin = headers.get("origin")
    if origin is None or origin in origins or "*" in origins:
        return
    if host_name(origin.partition("://")[2]) not in hosts:
        raise HttpError(403, "wrong-origin", f"unknown origin {origin[:200]!r}: allow it with --allow-origin")


def host_name(authority: str) -> str:
    """The host of `host:port`, in lower case; of an IPv6 address without its brackets."""
    if authority.startswith("["):
        return authority[1:].partition("]")[0].lower()
    return authority.partition(":")[0].lower()
