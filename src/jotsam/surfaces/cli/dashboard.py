"""`jotsam dashboard`: a link to the pages of a running server, which signs a browser in once."""

from __future__ import annotations

import webbrowser
from urllib.error import URLError
from urllib.request import Request, urlopen

from jotsam.core.errors import InvalidInput, JotsamError
from jotsam.memory.client import Jotsam
from jotsam.memory.sign_ins import create_link
from jotsam.surfaces.cli.output import OK, echo, hint, print_json, stdout

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.settings import Settings
    from jotsam.core.token_records import Scope

ANSWER_S = 5


def run(arguments: argparse.Namespace) -> int:
    """Open the dashboard of a server that runs, or print its link."""
    address = arguments.url.rstrip("/")
    _check_server(address)
    if arguments.json:
        print_json(url=_link(arguments.settings, address, scope=arguments.scope))
    else:
        show_dashboard(arguments.settings, address, scope=arguments.scope, is_opened=not arguments.only_print)
    return OK


def show_dashboard(settings: Settings, address: str, *, scope: Scope, is_opened: bool) -> None:
    """Print a link to the dashboard, and open it in the browser."""
    link = _link(settings, address, scope=scope)
    echo(f"dashboard {link}")
    stdout().flush()  # It is a pipe, perhaps.
    if is_opened and not webbrowser.open(link):
        hint("no browser could be opened: open the link, which works once and for ten minutes")


def _link(settings: Settings, address: str, *, scope: Scope) -> str:
    with Jotsam(settings=settings.replace(worker="off")) as jot:
        return f"{address}/ui/sign-in?link={create_link(jot.database, tenant=settings.tenant, scope=scope)}"


def _check_server(address: str) -> None:
    """Raise unless a server answers there."""
    if not address.startswith(("http://", "https://")):
        raise InvalidInput(f"invalid --url {address!r}: must begin with http:// or https://")
    try:
        with urlopen(Request(f"{address}/healthz"), timeout=ANSWER_S):
            pass
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise JotsamError(f"no server answers at {address} ({reason}): start one with `jotsam serve --open`") from None
