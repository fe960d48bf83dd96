"""Runs a command at a terminal of a given width, and returns what it shows."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from processes import PATIENCE

if TYPE_CHECKING:
    from tests.surfaces.conftest import Shell


class AtTerminal:
    """A command that runs at a terminal. Its input is empty, or `stdin`."""

    def __init__(
        self, jotsam: Shell, *arguments: str | Path, columns: int = 80, stdin: int = subprocess.DEVNULL, **env: str
    ) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            jotsam.command(*arguments),
            env=jotsam.env | env,
            cwd=jotsam.home,
            stdin=stdin,
            stdout=theirs,
            stderr=theirs,
            # A shell starts commands in the background with SIGINT ignored, and so the tests perhaps.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        jotsam.started.append(self.process)  # type: ignore[arg-type]  # It is killed if the test fails.
        os.close(theirs)
        self._read = b""
        self._reader = threading.Thread(target=self._collect, daemon=True)
        self._reader.start()

    @property
    def text(self) -> str:
        """What it has written so far, with line feeds only."""
        return self._read.decode(errors="replace").replace("\r\n", "\n")

    def end(self) -> str:
        """Wait until it has ended. Returns all that it has written."""
        self._reader.join(PATIENCE)
        os.close(self._ours)
        self.process.wait(timeout=PATIENCE)
        return self.text

    def _collect(self) -> None:
        while part := _part(self._ours):
            self._read += part


def shown(jotsam: Shell, *arguments: str | Path, columns: int = 80, **env: str) -> str:
    """What a command writes to a terminal, with line feeds only. Its input is empty."""
    return AtTerminal(jotsam, *arguments, columns=columns, **env).end()


def _part(number: int) -> bytes:
    try:
        return os.read(number, 65_536)
    except OSError:  # Linux reports the end of a terminal as an error.
        return b""
