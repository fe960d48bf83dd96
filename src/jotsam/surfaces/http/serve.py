"""Runs the server: sockets, processes, signals, and the worker beside it.

One process answers requests by default. Several need a server database; the kernel spreads connections over them. A
signal stops it gracefully: requests that have begun are finished, streams end, the worker finishes its jobs.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
from functools import partial

import uvicorn
from h11 import SEND_BODY
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.supervisors import Multiprocess
from uvicorn.supervisors.multiprocess import Process

from jotsam.admin.logs import log_to_stderr
from jotsam.core import dsn
from jotsam.core.errors import InvalidInput
from jotsam.core.platform import processes
from jotsam.surfaces.http.app import create_app
from jotsam.surfaces.http.background import WorkerProcess
from jotsam.surfaces.http.server.server import Server
from jotsam.surfaces.http.server.server_metrics import common_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

    from starlette.applications import Starlette
    from starlette.routing import BaseRoute

    from jotsam.core.settings import Settings
    from jotsam.surfaces.http.server.options import ServeOptions

    Pages = Callable[[Server], list[BaseRoute]]

log = logging.getLogger("jotsam.http")

BACKLOG = 2_048
GRACE_S = 10  # for requests that have begun
MAX_FILES = 65_536  # open at the same time, if the system allows it
OWN_FILES = 256  # of them, for databases, uploads and logs; the rest is for connections
FULL_LOG_S = 60  # between two warnings that there are too many connections
KEEP_ALIVE_S = 65  # longer than the idle timeout of common proxies, which would else reuse a closed connection
HEADER_BYTES = 64 << 10
HEADERS_S = 30  # for the headers of a request, from its first byte or the begin of the connection; at most twice that


def run_server(
    settings: Settings, options: ServeOptions, *, pages: Pages | None = None, ready: Callable[[str], None]
) -> int:
    """Serve until a signal. `ready` is called with the address when it listens; `pages` makes those of a dashboard."""
    if options.processes > 1 and not dsn.is_server(settings.db):
        raise InvalidInput(
            f"invalid --workers {options.processes}: a SQLite file has one writer at a time, so more processes "
            "answer no faster: use 1, or a postgresql:// database"
        )
    processes.allow_files(MAX_FILES)  # 1,024 by default, which one client can use up
    processes.share_freed_memory()
    listening = _listen(options)
    worker = WorkerProcess(settings, log_format=options.log_format) if options.worker else None
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, _exit)
    shown = f"[{options.host}]" if ":" in options.host else options.host
    ready(f"http://{shown}:{listening.getsockname()[1]}")
    if worker:
        worker.start()
    try:
        config = _config(settings, options, pages)
        with common_folder(options.processes):
            if options.processes == 1:
                uvicorn.Server(config).run(sockets=[listening])
            else:
                Processes(config, sockets=[listening]).run()
    except SystemExit:
        pass  # A signal: what has begun is finished.
    finally:
        # uvicorn raises the signal again when it has stopped; the worker must still be stopped.
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, signal.SIG_IGN)
        listening.close()
        if worker:
            worker.stop()
    log.info("stopped")
    for handler in logging.getLogger("jotsam").handlers:
        handler.flush()
    return 0


def most_connections() -> int:
    """How many connections this process may have. Without a file for one more, asyncio logs thousands of tracebacks."""
    files = processes.most_files(MAX_FILES)
    return max(files - OWN_FILES, files // 2)


def _listen(options: ServeOptions) -> socket.socket:
    """A listening socket. Raises `InvalidInput`."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            options.host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, protocol)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen(BACKLOG)
    except (socket.gaierror, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "no name of a host"
        message = f"cannot listen on {options.host[:100]!r}: {reason}: choose an address of this machine with --host"
        raise InvalidInput(message) from None
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        raise InvalidInput(f"cannot listen on {options.host}:{options.port}: {reason}: choose another --port") from None
    return made


def _config(settings: Settings, options: ServeOptions, pages: Pages | None) -> uvicorn.Config:
    return uvicorn.Config(
        partial(process_app, settings, options, pages),
        factory=True,
        http=HeaderTimeout,
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=GRACE_S,
        h11_max_incomplete_event_size=HEADER_BYTES,
        workers=options.processes,
    )


def process_app(settings: Settings, options: ServeOptions, pages: Pages | None = None) -> Starlette:
    """The application of this process."""
    if options.processes > 1:
        # This is another process than that of the command.
        log_to_stderr(logging.INFO, log_format=options.log_format, never_waits=True)
    server = Server(settings, options)
    return create_app(server, pages=pages(server) if pages else ())


def _exit(number: int, frame: FrameType | None) -> None:
    """End this process, before uvicorn takes the signals over and after it has stopped."""
    raise SystemExit(0)


class Processes(Multiprocess):
    """Processes that answer requests. One that ends is replaced, and the log has it."""

    def keep_subprocess_alive(self) -> None:
        # uvicorn would also kill one that does not answer within 5 s, as while it starts on a busy machine.
        for index, old in enumerate(self.processes):
            if self.should_exit.is_set() or old.process.is_alive():
                continue
            old.join()
            if old.exitcode == STARTUP_FAILURE:
                log.error("server process %s could not start: stopping", old.pid)
                self.should_exit.set()
                return
            new = Process(self.config, self.sockets)
            new.start()
            self.processes[index] = new
            log.warning("server process %s ended with code %s; started %s", old.pid, old.exitcode, new.pid)


class HeaderTimeout(H11Protocol):
    """HTTP/1.1 that closes a connection whose headers do not arrive, which uvicorn would keep for ever, or that is one
    too many.
    """

    full_logged_at: float = -FULL_LOG_S

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            transport.abort()
            if self.loop.time() - HeaderTimeout.full_logged_at > FULL_LOG_S:
                HeaderTimeout.full_logged_at = self.loop.time()
                log.warning(
                    "%d connections are open: refusing more; raise the limit of open files", len(self.connections) - 1
                )
            return
        self.loop.call_later(HEADERS_S, self._close_if_late, self._awaited())

    def _awaited(self) -> object:
        """What is the same while the headers of one request arrive; None if none have begun."""
        if self.cycle is None:
            return self
        # After an answer such as 401, the unread rest of a body is waited for too.
        has_begun = self.conn.trailing_data[0] or self.conn.their_state is SEND_BODY
        return self.cycle if self.cycle.response_complete and has_begun else None

    def _close_if_late(self, before: object) -> None:
        if self.transport.is_closing():
            return
        now = self._awaited()
        if now is not None and now is before:
            self.transport.close()
        else:
            self.loop.call_later(HEADERS_S, self._close_if_late, now)
