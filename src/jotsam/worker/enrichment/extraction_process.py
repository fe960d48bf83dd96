"""A second process that extracts by rules, so that a worker with much to do uses a second core.

Threads of the worker write texts to a pipe and read from another what was found. The process holds no database, no
lease and no key, and it ends when its pipe is closed: also when the worker was killed. If it cannot be started or ends,
the worker extracts by itself, with the same result.
"""

from __future__ import annotations

import logging
import marshal
import os
import signal
import struct
import subprocess
import sys
import threading

from jotsam.core.platform import pipes, processes
from jotsam.core.records import Entity, Fact, Record
from jotsam.pipeline.dates.periods import Period
from jotsam.pipeline.extraction.extract import Extraction, extract
from jotsam.worker.enrichment.ner import ConfiguredTagger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

log = logging.getLogger("jotsam.worker")

BEGIN_AFTER = 40  # extractions since the worker was idle; fewer take less time than starting a process
MAX_WAITING = 3  # texts in the process or on the way to it; more would wait while the worker could extract them
START_SECONDS = 30
END_SECONDS = 5
PARENT_CHECK_SECONDS = 5
_LENGTH = struct.Struct("<I")
_RECORDS = {kind.__name__: kind for kind in (Extraction, Entity, Fact, Period)}


class ExtractionProcess:
    """Extracts in a process of its own from the text `after` on, if there are several `cores`. Thread-safe.

    While the process has enough to do, the thread that asks extracts by itself: so both cores are used.
    """

    def __init__(self, *, after: int = BEGIN_AFTER, cores: int | None = None) -> None:
        self._after = after
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._count = 0
        self._is_starting = False
        self._is_possible = processes.CAN_TALK_TO_CHILD and (processes.cores() if cores is None else cores) > 1
        self._tagger = ConfiguredTagger()

    @property
    def pid(self) -> int | None:
        return self._child.process.pid if self._child else None

    def extract(self, text: str, *, said_at: int, actor: str | None = None) -> Extraction:
        """What the rules and the bundled tagger find."""
        given = {"text": text, "said_at": said_at, "actor": actor}
        return self._ask(given) or extract(**given, tagger=self._tagger)  # type: ignore[arg-type]

    def rest(self) -> None:
        """End the process. It is started again when there is much to do."""
        with self._lock:
            self._count = 0
            child, self._child = self._child, None
        if child is not None:
            child.close()

    close = rest

    def _ask(self, given: Mapping[str, Any]) -> Extraction | None:
        """What the process found. None if there is none, or it has enough to do, or ended, or the extraction failed."""
        with self._lock:
            self._count += 1
            if not self._is_possible or self._count <= self._after:
                return None
            child = self._child
            begins = child is None and not self._is_starting
            self._is_starting = self._is_starting or begins
        if begins:
            child = self._start()
        if child is None:
            return None
        try:
            return child.ask(given)
        except (OSError, EOFError) as error:
            with self._lock:
                if self._child is not child:
                    return None  # It was closed, or another thread has noticed.
                self._give_up(error)
            child.close()
            return None

    def _start(self) -> _Child | None:
        """Start the process. Meanwhile the other threads extract by themselves."""
        child, failure = None, None
        try:
            child = _Child(_start())
        except (OSError, EOFError, subprocess.SubprocessError) as error:
            failure = error
        with self._lock:
            self._is_starting = False
            if failure is not None:
                self._give_up(failure)
            elif self._count:
                self._child = child
                return child
        if child is not None:
            child.close()  # `rest` was called in the meantime.
        return None

    def _give_up(self, error: Exception) -> None:
        log.warning("the process that extracts has ended, and the worker extracts by itself: %r", error)
        self._child, self._is_possible = None, False


