"""What a browser keeps for the dashboard: the token of its sign-in, what the last action did, and the project shown.

All are HttpOnly and SameSite=Strict. The token of a form, and the seal of what an action did, are made from the token
of the sign-in, so no process has to remember them.
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64

from jotsam.surfaces.http.server.hosts import LOOPBACK, host_name
from jotsam.surfaces.web.pages.page import Redirect, Undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SAID_S = 60
MAX_SAID = 3_500  # bytes of a cookie that every browser keeps


def cookie_name(host: str) -> str:
    """The name of the cookie on this host. It has the port, because the servers of one host share their cookies."""
    port = host.rpartition(":")[2]
    return f"jotsam_{port}" if port.isascii() and port.isdecimal() else "jotsam"


def cookie_options(host: str) -> dict[str, Any]:
    """The attributes of each cookie. Only on this machine it may go over plain HTTP."""
    return {"path": "/ui", "httponly": True, "samesite": "strict", "secure": host_name(host) not in LOOPBACK}


def form_token(secret: str) -> str:
    """What each form of a sign-in must send, so that no page of another site can send one."""
    return _sealed(secret, b"form")


def is_form_token(secret: str, given: str) -> bool:
    return hmac.compare_digest(form_token(secret).encode(), given.encode(errors="replace"))


def write_said(secret: str, result: Redirect) -> str:
    """The value of a cookie that tells the next page what was done, and how it is undone."""
    undo = result.undo and {
        "action": result.undo.action,
        "fields": dict(result.undo.fields),
        "label": result.undo.label,
    }
    text = urlsafe_b64encode(json.dumps([result.said, undo]).encode()).decode()
    if len(text) > MAX_SAID:  # As with thousands of ids in the undo.
        text = urlsafe_b64encode(json.dumps([result.said[:1_000], None]).encode()).decode()
    return f"{text}.{_sealed(secret, text.encode())}"


def read_said(secret: str, value: str) -> tuple[str, Undo | None] | None:
    """What `write_said` wrote for this sign-in; None for anything else."""
    text, _, seal = value.partition(".")
    if not text or not hmac.compare_digest(_sealed(secret, text.encode(errors="replace")), seal):
        return None
    try:
        said, undo = json.loads(urlsafe_b64decode(text))
    except (ValueError, NotBase64):
        return None
    return said, Undo(**undo) if undo else None


def write_project(key: str) -> str:
    """The value of the cookie of the project that all pages show; a key may have letters that no cookie has."""
    return urlsafe_b64encode(key.encode()).decode()


def read_project(value: str) -> str:
    """What `write_project` wrote; "" for anything else."""
    try:
        return urlsafe_b64decode(value).decode()
    except (ValueError, NotBase64):
        return ""


def _sealed(secret: str, text: bytes) -> str:
    return hmac.new(secret.encode(errors="replace"), text, "sha256").hexdigest()
