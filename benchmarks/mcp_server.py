"""A server of the Model Context Protocol: the time from its start to its answer to `initialize`, and its memory then.

An agent starts one for each session and waits for it. The other sides are an interpreter that does nothing, and the
smallest server of the official SDK, with one tool, where `--peers` has it. The memory is the resident set.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter_ns

from benchmarks.child import environment
from benchmarks.plan import Plan, main
from benchmarks.processes import JOTSAM
from benchmarks.report import Bound, Report, Table, duration, number
from benchmarks.timing import middle, ratio, take_turns

LIMIT, LIMIT_MIB = 3, 25
NOTHING, OURS, SDK = "python -c pass", "jotsam mcp", "the SDK's server"
VERSION = "2025-11-25"
CLIENT = {"name": "benchmark", "version": "1"}
INITIALIZE = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": CLIENT}
REQUEST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}) + "\n"
SDK_SERVER = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("peer")
@server.tool()
def remember(text: str) -> str:
    return text
server.run()
"""

Answer = tuple[int, int]  # nanoseconds and bytes


def measure(plan: Plan) -> Report:
    rounds = take_turns(_sides(plan), plan.of(full=41, quick=3), lambda side: side())
    times = {name: [time for time, _ in answers] for name, answers in rounds.items()}
    sizes = {name: [size / 2**20 for _, size in answers] for name, answers in rounds.items()}
    rows = [
        (name, duration(middle(times[name])), number(ratio(times[name], times[NOTHING])), _mib(sizes[name]))
        for name in times
    ]
    started = ratio(times[OURS], times[NOTHING])
    bounds = [
        Bound(promise="`initialize` of `jotsam mcp`, against bare Python", measured=started, limit=LIMIT),
        Bound(promise="memory of `jotsam mcp` then", measured=middle(sizes[OURS]), limit=LIMIT_MIB, unit="MiB"),
    ]
    table = Table(caption="Until the answer.", columns=("server", "median", "against bare", "memory"), rows=rows)
    return Report(tables=[table], bounds=bounds, conditions=(f"{len(times[OURS])} starts of each",))


def _mib(sizes: list[float]) -> str:
    return f"{middle(sizes):.0f} MiB" if any(sizes) else ""


def _sides(plan: Plan) -> dict[str, Callable[[], Answer]]:
    folder = {"JOTSAM_DB": str(plan.folder / "jotsam.db"), "XDG_CONFIG_HOME": str(plan.folder)}
    sides: dict[str, Callable[[], Answer]] = {
        NOTHING: _nothing,
        OURS: lambda: _initialize([JOTSAM, "mcp", "--no-worker"], **folder),
    }
    if plan.peer_python:
        peer = [plan.peer_python, "-c", SDK_SERVER]
        sides[SDK] = lambda: _initialize(peer)
    return sides


def _nothing() -> Answer:
    began = perf_counter_ns()
    subprocess.run([sys.executable, "-c", "pass"], check=True, env=environment())
    return perf_counter_ns() - began, 0


def _initialize(command: Sequence[str], **variables: str) -> Answer:
    """How long the answer took, and how much memory the server then had."""
    began = perf_counter_ns()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment(**variables), **pipes) as server:
        assert server.stdin
        assert server.stdout
        server.stdin.write(REQUEST.encode())
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        took = perf_counter_ns() - began
        assert answer["result"]["protocolVersion"] == VERSION
        size = _resident(server.pid)
        server.stdin.close()
    return took, size


def _resident(pid: int) -> int:
    """Bytes of a process in memory; 0 where /proc is missing."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


if __name__ == "__main__":
    main(measure, __doc__)
