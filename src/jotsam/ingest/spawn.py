"""Processes: is one alive, who are we, and how to start a worker that outlives its parent.

The accept path imports this room, so it imports nothing but `os` and `sys`.
"""

from __future__ import annotations

import os
import sys

from jotsam.storage.worker_lease import Holder

LOG_LIMIT = 5_000_000

_children: set[int] = set()
"""Workers that this process has started. One that has ended is a zombie until somebody asks for it."""


def host() -> str:
    """The name of this machine, or of this container."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "localhost")


def myself(owner: str) -> Holder:
    """This process, as it signs the lease of a worker."""
    return Holder(owner=owner, pid=os.getpid(), host=host())


def is_alive(pid: int) -> bool:
    """Whether a process of this machine still runs. Where asking could hurt it (Windows), it is believed to."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return not _is_zombie(pid)


def launch(database: str, *, token: str) -> int | None:
    """Start a worker for a database, detached from this process, its terminal and its session. Returns its pid.

    The worker takes over the lease that was reserved under `token`. It writes to `<database>.log`. None: the system
    has no room for another process, and the reservation will simply run out.
    """
    # -P: without it Python looks for modules in the folder one stands in first, and runs what a clone brings along.
    _reap()
    command = [sys.executable, "-P", "-m", "jotsam", "work", "--db", database, "--reserved", token]
    try:
        log = os.open(database + ".log", os.O_WRONLY | os.O_CREAT | _appending(database + ".log"), 0o600)
    except OSError:
        log = os.open(os.devnull, os.O_WRONLY)
    try:
        child = _detached(command, log)
    except OSError:
        return None
    else:
        _children.add(child)
        return child
    finally:
        os.close(log)


def _detached(command: list[str], log: int) -> int:
    if hasattr(os, "posix_spawn"):
        quiet = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
        files = (quiet, (os.POSIX_SPAWN_DUP2, log, 1), (os.POSIX_SPAWN_DUP2, log, 2))
        try:
            return os.posix_spawn(command[0], command, os.environ, file_actions=files, setsid=True)
        except NotImplementedError:
            pass  # This system cannot start a session while spawning; the slow way below can.
    import subprocess

    flags = 0
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, creationflags=flags
    )
    child.returncode = 0  # It is not ours to wait for, so its object must not complain when it is collected.
    return child.pid


def _reap() -> None:
    for child in list(_children) if os.name == "posix" else ():
        try:
            ended, _ = os.waitpid(child, os.WNOHANG)
        except ChildProcessError:
            ended = child  # The parent's own handler was faster, or we are a child of that parent.
        if ended:
            _children.discard(child)


def _appending(path: str) -> int:
    """A log that has grown too long is begun anew."""
    try:
        return os.O_TRUNC if os.stat(path).st_size > LOG_LIMIT else os.O_APPEND
    except OSError:
        return os.O_APPEND


def _is_zombie(pid: int) -> bool:
    """A worker that died while its parent lives on leaves a zombie, which still answers to a signal."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False
