"""One side of a comparison in a process of its own: it is asked by lines of JSON and answers by lines of JSON.

So no side shares an interpreter, a page cache or a garbage collector with another, and a peer runs in the virtual
environment that holds it.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self, TextIO

ROOT = Path(__file__).parents[1]


def environment(**variables: str) -> dict[str, str]:
    """The environment of every measured process: bytecode is kept, and nothing of the user's own settings is read."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("JOTSAM_", "PYTHON"))}
    return kept | variables


def free_port() -> int:
    """A port of this machine that no program listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


class Child:
    """A process that serves the verbs of one of our modules."""

    def __init__(self, module: str, *arguments: str, python: str = sys.executable, **options: Any) -> None:
        """`options`: of the process, such as `stderr` and `env`."""
        command = [python, "-m", module, *arguments]
        given = {"cwd": ROOT, "env": environment(), "stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **options}
        self._process = subprocess.Popen(command, text=True, **given)

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, verb: str, **arguments: Any) -> Any:
        """Let the child do one thing, and wait for its answer. Raises `RuntimeError` with the child's own words."""
        self.begin(verb, **arguments)
        return self.answer()

    def begin(self, verb: str, **arguments: Any) -> None:
        """Let the child do one thing without waiting for it."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([verb, arguments]) + "\n")
        self._process.stdin.flush()

    def answer(self) -> Any:
        """What the child says to the thing that was begun."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended without an answer")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["value"]

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def serve(verbs: Mapping[str, Callable[..., Any]], out: TextIO | None = None) -> None:
    """Answer until nobody asks any more. `out`: where, if libraries write to standard output too."""
    for line in sys.stdin:
        verb, arguments = json.loads(line)
        try:
            answer = {"value": verbs[verb](**arguments)}
        except Exception:
            answer = {"error": traceback.format_exc()}
        print(json.dumps(answer), file=out, flush=True)
