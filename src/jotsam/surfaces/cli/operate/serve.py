"""`jotsam server start` and `jotsam mcp`: the HTTP API with the dashboard, and the MCP server of one agent."""

from __future__ import annotations

import logging
import os
from contextlib import suppress

from jotsam.admin.logs import log_to_stderr
from jotsam.core import dsn
from jotsam.core.errors import InvalidInput, install_extra
from jotsam.core.platform.folders import data_folder
from jotsam.core.settings import check_model
from jotsam.memory.api.client import Jotsam
from jotsam.surfaces.cli.operate.commands import LINK_SCOPE
from jotsam.surfaces.cli.operate.dashboard import show_dashboard
from jotsam.surfaces.cli.output import echo, hint, stdout
from jotsam.surfaces.http.server.hosts import is_loopback

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jotsam.core.settings import Settings
    from jotsam.core.token_records import Scope
    from jotsam.surfaces.http.server.options import ServeOptions

log = logging.getLogger("jotsam.http")

TOKEN_NAME = "local"
MAX_PORT = 65_535


def serve_http(arguments: argparse.Namespace) -> int:
    """Serve until a signal."""
    try:
        from jotsam.surfaces.http import serve
        from jotsam.surfaces.http.server.options import ServeOptions
        from jotsam.surfaces.web import site
    except ModuleNotFoundError as error:
        if error.name not in ("uvicorn", "starlette", "anyio", "h11", "jinja2", "markdown_it", "prometheus_client"):
            raise
        raise InvalidInput(f"`jotsam server start` needs {error.name}: {install_extra('server')}") from None
    settings = _settings(arguments)
    options = ServeOptions(
        host=arguments.host,
        port=_port(arguments.port),
        processes=arguments.workers,
        worker=not arguments.no_worker,
        allow_hosts=tuple(arguments.allow_host),
        allow_origins=tuple(arguments.allow_origin),
        max_body=arguments.max_body,
        open_metrics=arguments.open_metrics,
        dashboard=arguments.dashboard,
        log_format=arguments.log_format,
    )
    check_model(settings)  # Each worker would end with it.
    log_to_stderr(logging.INFO, log_format=arguments.log_format, never_waits=True)
    _check_reachable(settings, options)
    pages = None if options.dashboard == "off" else site.pages

    def ready(address: str) -> None:
        _tell(settings, options, _token_file(settings), address)
        if pages and (arguments.open or stdout().isatty()):
            scope: Scope = arguments.open or LINK_SCOPE
            show_dashboard(settings, address, scope=scope, is_opened=arguments.open is not None, waits=False)

    return serve.run_server(settings, options, pages=pages, ready=ready)


def _tell(settings: Settings, options: ServeOptions, token_file: str | None, address: str) -> None:
    """Say that the server listens, and how to try it."""
    if token_file:
        echo(f'curl -H "Authorization: Bearer $(cat {token_file})" {address}/v1/status')
        stdout().flush()  # It is a pipe, perhaps.
    if not is_loopback(options.host):
        hint("this serves plain HTTP: put a proxy with TLS in front of it, see docs/http.md")
    log.info("serving %s on %s", dsn.mask_address(settings.db), address)


def _settings(arguments: argparse.Namespace) -> Settings:
    """The settings, without the project of the folder in which the server was started by chance."""
    settings: Settings = arguments.settings
    return settings.replace(project="") if arguments.origins.get("project") == "git repository" else settings


def _port(port: int) -> int:
    if not 0 <= port <= MAX_PORT:
        raise InvalidInput(f"invalid port {port}: must be 1 to {MAX_PORT:,}, or 0 for any free one")
    return port


def _check_reachable(settings: Settings, options: ServeOptions) -> None:
    """Refuse another address than loopback unless some token is valid. Raises `InvalidInput`."""
    from jotsam.memory.access import tokens

    if is_loopback(options.host) or settings.http_token or settings.http_admin_token:
        return
    with Jotsam(settings=settings.replace(worker="off")) as jot:
        if not tokens.any_valid(jot.database):
            raise InvalidInput(
                f"--host {options.host} makes the memory reachable from other machines, and there is no valid token: "
                "create one with `jotsam server tokens create`"
            )


def _token_file(settings: Settings) -> str | None:
    """The file with the token of this machine, which is created if there is no valid token.

    None if tokens are managed otherwise.
    """
    from jotsam.memory.access import tokens

    path = _token_path(settings)
    with Jotsam(settings=settings.replace(worker="off")) as jot:
        if tokens.find_principal(jot.database, _first_line(path)):
            return path
        if settings.http_token or settings.http_admin_token or tokens.any_valid(jot.database):
            return None
        made = tokens.create_token(jot.database, tenant=settings.tenant, name=TOKEN_NAME, scope="operator")
    with suppress(FileNotFoundError):
        os.unlink(path)  # Its token was revoked.
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(made.secret + "\n")
    return path


def _first_line(path: str) -> str:
    """The first line of a file; empty if there is none."""
    try:
        with open(path, errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""


def _token_path(settings: Settings) -> str:
    """Beside the database file, or in the data folder for a server."""
    if not dsn.is_server(settings.db):
        return settings.db + ".token"
    folder = data_folder(os.environ)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return os.path.join(folder, "http.token")


def serve_mcp(arguments: argparse.Namespace) -> int:
    """`jotsam mcp` with the options that the small parser of `start` leaves to this one."""
    from jotsam.surfaces.mcp.serve import serve

    names = ("db", "tenant", "project", "harness", "profile")
    options = {f"--{name}": value for name in names if (value := getattr(arguments, name)) is not None}
    if arguments.no_worker:
        options["--no-worker"] = ""
    return serve(options)
