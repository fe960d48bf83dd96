"""Starts processes that outlive this one, ends others, and what a process may use."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import subprocess
    from collections.abc import Mapping

M_ARENA_MAX = -8  # of malloc.h
CAN_TALK_TO_CHILD = os.name == "posix"  # by pipes that `poll` watches


def start_detached(command: list[str], output: int, environ: Mapping[str, str] = os.environ) -> int:
    """Start a process without a terminal, which outlives this one, and prints into an open file. Returns its id.

    Raises `OSError`.
    """
    if sys.platform != "win32":
        try:
            quiet = (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)
            files = (quiet, (os.POSIX_SPAWN_DUP2, output, 1), (os.POSIX_SPAWN_DUP2, output, 2))
            return os.posix_spawn(command[0], command, environ, file_actions=files, setsid=True)
        except (AttributeError, NotImplementedError, OSError):
            pass  # There is none, it cannot start a session, or a sandbox refuses it; subprocess forks.
    import subprocess

    flags = 0
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    child = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
        creationflags=flags,
        env=environ,
    )
    child.returncode = 0  # The child outlives this process, so `Popen` must not warn that it still runs.
    return child.pid


def own_scripts(name: str) -> tuple[str, ...]:
    """Where the running interpreter may have the script of a package: beside itself in a virtual environment."""
    beside = os.path.dirname(os.path.abspath(sys.executable))
    if sys.platform == "win32":
        return (os.path.join(beside, f"{name}.exe"), os.path.join(beside, "Scripts", f"{name}.exe"))
    return (os.path.join(beside, name),)


def has_been_reaped(child: int) -> bool:
    """Reap a child if it has ended. True also if another part of this process has done that. Never on Windows."""
    if sys.platform == "win32":
        return False
    try:
        ended, _ = os.waitpid(child, os.WNOHANG)
    except ChildProcessError:
        return True  # Reaped by a SIGCHLD handler, or started before this process was forked.
    return ended != 0


def kill_with_children(process: subprocess.Popen[bytes]) -> None:
    """Kill a process that has a session of its own, and what it started; on Windows the process alone."""
    try:
        if sys.platform == "win32":
            process.kill()
        else:
            import signal

            os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass  # It has ended.


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_freed_memory() -> None:
    """Let all threads take from two arenas. The GNU C library makes up to eight a core, each with freed memory."""
    if sys.platform == "linux":
        import ctypes

        try:
            ctypes.CDLL(None).mallopt(M_ARENA_MAX, 2)
        except (AttributeError, OSError):
            pass  # Another C library.


def most_files(default: int) -> int:
    """How many files this process may have open; `default` without a limit."""
    if sys.platform == "win32":
        return default
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return default if soft == resource.RLIM_INFINITY else soft


def allow_files(count: int) -> None:
    """Raise the limit of open files of this process and its children to `count`, or as far as it may be raised."""
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
