"""The events that a server sends, for `Client.events` and `AsyncClient.events`: where the reader is, and what it reads.

It opens no connection. The clients send its request again when a connection is lost, and hand over what arrives.
"""

from __future__ import annotations

import json

from jotsam.core.clock import monotonic_ms, random_float, system_clock
from jotsam.core.errors import DatabaseUnusable
from jotsam.core.event_records import GAP, Event, position
from jotsam.core.record_types import decode
from jotsam.core.validate import check_int, check_job_id
from jotsam.remote.request import ANSWER, Request, nothing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from jotsam.core.errors import JotsamError

FIRST_LOST_MS, LOST_MS = 3_000, 60_000  # how long a server that cannot be reached is tried again
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.1, 2.0
KEEP_ALIVE_MS = 15_000  # the server sends something at least this often
END = "end"
ENDED = "it ended the stream of events"


class EventFeed:
    """One reader of a stream, over any number of connections."""

    def __init__(self, *, after: str | None, job: int | None, idle_ms: int | None) -> None:
        if after is not None:
            position(after)
        path = "/v1/events" if job is None else f"/v1/jobs/{check_job_id(job)}/events"
        self._path, self._job, self.after = path, job, after
        self._idle_ms = None if idle_ms is None else check_int("idle_ms", idle_ms, 0)
        self._lost_at = monotonic_ms() + FIRST_LOST_MS
        self._lost, self._rest = 0, b""
        self.is_ended = False

    @property
    def has_begun(self) -> bool:
        """Whether it is known where the next connection goes on."""
        return self.after is not None or self._job is not None

    def at_end(self) -> EventFeed:
        """A feed that ends at once, and is then at the end of the history."""
        return EventFeed(after=None, job=None, idle_ms=0)

    def request(self) -> Request[None]:
        """What to send on a new connection."""
        self._rest = b""
        query = {"after": self.after, "idle_ms": self._idle_ms}
        return Request(method="GET", path=self._path, read=nothing, query=query, longer_ms=KEEP_ALIVE_MS)

    def read(self, piece: bytes) -> Iterator[Event]:
        """The events in what arrived."""
        *messages, self._rest = (self._rest + piece).split(b"\n\n")
        for message in messages:
            lines = [line.partition(": ") for line in message.decode().split("\n")]
            fields = {name: value for name, _, value in lines}
            name = fields.get("event", "")
            if "id" in fields:
                self.after, self._lost_at, self._lost = fields["id"], monotonic_ms() + LOST_MS, 0
            if name == END:
                self.is_ended = True
            elif name == GAP:
                yield Event(id=fields["id"], type=GAP, at=system_clock())
            elif "data" in fields and name != "dropped":  # After `dropped` the stream ends, and goes on where it was.
                yield _event(fields["data"])

    def lost(self, error: JotsamError, wait_s: int = 0) -> float:
        """How many seconds to wait before the next connection. Raises the error if it was tried for long enough."""
        if monotonic_ms() > self._lost_at:
            raise error
        self._lost += 1
        pause = min(FIRST_PAUSE_S * 2 ** min(self._lost, 10), LONGEST_PAUSE_S) * (0.5 + random_float() / 2)
        return float(max(wait_s, pause))


def _event(text: str) -> Event:
    try:
        return decode(Event, json.loads(text), name=ANSWER)
    except ValueError as error:  # InvalidInput is one.
        raise DatabaseUnusable(f"the server sent an event that this version does not understand: {error}") from error
