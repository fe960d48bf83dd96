"""Runs commands in forks of a process that has imported the program: importing it takes most of the time of a command.

Each command is a process with its own arguments, environment, folder and standard streams.
`commands` is the server of this test process; run as a program, this file is that server, which ends with its standard
input.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

PIPE_BYTES = 65_536
"""What fits into a pipe before anything reads it."""

PROGRAM = """#!{python} -IS
import json, os, signal, socket, sys
connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
connection.connect({address!r})
request = json.dumps({{"arguments": sys.argv[1:], "env": dict(os.environ), "cwd": os.getcwd()}}).encode()
socket.send_fds(connection, [len(request).to_bytes(4, "big")], [0, 1, 2])
connection.sendall(request)
said = connection.makefile()
pid = int(said.readline())
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _: os.kill(pid, number))
sys.exit(int(said.readline()))
"""
"""For a shell: it passes its arguments, environment, folder and streams to the server."""

NOT_IMPORTED = tuple(
    f"jotsam.{name}"
    for name in (
        "integrations.",
        "models.bert",
        "models.local",
        "models.onnx",
        "models.safe",
        "models.spacy",
        "storage.recall.vector_matrix",
    )
)
"""Frameworks that are not installed, and numpy, which starts threads: a process with threads must not be forked."""


class CommandServer:
    def __init__(self) -> None:
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind("")  # Linux chooses a name.
        listener.listen()
        self._address = listener.getsockname()
        number = listener.fileno()
        command = [sys.executable, __file__, str(number)]
        # Pipes, as in the commands: Python decides at its start how to write to its streams.
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, pass_fds=(number,), stdin=pipe, stdout=pipe, stderr=pipe)
        listener.close()  # Otherwise a test would wait for a server that has failed.

    def stop(self) -> None:
        self._process.communicate()

    def write_program(self, path: Path) -> None:
        """Make a program that a shell can start as `jotsam`."""
        path.write_text(PROGRAM.format(python=sys.executable, address=self._address))
        path.chmod(0o755)

    def start(
        self, arguments: Iterable[str | Path], *, env: Mapping[str, str], cwd: str | Path, input: bytes = b""
    ) -> Command:
        """Start a command in a process group of its own."""
        assert len(input) <= PIPE_BYTES
        request = json.dumps({"arguments": [*map(str, arguments)], "env": dict(env), "cwd": str(cwd)}).encode()
        ours, theirs = zip(*(os.pipe()[:: 1 if number else -1] for number in range(3)), strict=True)
        os.write(ours[0], input)
        os.close(ours[0])
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(self._address)
        socket.send_fds(connection, [len(request).to_bytes(4, "big")], theirs)
        for number in theirs:
            os.close(number)
        connection.sendall(request)
        return Command(connection, *(open(number, encoding="utf-8", newline="") for number in ours[1:]))

    def run(
        self, arguments: Iterable[str | Path], *, env: Mapping[str, str], cwd: Path, input: bytes
    ) -> tuple[int, str, str]:
        """The exit code, and what was written to both outputs until every process had closed them."""
        with self.start(arguments, env=env, cwd=cwd, input=input) as command:
            errors: list[str] = []
            reader = threading.Thread(target=lambda: errors.append(command.stderr.read()))
            reader.start()
            output = command.stdout.read()
            reader.join()
            return command.wait(), output, errors[0]


class Command:
    """A process of the server, with the methods of `subprocess.Popen` that tests use."""

    def __init__(self, connection: socket.socket, stdout: TextIO, stderr: TextIO) -> None:
        self.stdout, self.stderr = stdout, stderr
        self._connection = connection
        self._said = connection.makefile()  # the id of the process, and its exit code when it has ended
        self.pid = int(self._said.readline())
        self.returncode: int | None = None

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdout, self.stderr, self._said, self._connection):
            stream.close()

    def poll(self) -> int | None:
        if self.returncode is None and select.select([self._connection], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self._connection], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("jotsam", timeout or 0)
            self.returncode = int(self._said.readline())
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@functools.cache
def commands() -> CommandServer:
    """The server of this process, started when it is first asked for and stopped when the process ends."""
    server = CommandServer()
    atexit.register(server.stop)
    return server


def _import_everything() -> None:
    import jotsam

    for module in pkgutil.walk_packages(jotsam.__path__, "jotsam."):
        if not module.name.endswith("__main__") and not module.name.startswith(NOT_IMPORTED):
            importlib.import_module(module.name)


def _serve(listener: socket.socket) -> None:
    """Returns in the process of a command."""
    running: dict[int, tuple[int, socket.socket]] = {}  # by the descriptor that tells when a process has ended
    stdin = sys.stdin.fileno()
    while True:
        ready = select.select([listener, stdin, *running], [], [])[0]
        if stdin in ready:
            os._exit(0)
        for number in running.keys() & set(ready):
            process, connection = running.pop(number)
            code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            os.close(number)
            with contextlib.suppress(OSError):  # The test no longer wants to know.
                connection.sendall(f"{code}\n".encode())
            connection.close()
        if listener in ready:
            connection, _ = listener.accept()
            wanted, streams = _received(connection)
            if process := os.fork():
                running[os.pidfd_open(process)] = process, connection
                connection.sendall(f"{process}\n".encode())
                for stream in streams:
                    os.close(stream)
                continue
            for open_file in (listener, connection, *(other for _, other in running.values())):
                open_file.close()
            for number in running:
                os.close(number)
            _become(wanted, streams)
            return


def _received(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """A request and the descriptors of its three streams."""
    length, streams, _, _ = socket.recv_fds(connection, 4, 3)
    request = b""
    while len(request) < int.from_bytes(length, "big"):
        request += connection.recv(PIPE_BYTES)
    return json.loads(request), streams


def _become(wanted: dict[str, Any], streams: list[int]) -> None:
    os.setsid()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    time.tzset()
    sys.argv = ["jotsam", *wanted["arguments"]]


def _end(main: Callable[[], int]) -> None:
    """Run the command and end as Python does, but for freeing what the server has imported, which takes longest."""
    code = 1
    try:
        code = main()
    except SystemExit as exit:
        code = exit.code if isinstance(exit.code, int) else int(exit.code is not None)
    except BaseException:
        traceback.print_exc()
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.path[0] = ""
    _import_everything()
    from jotsam.surfaces.cli.start import main

    assert len(os.listdir("/proc/self/task")) == 1, "a module starts threads: name it in NOT_IMPORTED"
    gc.collect()
    gc.freeze()
    _serve(socket.socket(fileno=int(sys.argv[1])))
    _end(main)
