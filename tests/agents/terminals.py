"""A terminal in which a test types, as a person would."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from processes import PATIENCE, until

_CONTROL = re.compile(
    rb"\x1b(\[[0-9;?<>=!]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[()][A-Z0-9]|.)"
)
ROWS, COLUMNS = 50, 160
AGAIN_SECONDS = 0.5


class Terminal:
    """Runs a program in a pseudo-terminal and reads what it prints."""

    def __init__(self, command: Sequence[str], *, folder: Path, env: dict[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [*command],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env=env,
            preexec_fn=_take_terminal,
        )
        os.close(theirs)
        self._printed = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._ours, 1 << 16)
            except OSError:
                return
            if not data:
                return
            self._printed += data

    @property
    def text(self) -> str:
        """All that was printed so far, without white space: a program moves the cursor instead of printing spaces."""
        return "".join(_CONTROL.sub(b"", bytes(self._printed)).decode(errors="replace").split())

    def shows(self, words: str) -> None:
        """Wait until these words were printed."""
        wanted = "".join(words.split())
        until(lambda: wanted in self.text or self.process.poll() is not None)
        assert wanted in self.text, f"the program ended before it printed {words!r}: {self.text[-2000:]}"

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def type_and_see(self, keys: str, words: str) -> None:
        """Type, and wait until these words are printed again."""
        wanted = "".join(words.split())
        printed = self.text.count(wanted)
        self.type(keys)
        until(lambda: self.text.count(wanted) > printed)

    def press_until(self, key: str, condition: Callable[[], object]) -> None:
        """Press a key again and again: a program that is not ready for it ignores it."""
        never = threading.Event()
        while not condition():
            try:
                self.type(key)
            except OSError:
                pass  # The program has ended.
            never.wait(AGAIN_SECONDS)

    def hang_up(self) -> None:
        """Close the terminal, as when its window is closed."""
        os.close(self._ours)
        self._ours = -1
        self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Kill the program and its children without notice."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(PATIENCE)

    def end(self) -> None:
        self.kill()
        if self._ours >= 0:
            self._reader.join(PATIENCE)
            os.close(self._ours)
            self._ours = -1


def _take_terminal() -> None:
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
