"""Options of the commands of the HTTP API and the dashboard: `serve`, `dashboard`."""

from __future__ import annotations

from jotsam.core.token_records import SCOPES
from jotsam.surfaces.cli.arguments import Command, add_log_format, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.token_records import Scope
    from jotsam.surfaces.cli.arguments import Parser

# Those of surfaces.http.options, which needs no import of it here.
PORT, MAX_BODY = 8_787, 16 << 20
LINK_SCOPE: Scope = "write"  # of a browser: what it stores and changes is about memory, and nothing about the server


def _serve(serve: Parser) -> None:
    about = "address to listen on (default: %(default)s, reachable from this machine only)"
    serve.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=about)
    about = "port to listen on; 0 is any free one (default: %(default)s)"
    serve.add_argument("--port", type=int, default=PORT, metavar="NUMBER", help=about)
    about = "processes that answer requests, beside a server database (default: %(default)s)"
    serve.add_argument("--workers", type=positive_int, default=1, metavar="NUMBER", help=about)
    about = "another host name under which clients reach it, for example through a proxy; repeatable"
    serve.add_argument("--allow-host", action="append", default=[], metavar="NAME", help=about)
    about = "a site whose pages may call it, for example https://viewer.example; repeatable"
    serve.add_argument("--allow-origin", action="append", default=[], metavar="ORIGIN", help=about)
    about = "largest body of a request in bytes (default: %(default)s)"
    serve.add_argument("--max-body", type=positive_int, default=MAX_BODY, metavar="BYTES", help=about)
    serve.add_argument("--open-metrics", action="store_true", help="answer /metrics without a token")
    about = "pages for people under /ui: all they can do, only reading, or none (default: %(default)s)"
    serve.add_argument("--dashboard", choices=("full", "read", "off"), default="full", help=about)
    about = "open the dashboard in the browser, which may do what this scope allows (default: %(const)s)"
    serve.add_argument("--open", nargs="?", const=LINK_SCOPE, choices=SCOPES, metavar="SCOPE", help=about)
    add_log_format(serve)


def _dashboard(open_: Parser) -> None:
    about = "address of the server (default: %(default)s)"
    open_.add_argument("--url", default=f"http://127.0.0.1:{PORT}", metavar="URL", help=about)
    open_.add_argument("--print", dest="only_print", action="store_true", help="print the link instead of opening it")
    about = "what the browser may do; operator: all, also pause queues and see the settings (default: %(default)s)"
    open_.add_argument("--scope", choices=SCOPES, default=LINK_SCOPE, help=about)


COMMANDS = (
    Command(
        name="serve",
        run="serve:run",
        help="serve the HTTP API and the dashboard, with a worker",
        examples=("jotsam serve", "jotsam serve --host 0.0.0.0 --port 9000 --allow-host memory.example"),
        options=_serve,
    ),
    Command(
        name="dashboard",
        run="dashboard:run",
        help="open the dashboard of a running server",
        examples=("jotsam dashboard", "jotsam dashboard --scope read --print"),
        options=_dashboard,
    ),
)
