"""`jotsam mcp`: a server of the Model Context Protocol over standard input and output.

An agent starts one for every session and waits for it, so that nothing of the memory is imported before a tool is
called. Its settings are those of the folder it is started in.
"""

from __future__ import annotations

import os
import sys

from jotsam.surfaces.mcp.content import Content, Memory
from jotsam.surfaces.mcp.dispatcher import Dispatcher
from jotsam.surfaces.mcp.stdio import StdioServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.core.settings import Settings
    from jotsam.memory.client import Jotsam


def serve(options: Mapping[str, str]) -> int:
    """Serve until the client ends. `options` are those of the command line, as the small parser returns them."""
    output = _claim_output()
    memory = Memory(lambda: _connect(options))
    content = Content(memory, profile=options.get("--profile", "jotsam"), source=options.get("--harness"))
    server = StdioServer(
        Dispatcher(content), input=sys.stdin.fileno(), output=output, when_idle=lambda: _start_worker(options)
    )
    try:
        server.serve()
    finally:
        memory.close()
    return 0


def _claim_output() -> int:
    """A descriptor of standard output. From now on, whatever prints to it prints to standard error instead."""
    output = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output


def _settings(options: Mapping[str, str]) -> Settings:
    from jotsam.core.settings import load_settings

    given = {name: options.get(f"--{name}") for name in ("db", "tenant", "project")}
    return load_settings({**given, "worker": "off" if "--no-worker" in options else None})[0]


def _connect(options: Mapping[str, str]) -> Jotsam:
    from jotsam.memory.client import Jotsam

    return Jotsam(settings=_settings(options))


def _start_worker(options: Mapping[str, str]) -> None:
    """Start a worker if one is missing. An error is left to the next call of a tool, which reports it."""
    from jotsam.core.errors import JotsamError
    from jotsam.memory.start_waiting import start_waiting

    try:
        start_waiting(_settings(options))
    except (JotsamError, OSError):
        pass
