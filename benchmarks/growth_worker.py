"""Child process that does one thing with a file and tells the processor time of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time_ns

import jotsam
from benchmarks.child import serve
from jotsam.admin.doctor import examine
from jotsam.admin.maintain import maintain
from jotsam.core.names import STEPS
from jotsam.core.settings import load_settings

PAGE = "a page of a list"


def run(name: str, path: str) -> int:
    """`name`: a step of the lifecycle, or one of the names below. Nanoseconds. Raises `RuntimeError` if it failed."""
    settings, _ = load_settings({"db": path, "worker": "off"})
    with jotsam.Jotsam(settings=settings) as jot:
        operations: dict[str, Callable[[], object]] = {
            PAGE: jot.list,
            "export": lambda: jot.export(Path(f"{path}.jsonl")),
            "doctor": lambda: list(examine(settings)),
            "maintain": lambda: list(maintain(settings, vacuum=False)),
        }
        if name in STEPS:
            operations[name] = lambda: _run_step(jot, name)
        jot.list()  # What the first call of a process imports is not counted.
        began = process_time_ns()
        operations[name]()
        return process_time_ns() - began


def _run_step(jot: jotsam.Jotsam, step: str) -> None:
    asked = jot.lifecycle.run(step)
    jot.work()
    ended = jot.lifecycle.wait(asked.id, timeout_ms=0)
    if ended.state != "done":
        raise RuntimeError(f"{step}: {ended}")


if __name__ == "__main__":
    serve({"run": run})
