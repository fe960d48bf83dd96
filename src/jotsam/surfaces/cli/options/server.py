"""Options of the commands of the HTTP API: `serve`."""

from __future__ import annotations

from jotsam.surfaces.cli.arguments import add_command, add_log_format, positive_int

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.surfaces.cli.arguments import Commands

# Those of surfaces.http.options, which needs no import of it here.
PORT, MAX_BODY = 8_787, 16 << 20


def add_commands(commands: Commands) -> None:
    """Add `serve`."""
    serve = add_command(commands, "serve", module="serve", help="serve the memory over HTTP, with a worker beside it")
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
    add_log_format(serve)
