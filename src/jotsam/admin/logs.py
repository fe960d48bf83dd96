"""The log lines of the server and of the worker, as text or as JSON, on standard error.

A record may carry `fields`, a dict of what its message is about. A text line has only the message, a JSON line both.
No message or field holds a text of memory, a token or a query string.
"""

from __future__ import annotations

import atexit
import json
import logging
import sys
import threading
from collections import deque

from jotsam.core.clock import format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Literal, TextIO

    Format = Literal["text", "json"]

FORMATS = ("text", "json")
MAX_WAITING = 10_000  # lines that are not written yet
FLUSH_S = 1.0


class Dropped:
    """How many lines this process has dropped, for those who count them."""

    def __init__(self) -> None:
        self.listeners: list[Callable[[int], None]] = []

    def add(self, lines: int) -> None:
        for listener in list(self.listeners):
            listener(lines)


DROPPED = Dropped()

# uvicorn reports invalid HTTP.
LOGGERS = {"jotsam": logging.INFO, "uvicorn": logging.WARNING}

# Control characters would let a message begin a line of its own, or change the terminal.
_ESCAPED = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def log_to_stderr(level: int, *, log_format: Format = "text", never_waits: bool = False) -> None:
    """Log to standard error from now on: what is at least of this level. Called again, it replaces the format.

    With `never_waits` lines are dropped and counted while standard error is a pipe that nothing reads.
    """
    handler = UnreadHandler(sys.stderr) if never_waits else logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextLines() if log_format == "text" else JsonLines())
    for name, least in LOGGERS.items():
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(max(level, least))
    # A line for each job that is done is for collectors of logs; a file that people read would be full of them.
    logging.getLogger("jotsam.jobs").setLevel(logging.NOTSET if log_format == "json" else logging.WARNING)
    threading.excepthook = _log_thread_exception


class UnreadHandler(logging.Handler):
    """Writes lines from a thread of its own, so that a log which nothing reads stops no one who logs."""

    def __init__(self, stream: TextIO, *, most: int = MAX_WAITING) -> None:
        super().__init__()
        self._stream = stream
        self._most = most
        self._lines: deque[str] = deque()
        self._dropped = 0  # since a line was written that says so
        self._state = threading.Condition()
        self._writer: threading.Thread | None = None
        atexit.register(self.flush)

    def emit(self, record: logging.LogRecord) -> None:
        line = self.format(record)
        with self._state:
            if len(self._lines) >= self._most:
                self._dropped += 1
                DROPPED.add(1)
                return
            self._lines.append(line)
            if self._writer is None or not self._writer.is_alive():  # A fork of the process has no thread.
                self._writer = threading.Thread(target=self._write, name="jotsam-log", daemon=True)
                self._writer.start()
            self._state.notify_all()

    def flush(self) -> None:
        """Wait until everything is written, at most a second after the last line was."""
        with self._state:
            left = len(self._lines)
            while left and self._state.wait_for(lambda left=left: len(self._lines) < left, FLUSH_S):  # type: ignore[misc]
                left = len(self._lines)

    def _write(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(lambda: self._lines)
                line, dropped = self._lines[0], self._dropped
                self._dropped = 0
            if dropped:
                about = "lines of the log were dropped, because nothing read it"
                gap = logging.LogRecord("jotsam", logging.WARNING, "", 0, f"{dropped:,} {about}", None, None)
                line = f"{line}\n{self.format(gap)}"
            try:
                self._stream.write(line + "\n")
                self._stream.flush()
            except (OSError, ValueError):  # Its reader is gone.
                DROPPED.add(1)
            with self._state:
                self._lines.popleft()
                self._state.notify_all()


class TextLines(logging.Formatter):
    """Time in UTC, level and message."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        return format_time(int(record.created * 1000))

    def formatMessage(self, record: logging.LogRecord) -> str:
        return super().formatMessage(record).replace("\n", "\\n")  # A traceback, which follows it, has lines.

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).translate(_ESCAPED)


class JsonLines(logging.Formatter):
    """One JSON object: time with milliseconds, level, logger, message and the fields, with a trace if there is one."""

    def format(self, record: logging.LogRecord) -> str:
        seconds = format_time(int(record.created * 1000)).removesuffix("Z")
        line = {
            "time": f"{seconds}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in getattr(record, "fields", {}).items() if value is not None},
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _log_thread_exception(end: threading.ExceptHookArgs) -> None:
    log = logging.getLogger("jotsam")
    trace = (end.exc_type, end.exc_value, end.exc_traceback) if end.exc_value else None
    log.error("uncaught exception in a thread: %r", end.exc_value, exc_info=trace)
