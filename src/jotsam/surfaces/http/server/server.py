"""What the requests of one server process share: the open memory, the options, and what stops it."""

from __future__ import annotations

import logging
import signal
import threading
from functools import partial
from os.path import exists

from jotsam.core import dsn
from jotsam.core.errors import DatabaseClosed, DatabaseReplaced, DatabaseUnavailable, JotsamError
from jotsam.memory.api.client import Jotsam
from jotsam.memory.events.event_hub import EventHub
from jotsam.surfaces.http.server.database_checks import DatabaseChecks
from jotsam.surfaces.http.server.hosts import allowed_hosts
from jotsam.surfaces.http.server.limits import RateLimit, ThreadLimits
from jotsam.surfaces.http.server.server_metrics import ServerMetrics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, TypeVar

    from jotsam.core.settings import Settings
    from jotsam.surfaces.http.server.options import ServeOptions

    T = TypeVar("T")

log = logging.getLogger("jotsam.http")

START_S = 1.0  # that the start waits for the database


class Server:
    """One process that answers requests. Safe to use from many threads."""

    def __init__(self, settings: Settings, options: ServeOptions) -> None:
        # The worker process of the server does the work, so that no request starts another one.
        self.settings = settings.replace(worker="off")
        self.options = options
        self.stopping = threading.Event()  # set when the process is asked to stop: streams end then
        self.hosts = allowed_hosts(options.host, options.allow_hosts)
        self.origins = frozenset(options.allow_origins)
        self.metrics = ServerMetrics()
        self.threads = ThreadLimits(settings.db)
        self.checks = DatabaseChecks(self.use, tenant=settings.tenant, stopping=self.stopping)
        self.rate_limit = RateLimit()
        self.events = EventHub(lambda call: self.use(lambda jot: call(jot.database)), stopping=self.stopping)
        self._jot: Jotsam | None = None
        self._has_opened = False
        self._lock = threading.Lock()

    def use(self, call: Callable[[Jotsam], T]) -> T:
        """Call with the open memory. A database that was replaced, as by a restore, is opened again, once."""
        jot = self.open()
        try:
            return call(jot)
        except (DatabaseReplaced, DatabaseClosed):
            self._reopen(jot)
            return call(self.open())

    def open(self) -> Jotsam:
        """The memory, opened by the first call. Raises `DatabaseUnavailable`, `DatabaseUnusable`."""
        with self._lock:
            if self._jot is None:
                self._check_file()
                self._jot = Jotsam(settings=self.settings)
                self._has_opened = True
            return self._jot

    def start(self) -> None:
        """Open the memory and record events, or go on without it: `/healthz` answers while the database hangs."""
        starting = threading.Thread(target=self._start, name="jotsam-start", daemon=True)
        starting.start()
        starting.join(START_S)

    def _start(self) -> None:
        try:
            self.open()
        except JotsamError as error:
            log.warning("the database cannot be opened yet: %s", error)  # Each request tries again.
        if not self.stopping.is_set():
            self.events.start()

    def stop_on_signals(self) -> None:
        """Note a signal that stops the process before the framework handles it. For its main thread."""
        if threading.current_thread() is not threading.main_thread():
            return
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, partial(self._stop, signal.getsignal(name)))

    def _stop(self, then: Any, number: int, frame: FrameType | None) -> None:
        self.stopping.set()
        if callable(then):
            then(number, frame)

    def close(self) -> None:
        """Close the memory."""
        self.metrics.close()
        self.events.close()
        with self._lock:
            jot, self._jot = self._jot, None
        if jot is not None:
            jot.close()

    def _check_file(self) -> None:
        """Raise if the file was deleted since it was open: an empty one in its place would hide that."""
        path = self.settings.db
        if self._has_opened and not dsn.is_server(path) and not exists(path):
            raise DatabaseUnavailable(f"{path} was deleted: restore it, or start the server again with an empty one")

    def _reopen(self, broken: Jotsam) -> None:
        with self._lock:
            if self._jot is not broken:
                return  # Another thread has done it.
            self._jot = None
        broken.close()
