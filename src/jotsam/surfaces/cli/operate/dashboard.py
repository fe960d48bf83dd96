"""`jotsam server dashboard`: a link to the pages of a running server, which signs a browser in once."""

from __future__ import annotations

import threading
from urllib.error import URLError
from urllib.request import Request, urlopen

from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.memory.access.sign_ins import create_link, is_link_open
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.operate.sign_in_page import open_in_browser
from jotsam.surfaces.cli.output import echo, hint, print_json, stdout

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.settings import Settings
    from jotsam.core.token_records import Scope

ANSWER_S = 5


def open_dashboard(arguments: argparse.Namespace) -> None:
    """Open the dashboard of a server that runs, or print its link."""
    address = arguments.url.rstrip("/")
    _check_server(address)
    if arguments.json:
        print_json(url=_link(address, _secret(arguments.settings, arguments.scope)))
    else:
        show_dashboard(arguments.settings, address, scope=arguments.scope, is_opened=not arguments.only_print)


def show_dashboard(settings: Settings, address: str, *, scope: Scope, is_opened: bool, waits: bool = True) -> None:
    """Print a link to the dashboard, and open it in the browser. `waits` false: the server of this process answers."""
    secret = _secret(settings, scope)
    echo(f"dashboard {_link(address, secret)}")
    stdout().flush()  # It is a pipe, perhaps.
    if is_opened and waits:
        _open(settings, address, secret)
    elif is_opened:
        threading.Thread(target=_open, args=(settings, address, secret), daemon=True).start()


def _open(settings: Settings, address: str, secret: str) -> None:
    """Open a link in the browser, until it was used."""
    why = "no browser could be opened"
    try:
        with Jotsam(settings=settings.replace(worker="off")) as jot:
            if open_in_browser(_link(address, secret), is_used=lambda: not is_link_open(jot.database, secret)):
                return
    except (JotsamError, OSError) as error:
        why = f"no browser was opened: {error}"
    hint(f"{why}: open the link, which works once and for ten minutes")


def _secret(settings: Settings, scope: Scope) -> str:
    with Jotsam(settings=settings.replace(worker="off")) as jot:
        return create_link(jot.database, tenant=settings.tenant, scope=scope)


def _link(address: str, secret: str) -> str:
    return f"{address}/ui/sign-in?link={secret}"


def _check_server(address: str) -> None:
    """Raise unless a server answers there."""
    if not address.startswith(("http://", "https://")):
        raise InvalidInput(f"invalid --url {address!r}: must begin with http:// or https://")
    try:
        with urlopen(Request(f"{address}/healthz"), timeout=ANSWER_S):
            pass
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise JotsamError(
            f"no server answers at {address} ({reason}): start one with `jotsam server start --open`"
        ) from None
