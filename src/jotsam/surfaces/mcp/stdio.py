"""The loop of `jotsam mcp`: one message a line on standard input and output.

A thread reads, and answers at once what needs no memory, so that a ping is answered while a recall runs. The main
thread carries out the other requests one after the other, in order, because a client that remembers and then recalls
expects to find it.

It ends on end of input, on SIGTERM, SIGINT and SIGHUP, and when its parent has ended, which matters where another
process keeps the input open. The request under way is finished first.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque

from jotsam.surfaces.mcp.dispatcher import client_of, is_slow
from jotsam.surfaces.mcp.messages import INTERNAL_ERROR, PARSE_ERROR, RpcError, decode, encode, failure, request_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from jotsam.surfaces.mcp.dispatcher import Dispatcher

MAX_LINE = 32_000_000  # bytes of a message
MAX_WAITING = 1_000  # requests that wait; further ones are read when these are done
READ_BYTES = 65_536
POLL_S = 2.0
SHUTDOWN_GRACE_S = 10  # for the request under way after a signal
SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")


class StdioServer:
    """Serves one client. `when_idle` is called every two seconds in which nothing is asked for."""

    def __init__(
        self, dispatcher: Dispatcher, *, input: int, output: int, when_idle: Callable[[], None] = lambda: None
    ) -> None:
        self._dispatcher, self._input, self._output, self._when_idle = dispatcher, input, output, when_idle
        self._changed = threading.Condition()
        self._writing = threading.Lock()
        self._waiting: deque[object] = deque()
        self._running: object = None
        self._client: str | None = None  # its name, stored as the source of what it remembers
        self._cancelled = False  # the request that is running
        self._stopping = False  # at once: what waits is dropped
        self._ended = False  # the input has ended: what waits is done first
        self._parent = os.getppid()

    def serve(self) -> None:
        """Answer messages until the input or the client ends, or a signal arrives."""
        for name in SIGNALS:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._on_signal)
        threading.Thread(target=self._read, daemon=True).start()
        while (message := self._next()) is not None:
            self._answer(message)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._stopping:
            os._exit(128 + number)  # The second signal: its sender does not want to wait.
        if hasattr(signal, "alarm"):
            signal.alarm(SHUTDOWN_GRACE_S)  # Ends the process if the request takes longer.
        self._stop()

    def _stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def _next(self) -> object:
        """The next request that needs the memory; None when the server must end."""
        while True:
            with self._changed:
                if not self._waiting and not self._ended and not self._stopping:
                    self._changed.wait(POLL_S)
                if self._stopping or (self._ended and not self._waiting):
                    return None
                if self._waiting:
                    self._running, self._cancelled = self._waiting.popleft(), False
                    self._changed.notify_all()
                    return self._running
            if os.getppid() != self._parent:
                return None
            self._when_idle()

    def _answer(self, message: object) -> None:
        reply = self._dispatcher.handle(message, client=self._client)
        with self._changed:
            cancelled, self._running = self._cancelled, None
        if not cancelled:
            self._write(reply)

    def _read(self) -> None:
        """Read lines until the input ends. Runs in a thread of its own."""
        line, too_long = bytearray(), False
        try:
            while chunk := os.read(self._input, READ_BYTES):
                *ends, rest = chunk.split(b"\n")
                for end in ends:
                    self._take(bytes(line + end), too_long=too_long)
                    line, too_long = bytearray(), False
                line += rest
                if len(line) > MAX_LINE:
                    line, too_long = bytearray(), True
            if line:
                self._take(bytes(line), too_long=too_long)
        except OSError:
            pass  # The input is gone.
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _take(self, line: bytes, *, too_long: bool) -> None:
        """Answer a line at once, or keep it for the main thread."""
        if not too_long and not line.strip():
            return
        try:
            if too_long or len(line) > MAX_LINE:
                raise RpcError(PARSE_ERROR, f"invalid message of more than {MAX_LINE:,} bytes")
            message = decode(line)
        except RpcError as error:
            self._write(failure(None, error))
            return
        if isinstance(message, dict) and message.get("method") == "notifications/cancelled":
            self._cancel(message)
        elif is_slow(message):
            with self._changed:
                while len(self._waiting) >= MAX_WAITING and not self._stopping:
                    self._changed.wait()
                self._waiting.append(message)
                self._changed.notify_all()
        else:
            self._client = client_of(message) or self._client
            self._write(self._dispatcher.handle(message))

    def _cancel(self, notification: dict[str, object]) -> None:
        """Drop a request that waits, or the reply to the one that is running: what it wrote stays."""
        params = notification.get("params")
        id = params.get("requestId") if isinstance(params, dict) else None
        if id is None:
            return
        with self._changed:
            self._waiting = deque(one for one in self._waiting if request_id(one) != id)
            self._cancelled = self._cancelled or request_id(self._running) == id

    def _write(self, reply: object) -> None:
        if reply is None:
            return
        line = memoryview(_encoded(reply) + b"\n")
        with self._writing:
            try:
                while line:
                    line = line[os.write(self._output, line) :]
            except OSError:
                self._stop()  # The client has closed it.


def _encoded(reply: object) -> bytes:
    """The reply, or an error in its place if it cannot be encoded."""
    try:
        return encode(reply)
    except (ValueError, TypeError, RecursionError) as error:
        id = reply.get("id") if isinstance(reply, dict) else None
        return encode(failure(id, RpcError(INTERNAL_ERROR, f"the reply cannot be encoded: {error}")))