class _Child:
    """A running process. It answers in the order in which it was asked, and has the next text while one is saved."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._texts, self._answers = process.stdin.fileno(), process.stdout.fileno()
        self._writing = threading.Lock()
        self._state = threading.Condition()
        self._asked = self._answered = self._users = 0  # _users: threads that use the pipes
        self._is_closed = False

    def ask(self, given: Mapping[str, Any]) -> Extraction | None:
        """What it found. None if it has enough to do, or the extraction failed. Raises `OSError` or `EOFError`."""
        with self._state:
            if self._is_closed or self._users >= MAX_WAITING:
                return None
            self._users += 1
        try:
            return self._exchange(given)
        except BaseException:
            self._kill()  # What was written or read in part cannot be continued.
            raise
        finally:
            with self._state:
                self._users -= 1
                self._state.notify_all()

    def _exchange(self, given: Mapping[str, Any]) -> Extraction | None:
        with self._writing:
            place, self._asked = self._asked, self._asked + 1
            _write(self._texts, given)
        with self._state:
            self._state.wait_for(lambda: self._answered == place or self._is_closed)
            if self._is_closed and self._answered != place:
                raise EOFError("the process was ended")
        found: Extraction | None = _read(self._answers)
        with self._state:
            self._answered += 1
            self._state.notify_all()
        return found

    def close(self) -> None:
        """End the process. Threads that wait for it then extract by themselves."""
        with self._state:
            is_idle, self._is_closed = not self._users, True
        if not is_idle:
            self._kill()
            with self._state:  # A closed pipe's number may become that of another file, which no thread must use.
                self._state.wait_for(lambda: not self._users, END_SECONDS)
        _end(self.process)

    def _kill(self) -> None:
        self.process.kill()
        with self._state:
            self._is_closed = True
            self._state.notify_all()


def _start() -> subprocess.Popen[bytes]:
    """Start the process, and wait until it reads. Without -P it would import modules from the working directory."""
    command = [sys.executable, "-P", "-m", "jotsam.worker.enrichment.extraction_process"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    assert process.stdout is not None
    try:
        if not pipes.wait(process.stdout.fileno(), START_SECONDS * 1_000):
            raise EOFError(f"it did not begin within {START_SECONDS} s")
        _read(process.stdout.fileno())
    except BaseException:
        process.kill()
        _end(process)
        raise
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe:
            pipe.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _write(file: int, value: object) -> None:
    data = marshal.dumps(_plain(value))
    left = memoryview(_LENGTH.pack(len(data)) + data)
    while left:
        left = left[os.write(file, left) :]


def _read(file: int) -> Any:
    """The next value of a pipe between the two processes. Raises `EOFError` if the other end is closed."""
    (length,) = _LENGTH.unpack(_bytes(file, _LENGTH.size))
    return _value(marshal.loads(_bytes(file, length)))


def _plain(value: Any) -> Any:
    """A record as its name and its fields, because `marshal` knows only plain values."""
    if isinstance(value, Record):
        return type(value).__name__, {field: _plain(getattr(value, field)) for field in value._fields}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def _value(plain: Any) -> Any:
    """The opposite of `_plain`."""
    if isinstance(plain, tuple):
        name, fields = plain
        return _RECORDS[name](**{field: _value(value) for field, value in fields.items()})
    return tuple(_value(one) for one in plain) if isinstance(plain, list) else plain


def _bytes(file: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(file, count)
        if not part:
            raise EOFError("the pipe is closed")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def main() -> None:
    """Extract from texts of standard input until it is closed, or until the process that started this one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the worker, which ends this process when it is done.
    parent = os.getppid()
    answers = os.dup(1)
    os.dup2(2, 1)  # What is printed by mistake must not get between the answers.
    tagger = ConfiguredTagger()
    try:
        _write(answers, "ready")
        while True:
            if not pipes.wait(0, PARENT_CHECK_SECONDS * 1_000):
                if os.getppid() != parent:
                    return  # Another process holds the pipe open.
                continue
            given = _read(0)
            try:
                found = extract(**given, tagger=tagger)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
                found = None  # The worker meets the same error, and reports it.
            _write(answers, found)
    except (EOFError, BrokenPipeError):
        return


if __name__ == "__main__":
    main()
