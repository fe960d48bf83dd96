"""One memory system in a process of its own: `python -m benchmarks.beside.side PEER FOLDER EMBEDDER OPTIONS`.

It runs with the interpreter of the system's environment, so it imports nothing that is not in the standard library.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from benchmarks.child import serve

TICK = os.sysconf("SC_CLK_TCK")
FOUND_SECONDS = 30


class Side:
    """Stores and asks, and says what that cost this process and those that it started."""

    def __init__(self, peer: str, folder: str, embedder: str, options: dict[str, Any]) -> None:
        module = import_module(f"benchmarks.beside.peers.{peer}")
        self._store = module.Store(folder, embedder=embedder, **options)
        self._pids = [os.getpid(), *getattr(self._store, "pids", ())]

    def opened(self) -> list[int]:
        """The processes that it consists of, without those that they have started."""
        return self._pids

    def store(self, texts: Sequence[dict[str, Any]]) -> dict[str, float]:
        began = self._cpu()
        self._store.store(texts)
        return {"cpu": self._cpu() - began}

    def ask(self, questions: Sequence[str], k: int) -> dict[str, Any]:
        gc.collect()
        began = self._cpu()
        found = [[*dict.fromkeys(self._store.ask(question, k))][:k] for question in questions]
        return {"cpu": self._cpu() - began, "found": found}

    def find(self, text: dict[str, Any], question: str) -> float:
        """Seconds from the moment in which a text is handed over to that in which an answer has it, or -1."""
        began = time.perf_counter()
        getattr(self._store, "accept", self._store.store)([text])
        while time.perf_counter() - began < FOUND_SECONDS:
            if text["id"] in self._store.ask(question, 10):
                return time.perf_counter() - began
        return -1.0

    def memory(self) -> int:
        """The most bytes that this process and those that it started ever had in memory, each for itself."""
        return sum(_number(f"/proc/{pid}/status", "VmHWM:") for pid in self._all()) * 1024

    def close(self) -> None:
        if hasattr(self._store, "close"):
            self._store.close()

    def _all(self) -> list[int]:
        return [*self._pids, *(started for pid in self._pids for started in _started(pid))]

    def _cpu(self) -> float:
        """Seconds of the processor of this process, of those that it started, and of those of them that have ended."""
        ended = os.times()
        others = sum(_spent(pid) for pid in self._all() if pid != os.getpid())
        return time.process_time() + ended.children_user + ended.children_system + others


def _started(pid: int) -> Iterator[int]:
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                children = [int(child) for child in file.read().split()]
        except OSError:
            continue
        for child in children:
            yield child
            yield from _started(child)


def _spent(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICK


def _number(path: str, name: str) -> int:
    with open(path) as file:
        return next((int(line.split()[1]) for line in file if line.startswith(name)), 0)


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # What a library prints must not stand between the answers.
    peer, folder, embedder, options = sys.argv[1:]
    side = Side(peer, folder, embedder, json.loads(options))
    serve({name: getattr(side, name) for name in ("opened", "store", "ask", "find", "memory", "close")}, out)


if __name__ == "__main__":
    main()
