"""All queues that are compared, each in a process of its own, and the files they work on."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Any, Self

from benchmarks.child import Child
from benchmarks.plan import Plan
from benchmarks.queue.peers import PEERS

MODULE = "benchmarks.queue.contestant"


class Contest:
    """`children` by the name of the queue: ours, the bare loop, and the peers that are there."""

    def __init__(self, plan: Plan, *, peers: bool = True) -> None:
        self._plan = plan
        self._stack = ExitStack()
        self._absent: list[str] = []
        self.versions: list[str] = []
        self.children = {name: self._stack.enter_context(Child(MODULE)) for name in ("jotsam", "bare")}
        for name in PEERS if peers else ():
            self._invite(name)

    @property
    def remarks(self) -> list[str]:
        """Who is missing, and why."""
        return [f"Not measured: {', '.join(self._absent)}, which is not installed here."] if self._absent else []

    def open(self, name: str, place: str, *, durable: bool, **options: Any) -> str:
        """Open a new file of a queue. Returns its path, by which the child knows it."""
        file = str(self._plan.folder / f"{name}-{place}")
        version = self.children[name].ask("start", name=name, file=file, durable=durable, **options)
        if name != version and version not in self.versions:
            self.versions.append(version)
        return file

    def close_files(self) -> None:
        for child in self.children.values():
            child.ask("close")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _invite(self, name: str) -> None:
        child = Child(MODULE, python=self._plan.peer_python or sys.executable)
        file = str(self._plan.folder / f"{name}-trial")
        try:
            child.ask("start", name=name, file=file, durable=False)
            child.ask("close")
        except RuntimeError:
            child.close()
            self._absent.append(name)
        else:
            self.children[name] = self._stack.enter_context(child)
