"""CPU time of a command with everything that it started: test processes, servers, and what outlived its parent.

    python -m tools.cpu bash scripts/check

The command runs below a process that adopts orphans (Linux only), so that a PostgreSQL server with all its processes is
counted when it ends. Prints CPU and elapsed seconds to standard error, and ends with the exit code of the command.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
SECONDS_TO_END = 60
"""How long what outlives the command gets to end. Then it is named, and not counted."""


def main() -> int:
    if len(sys.argv) < 2:
        print("usage: python -m tools.cpu COMMAND [ARGUMENT...]", file=sys.stderr)
        return 2
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        print(f"error: orphans cannot be counted here: {os.strerror(ctypes.get_errno())}", file=sys.stderr)
        return 2
    began = time.monotonic()
    try:
        started = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
    except OSError as error:
        print(f"error: {sys.argv[1]}: {error.strerror}", file=sys.stderr)
        return 127
    code = os.waitstatus_to_exitcode(wait_for(started))
    elapsed = time.monotonic() - began
    for command in reap(deadline=time.monotonic() + SECONDS_TO_END):
        print(f"warning: still running, not counted: {command}", file=sys.stderr)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    print(f"CPU {cpu:.1f} s ({used.ru_stime:.1f} s of it in the kernel), elapsed {elapsed:.1f} s", file=sys.stderr)
    return code if code >= 0 else 128 - code


def wait_for(started: int) -> int:
    """Wait for a process, and for each orphan that ends meanwhile: a test may wait until its process is gone."""
    while True:
        number, status = os.wait()
        if number == started:
            return status


def reap(*, deadline: float) -> list[str]:
    """Wait for adopted processes. Returns those that are left at the deadline."""
    while True:
        try:
            number = os.waitpid(-1, os.WNOHANG)[0]
        except ChildProcessError:
            return []
        if number == 0 and time.monotonic() > deadline:
            with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as children:
                return [command_of(one) for one in children.read().split()]
        if number == 0:
            time.sleep(0.05)


def command_of(number: str) -> str:
    try:
        with open(f"/proc/{number}/cmdline", encoding="utf-8", errors="replace") as file:
            return f"{number} {file.read().replace(chr(0), ' ').strip()}"
    except OSError:
        return number


if __name__ == "__main__":
    sys.exit(main())
