"""Identity of a process, as it is recorded in a database, and whether a recorded process has certainly ended.

Imports only `os` and `sys`, to start fast. A process id alone proves nothing: another machine or container uses the
same numbers, and the system gives the number of a process that has ended to a new one.
"""

from __future__ import annotations

import os
import sys

from jotsam.core.records import Record

QUERY_LIMITED_INFORMATION, ACCESS_DENIED, STILL_ACTIVE = 0x1000, 5, 259  # of Windows

UNKNOWN = ""  # a machine that no other process can compare itself with


class ProcessIdentity(Record):
    """A process of one machine, container and boot. `started` is empty where the system does not give it."""

    machine: str  # host name, boot and namespaces; processes with the same value see each other's process ids
    host: str
    pid: int
    started: str  # start time as the kernel counts it


def host() -> str:
    """The host name of this machine or container."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "localhost")


def this_process(*, is_local: bool) -> ProcessIdentity:
    """This process. With `is_local` all processes that will compare themselves with it run on one machine."""
    pid = os.getpid()
    return ProcessIdentity(machine=machine(is_local=is_local), host=host(), pid=pid, started=_stat(pid)[1])


def machine(*, is_local: bool) -> str:
    """Identifies this machine, its boot and the namespaces of this process. `UNKNOWN` if they cannot be identified.

    Without /proc only the host name is left, which several machines can share, so it is used with `is_local` only.
    """
    try:
        if os.readlink("/proc/self") != str(os.getpid()):
            return UNKNOWN  # /proc shows another pid namespace.
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
        # In another time namespace the kernel gives another start time for the same process.
        namespaces = [_namespace(kind) for kind in ("pid", "time")]
    except OSError:
        return host() if is_local and sys.platform != "win32" and not os.path.exists("/proc/self") else UNKNOWN
    return " ".join((host(), boot, *namespaces))


def has_ended(process: ProcessIdentity, *, machine: str) -> bool:
    """Whether the process has certainly ended. False if it may run, or runs where `machine` cannot see it."""
    if machine == UNKNOWN or process.machine != machine:
        return False
    if not is_alive(process.pid):
        return True
    started = _stat(process.pid)[1]
    return bool(started and process.started and started != process.started)


def is_alive(pid: int) -> bool:
    """Whether a process of this machine runs."""
    if sys.platform == "win32":
        import ctypes

        kernel, code = ctypes.windll.kernel32, ctypes.c_ulong()
        handle = kernel.OpenProcess(QUERY_LIMITED_INFORMATION, False, pid)
        if not handle:
            return bool(kernel.GetLastError() == ACCESS_DENIED)  # It runs for another user.
        try:
            return bool(kernel.GetExitCodeProcess(handle, ctypes.byref(code))) and code.value == STILL_ACTIVE
        finally:
            kernel.CloseHandle(handle)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _stat(pid)[0] != "Z"  # A zombie has ended and still accepts signals.


def _namespace(kind: str) -> str:
    try:
        return os.readlink(f"/proc/self/ns/{kind}")
    except FileNotFoundError:
        return ""  # This kernel has no such namespaces.


def _stat(pid: int) -> tuple[str, str]:
    """The state and the start time of a process; empty where the system does not give it."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()  # The name before it can contain spaces.
        return fields[0], fields[19]
    except (OSError, IndexError):
        return "", ""
