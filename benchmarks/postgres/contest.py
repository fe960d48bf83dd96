"""All queues that are compared, each with as many processes as it is asked for, and the databases they work on."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import Any, Self

from benchmarks.child import Child
from benchmarks.plan import Plan
from benchmarks.postgres.peers import PEERS
from benchmarks.postgres.server import Server

MODULE = "benchmarks.postgres.contestant"
OURS = ("jotsam", "bare")
LOOK_EVERY = 0.005


class Contest:
    """`names` are ours, the bare loop, and the peers that are there. Processes are kept from one round to the next."""

    def __init__(self, plan: Plan, *, peers: bool = True) -> None:
        self._plan = plan
        self._stack = ExitStack()
        self._children: dict[str, list[Child]] = {}
        self._absent: list[str] = []
        self.server = self._stack.enter_context(Server(plan.folder))
        self.versions = [self.server.version]
        self.names = [name for name in (*OURS, *(PEERS if peers else ())) if self._is_there(name)]

    @property
    def remarks(self) -> list[str]:
        """Who is missing."""
        absent = "; ".join(self._absent)
        return [f"Not measured, for it is not installed here: {absent}."] if absent else []

    def processes(self, name: str, count: int) -> list[Child]:
        kept = self._children.setdefault(name, [])
        python = sys.executable if name in OURS else self._plan.peer_python or sys.executable
        while len(kept) < count:
            kept.append(self._stack.enter_context(Child(MODULE, python=python)))
        return kept[:count]

    def open(self, name: str, *, durable: bool, processes: int = 1) -> tuple[str, str]:
        """Install a queue in a new database, and let so many processes open it. Returns the database and the table in
        which a job stands until it is done.
        """
        database = self.server.new_database(durable=durable)
        options: dict[str, Any] = {"durable": durable} if name == "jotsam" else {}
        first, *others = self.processes(name, processes)
        version, table = first.ask("start", name=name, url=self.server.url(database), **options)
        if version and version not in self.versions:
            self.versions.append(version)
        first.ask("install")
        for child in others:
            child.ask("start", name=name, url=self.server.url(database), **options)
        return database, table

    def close(self, name: str, database: str) -> None:
        for child in self._children[name]:
            child.ask("close")
        self.server.drop(database)

    def drain(
        self, name: str, *, workers: int, batch: int, jobs: int, durable: bool = False, pinned: bool = False
    ) -> float:
        """How many jobs per second so many workers get through, from the word "go" until none is left.

        `pinned`: meanwhile somebody has forgotten a transaction.
        """
        database, table = self.open(name, durable=durable, processes=workers)
        children = self.processes(name, workers)
        children[0].ask("fill", count=jobs)
        self.server.execute(database, "vacuum analyze")
        for child in children:
            child.ask("prepare", batch=batch)
        with self.server.connect(database) as observer, self.server.connect(database) as forgotten:
            if pinned:
                forgotten.execute("begin isolation level repeatable read")
                forgotten.execute("select count(*) from pg_class")
            began = time.perf_counter()
            for child in children:
                child.begin("drain")
            while observer.execute(f"select 1 from {table} limit 1").fetchone():
                time.sleep(LOOK_EVERY)
            took = time.perf_counter() - began
            for child in children:
                child.answer()
        self.close(name, database)
        return jobs / took

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _is_there(self, name: str) -> bool:
        try:
            database, _ = self.open(name, durable=False)
        except RuntimeError:
            self._absent.append(name)
            return False
        self.close(name, database)
        return True
