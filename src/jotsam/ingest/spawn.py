"""Launches a detached worker process. Imports only `os` and `sys`, to start fast."""

from __future__ import annotations

import os
import sys

from jotsam.core import own_files
from jotsam.core.platform import process_identity, processes
from jotsam.storage.sqlite.worker_lease import Holder

MAX_LOG_BYTES = 5_000_000

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

refused = ""  # why the last worker of this process could not be started
_children: set[int] = set()  # workers launched by this process; one that has ended is a zombie until it is reaped


def this_process(owner: str) -> Holder:
    """This process as the holder of the worker lease."""
    return Holder(owner=owner, pid=os.getpid(), host=process_identity.host())


def launch(database: str, *, token: str) -> int | None:
    """Start a worker for a database file, detached from this process and its terminal. Returns its pid.

    The worker takes over the lease reserved under `token` and logs to `<database>.log`. None if the system cannot start
    another process; the reservation then expires.
    """
    # Without -P Python would import modules from the working directory, which may be a clone of untrusted code.
    _reap()
    command = [sys.executable, "-P", "-m", "jotsam", "work", "--db", database, "--reserved", token]
    try:
        log = own_files.open_log(database + ".log", max_bytes=MAX_LOG_BYTES, beside=database)
    except OSError:  # `jotsam doctor` says why.
        log = os.open(os.devnull, os.O_WRONLY)
    global refused
    try:
        child = processes.start_detached(command, log)
    except OSError as error:
        refused = f"the system starts no process for a worker: {error}"
        _write_error(log, f"{refused}; start one with `jotsam jobs work`")
        return None
    else:
        refused = ""
        _children.add(child)
        return child
    finally:
        os.close(log)


def _write_error(log: int, message: str) -> None:
    """Write a line as workers do: `jotsam doctor` shows the last one."""
    from jotsam.core.clock import format_time, system_clock

    os.write(log, f"{format_time(system_clock())} ERROR {message}\n".encode())


def launch_hook(option: str, *, environ: Mapping[str, str]) -> None:
    """Start `jotsam hook` with an option, detached and silent. Nothing happens if the system cannot start a process."""
    silent = os.open(os.devnull, os.O_WRONLY)
    try:
        _children.add(processes.start_detached([sys.executable, "-P", "-m", "jotsam", "hook", option], silent, environ))
    except OSError:
        pass
    finally:
        os.close(silent)


def _reap() -> None:
    for child in list(_children):
        if processes.has_been_reaped(child):
            _children.discard(child)
