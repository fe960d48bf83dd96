"""The log lines of the server and of the worker, as text or as JSON, on standard error.

A record may carry `fields`, a dict of what its message is about. A text line has only the message, a JSON line both.
No message or field holds a text of memory, a token or a query string.
"""

from __future__ import annotations

import json
import logging
import sys
import threading

from jotsam.core.clock import format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    Format = Literal["text", "json"]

FORMATS = ("text", "json")

# uvicorn reports invalid HTTP.
LOGGERS = {"jotsam": logging.INFO, "uvicorn": logging.WARNING}

# Control characters would let a message begin a line of its own, or change the terminal.
_ESCAPED = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def log_to_stderr(level: int, *, log_format: Format = "text") -> None:
    """Log to standard error from now on: what is at least of this level. Called again, it replaces the format."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TextLines() if log_format == "text" else JsonLines())
    for name, least in LOGGERS.items():
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(max(level, least))
    # A line for each job that is done is for collectors of logs; a file that people read would be full of them.
    logging.getLogger("jotsam.jobs").setLevel(logging.NOTSET if log_format == "json" else logging.WARNING)
    threading.excepthook = _log_thread_exception


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
