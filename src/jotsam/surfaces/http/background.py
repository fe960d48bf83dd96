"""The worker process of a server: started, started again when it ends, and stopped with the server."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading

from jotsam.core import dsn
from jotsam.core.clock import monotonic_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jotsam.core.settings import Settings

log = logging.getLogger("jotsam.http")

FIRST_WAIT_MS, LONGEST_WAIT_MS = 1_000, 30_000
STEADY_MS = 60_000  # a worker that ran for this time is started again at once
POLL_S = 0.2


class WorkerProcess:
    """`jotsam jobs work --forever` beside a server, in a process of its own, so that it takes no time from requests."""

    def __init__(self, settings: Settings, *, log_format: str) -> None:
        # Without -P Python would import modules from the working directory.
        self._command = [sys.executable, "-P", "-m", "jotsam", "work", "--forever", "--beside-server"]
        self._command += ["--log-format", log_format]
        # Not as arguments, which other users of the machine can see: an address can have a password.
        self._environ = {**os.environ, "JOTSAM_DB": settings.db, "JOTSAM_TENANT": settings.tenant}
        self._file = None if dsn.is_server(settings.db) else settings.db
        self._grace_s = settings.shutdown_grace_ms / 1_000 + 5
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="jotsam-worker-process", daemon=True)

    def start(self) -> None:
        """Start it."""
        self._thread.start()

    def stop(self) -> None:
        """Ask it to stop, and wait until its jobs are finished or returned."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        wait_ms = FIRST_WAIT_MS
        while not self._stopping.is_set():
            if self._file and not os.path.exists(self._file):
                self._stopping.wait(FIRST_WAIT_MS / 1_000)  # A worker would create an empty one.
                continue
            began = monotonic_ms()
            try:
                child = subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=sys.stderr, env=self._environ)
            except OSError as error:
                log.warning("the system starts no process for the worker: %s; trying again in %d ms", error, wait_ms)
                self._stopping.wait(wait_ms / 1_000)
                wait_ms = min(2 * wait_ms, LONGEST_WAIT_MS)
                continue
            while child.poll() is None and not self._stopping.is_set():
                self._stopping.wait(POLL_S)
            if self._stopping.is_set():
                self._end(child)
                return
            wait_ms = FIRST_WAIT_MS if monotonic_ms() - began > STEADY_MS else min(2 * wait_ms, LONGEST_WAIT_MS)
            if child.returncode:
                log.warning("the worker ended with code %s; starting another in %d ms", child.returncode, wait_ms)
            self._stopping.wait(wait_ms / 1_000)

    def _end(self, child: subprocess.Popen[bytes]) -> None:
        child.terminate()
        try:
            child.wait(self._grace_s)
        except subprocess.TimeoutExpired:
            child.kill()  # Its jobs return to the queue.
            child.wait()
