"""Launches a detached worker process. Imports only `os` and `sys`, to start fast."""

from __future__ import annotations

import os
import sys

from jotsam.core import own_files, process_identity
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
        child = _detached(command, log)
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
        _children.add(_detached([sys.executable, "-P", "-m", "jotsam", "hook", option], silent, environ))
    except OSError:
        pass
    finally:
        os.close(silent)


def _detached(command: list[str], log: int, environ: Mapping[str, str] = os.environ) -> int:
    if hasattr(os, "posix_spawn"):
        quiet = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
        files = (quiet, (os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2))
        try:
            return os.posix_spawn(command[0], command, environ, file_actions=files, setsid=True)
        except (NotImplementedError, OSError):
            pass  # It cannot start a session, or a sandbox refuses it; subprocess forks.
    import subprocess

    flags = 0
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        start_new_session=True,
        creationflags=flags,
        env=environ,
    )
    child.returncode = 0  # The worker outlives this process, so `Popen` must not warn that it still runs.
    return child.pid


def _reap() -> None:
    for child in list(_children) if os.name == "posix" else ():
        try:
            ended, _ = os.waitpid(child, os.WNOHANG)
        except ChildProcessError:
            ended = child  # Reaped by a SIGCHLD handler, or launched before this process was forked.
        if ended:
            _children.discard(child)
