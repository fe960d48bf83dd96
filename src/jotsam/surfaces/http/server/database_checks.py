"""What a server asks its database for probes and monitors: whether it can be used, and its numbers.

Of each question one is under way at a time, and all who ask then get its answer. It has a thread of its
own, so a database that hangs occupies two threads, however many ask.
"""

from __future__ import annotations

import logging
import threading
from concurrent.futures import Future

from jotsam.admin.readiness import why_not_ready
from jotsam.core.errors import JotsamError
from jotsam.core.records import Record
from jotsam.memory.status import metrics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol, TypeVar

    from jotsam.memory.api.client import Jotsam

    T = TypeVar("T")

    class Use(Protocol):
        """Calls with the open memory."""

        def __call__(self, call: Callable[[Jotsam], T]) -> T: ...


log = logging.getLogger("jotsam.http")

NO_ANSWER = "the database does not answer"


class Readiness(Record):
    """Why the server cannot do its work, or None; and the verdict on it in a word, which names nothing to outsiders."""

    reason: str | None = None
    health: str = "unknown"  # ok, warning, error


class DatabaseChecks:
    """The questions of one server process. Safe to use from many threads."""

    def __init__(self, use: Use, *, tenant: str, stopping: threading.Event) -> None:
        self._use = use
        self._tenant = tenant
        self._stopping = stopping
        self._lock = threading.Lock()
        self._asked: dict[str, Future[Any]] = {}

    def readiness(self) -> Future[Readiness]:
        """Whether the server can do its work."""
        return self._shared("readiness", self._readiness)

    def numbers(self) -> Future[tuple[metrics.Metrics | None, bool]]:
        """The numbers of the database, if it answers, and whether the server can do its work."""
        return self._shared("numbers", self._numbers)

    def _shared(self, name: str, ask: Callable[[], T]) -> Future[T]:
        with self._lock:
            known: Any = self._asked.get(name)
            if known is not None and not known.done():
                return known  # type: ignore[no-any-return]
            asked: Future[T] = Future()
            asked.set_running_or_notify_cancel()  # A caller whose wait is cancelled does not cancel it.
            self._asked[name] = asked
            threading.Thread(target=_answer, args=(asked, ask), daemon=True).start()
            return asked

    def _readiness(self) -> Readiness:
        reason = self._why_not_ready()
        if reason is not None:
            return Readiness(reason=reason)
        try:
            return Readiness(health=self._use(lambda jot: metrics.level(jot.database, soft_cap=jot.settings.soft_cap)))
        except JotsamError as error:
            log.warning("the health is unknown: %s", error)
            return Readiness()

    def _why_not_ready(self) -> str | None:
        if self._stopping.is_set():
            return "the server is stopping"
        try:
            return self._use(lambda jot: why_not_ready(jot.database))
        except JotsamError as error:
            log.warning("not ready: %s", error)
            return NO_ANSWER if error.retry else "the database cannot be opened"

    def _numbers(self) -> tuple[metrics.Metrics | None, bool]:
        try:
            found = self._use(
                lambda jot: metrics.read_metrics(jot.database, tenant=self._tenant, soft_cap=jot.settings.soft_cap)
            )
        except JotsamError as error:
            log.warning("no numbers of the database: %s", error)
            return None, False
        return found, self._why_not_ready() is None


def _answer(asked: Future[T], ask: Callable[[], T]) -> None:
    try:
        asked.set_result(ask())
    except BaseException as error:  # For those who wait.
        asked.set_exception(error)
