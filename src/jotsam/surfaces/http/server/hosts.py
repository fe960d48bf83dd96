"""The host names and origins that a server answers to."""

from __future__ import annotations

from ipaddress import ip_address

from jotsam.surfaces.http.server.http_error import HttpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ANY_ADDRESS = "an IP address"  # among the allowed hosts: DNS rebinding needs a name


def allowed_hosts(listening: str, names: tuple[str, ...]) -> frozenset[str]:
    """What a `Host` may name: this machine, where the server listens, and more names.

    On another address than loopback each IP address is allowed, because the server does not know under which ones
    clients reach it, and a page of another site is bound to the server by a name.
    """
    found = {*LOOPBACK, listening.lower(), *map(host_name, names)}
    return frozenset(found if is_loopback(listening) else {*found, ANY_ADDRESS})


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that listens there."""
    return host.lower() == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def check_host(headers: Mapping[str, str], allowed: frozenset[str]) -> None:
    """Refuse a host name that is not the server's: a page of another site could have been bound to its address."""
    host = host_name(headers.get("host", ""))
    if host in allowed or "*" in allowed or (ANY_ADDRESS in allowed and _is_address(host)):
        return
    raise HttpError(421, "wrong-host", f"unknown host {host[:200]!r}: allow it with `jotsam server start --allow-host`")


def check_origin(headers: Mapping[str, str], *, hosts: frozenset[str], origins: frozenset[str]) -> None:
    """Refuse a page of another site. Programs send no origin. The `Host` was checked before."""
    origin = headers.get("origin")
    if origin is None or origin in origins or "*" in origins:
        return
    authority = origin.partition("://")[2]
    is_own = bool(authority) and authority.lower() == headers.get("host", "").lower()
    if not is_own and host_name(authority) not in hosts:
        raise HttpError(403, "wrong-origin", f"unknown origin {origin[:200]!r}: allow it with --allow-origin")


def host_name(authority: str) -> str:
    """The host of `host:port`, in lower case; of an IPv6 address without its brackets."""
    if authority.startswith("["):
        return authority[1:].partition("]")[0].lower()
    if authority.count(":") > 1:
        return authority.lower()  # an IPv6 address without brackets and port
    return authority.partition(":")[0].lower()


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
