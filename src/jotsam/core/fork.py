"""Forks of a process: the locks of other threads stay locked in the child, and connections must not be shared."""

from __future__ import annotations

import os
import threading
from weakref import WeakSet

from jotsam.core.clock import monotonic_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

LONGEST_MS = 2_000  # a fork waits at most this long for the calls of other threads


class Forked:
    """Base class of what has locks or connections. After `register`, its methods are called at each fork."""

    def before_fork(self) -> None:
        """Called in the parent before each fork."""

    def after_fork_in_parent(self) -> None:
        """Called in the parent after each fork."""

    def after_fork_in_child(self) -> None:
        """Make new locks and connections. Called in the child before any other code of it."""


class Calls:
    """Counts the calls of all threads that use a connection, so that a fork can wait until none does."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._mine = threading.local()
        self._count = 0
        self._suspended = False

    def __enter__(self) -> Self:
        with self._lock:  # As `with self._changed`, in half the time.
            while self._suspended:
                self._changed.wait()
            self._count += 1
        self._mine.count = self._mine_count() + 1
        return self

    def __exit__(self, *_: object) -> None:
        self._mine.count -= 1
        with self._lock:
            self._count -= 1
            if self._suspended:
                self._changed.notify_all()

    def suspend(self) -> None:
        """Let no call begin, and wait for those of other threads."""
        deadline = monotonic_ms() + LONGEST_MS
        with self._changed:
            self._suspended = True
            while self._count > self._mine_count() and monotonic_ms() < deadline:
                self._changed.wait((deadline - monotonic_ms()) / 1000)

    def resume(self) -> None:
        with self._changed:
            self._suspended = False
            self._changed.notify_all()

    def _mine_count(self) -> int:
        count: int = getattr(self._mine, "count", 0)
        return count


_registered: WeakSet[Forked] = WeakSet()
_forking: list[Forked] = []


def register(thing: Forked) -> None:
    """Call the methods of `thing` at each fork, as long as it exists."""
    _registered.add(thing)


def _before() -> None:
    while True:
        try:
            _forking[:] = list(_registered)
            break
        except RuntimeError:
            pass  # Another thread has just registered something.
    for thing in _forking:
        thing.before_fork()


def _in_parent() -> None:
    for thing in _forking:
        thing.after_fork_in_parent()
    _forking.clear()


def _in_child() -> None:
    for thing in _forking:
        thing.after_fork_in_child()
    _forking.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_in_parent, after_in_child=_in_child)
