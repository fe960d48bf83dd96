"""Runs a command at a terminal of a given width, and returns what it shows."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from pathlib import Path
from typing import TYPE_CHECKING

from processes import PATIENCE

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


def shown(jotsam: Shell, *arguments: str | Path, columns: int = 80, **env: str) -> str:
    """What a command writes to a terminal, with line feeds only. Its input is empty."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(
        jotsam.command(*arguments),
        env=jotsam.env | env,
        cwd=jotsam.home,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    read = b""
    while part := _part(ours):
        read += part
    os.close(ours)
    process.wait(timeout=PATIENCE)
    return read.decode().replace("\r\n", "\n")


def _part(number: int) -> bytes:
    try:
        return os.read(number, 65_536)
    except OSError:  # Linux reports the end of a terminal as an error.
        return b""
