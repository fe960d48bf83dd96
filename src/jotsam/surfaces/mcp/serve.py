"""`jotsam mcp`: a server of the Model Context Protocol over standard input and output.

An agent starts one for every session and waits for it, so that nothing of the memory is imported before a tool is
called. Its settings are those of the folder it is started in.
"""

from __future__ import annotations

import os
import sys

from jotsam.core.clock import monotonic_ms
from jotsam.surfaces.mcp.content import Content, Memory
from jotsam.surfaces.mcp.dispatcher import Dispatcher
from jotsam.surfaces.mcp.stdio import StdioServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.core.settings import Settings
    from jotsam.memory.api.client import Jotsam

INPUT, OUTPUT, ERRORS = range(3)  # descriptors
START_EVERY_MS = 600_000


def serve(options: Mapping[str, str]) -> int:
    """Serve until the client ends. `options` are those of the command line, as the small parser returns them."""
    if os.isatty(INPUT):
        print("serving MCP on standard input: agents start this command, see docs/mcp.md", file=sys.stderr)
    output = _claim_output()
    memory = Memory(lambda: _connect(options))
    content = Content(memory, profile=options.get("--profile", "jotsam"), source=options.get("--harness"))
    idle = Idle(memory, options)
    server = StdioServer(Dispatcher(content), input=INPUT, output=output, when_idle=idle)
    try:
        server.serve()
    finally:
        memory.close()
    return 0


def _claim_output() -> int:
    """A descriptor of standard output. From now on, what is printed to it goes to standard error instead."""
    output = os.dup(OUTPUT)
    os.dup2(ERRORS if sys.stderr else os.open(os.devnull, os.O_WRONLY), OUTPUT)
    return output


def _settings(options: Mapping[str, str]) -> Settings:
    from jotsam.core.settings import load_settings

    given = {name: options.get(f"--{name}") for name in ("db", "tenant", "project")}
    return load_settings({**given, "worker": "off" if "--no-worker" in options else None})[0]


def _connect(options: Mapping[str, str]) -> Jotsam:
    from jotsam.memory.api.client import Jotsam

    return Jotsam(settings=_settings(options))


class Idle:
    """What a server does while nothing is asked for."""

    def __init__(self, memory: Memory, options: Mapping[str, str]) -> None:
        self._memory, self._options = memory, options
        self._start_at = 0

    def __call__(self) -> None:
        """Close the memory if it is not used, and start a worker where work waits, at first and every ten minutes."""
        self._memory.close_unused()
        if (now := monotonic_ms()) >= self._start_at:
            self._start_at = now + START_EVERY_MS
            self._start_worker()

    def _start_worker(self) -> None:
        """An error is left to the next call of a tool, which reports it."""
        from jotsam.core.errors import JotsamError
        from jotsam.memory.jobs.start_waiting import start_waiting

        try:
            start_waiting(_settings(self._options))
        except (JotsamError, OSError):
            pass
