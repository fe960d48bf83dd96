"""Records of the queue: a job to send, a delivered job, queue counts, and queued command lines."""

from __future__ import annotations

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MAX_COMMAND_BYTES = 8 << 20  # of the payload of a queued command


class JobSpec(Record):
    """A job before it is sent. `payload` is JSON text, or bytes."""

    queue: str
    kind: str
    payload: str | bytes = "null"
    tenant: str = "default"
    key: str | None = None  # idempotency key: a second job with the same key, tenant and queue is not created
    lane: str | None = None
    parallel: bool = True
    priority: int = 0  # higher runs sooner
    delay_ms: int = 0
    lease_ms: int = 60_000
    max_receive: int = 5


class Sent(Record):
    """The id of a sent job. `duplicate`: an earlier job has the same key, and this is its id."""

    id: int
    duplicate: bool = False


class QueueDepth(Record):
    """The number of a tenant's jobs in some queues, by progress."""

    pending: int = 0  # waiting for the first try
    in_progress: int = 0
    failed: int = 0  # failed at least once and will be retried
    dead: int = 0
    oldest: int | None = None  # when the oldest job that is not dead was sent
    unknown: int = 0  # of the pending, of a kind that the worker which received them did not have

    @property
    def live(self) -> int:
        return self.pending + self.in_progress + self.failed


class Job(Record):
    """A delivered or listed job. (`id`, `received`) is its fencing token."""

    id: int
    queue: str
    kind: str
    tenant: str
    state: str  # ready, leased, waiting, dead, blocked
    priority: int
    lane: str | None
    parallel: bool
    received: int
    failures: int
    interruptions: int  # deliveries that ended because the worker did; not failures
    max_receive: int
    lease_ms: int
    created_at: int
    wake_at: int | None  # end of the lease, or of the delay
    owner: str | None
    error: str | None
    payload: str | bytes = ""  # JSON text, or bytes as they were sent


class QueuedCommand(Record):
    """A `jotsam` command line to run later, without the program's name, with the texts that it needs.

    It names no file of the sender: `documents` and `turns` are what was read there, as `ingest.carried` writes it.
    """

    arguments: tuple[str, ...]
    project: str = ""  # the project of the sender
    input: str | None = None  # standard input, or the text of the file of `extract-apply`
    documents: tuple[dict[str, Any], ...] = ()
    turns: tuple[dict[str, Any], ...] = ()
    tenant: str = "default"
    job_id: int = 0


class CommandResult(Record):
    """How a command ended: exit code and output, truncated if long. `retry`: running it again can help."""

    code: int
    stdout: str
    stderr: str
    arguments: tuple[str, ...] = ()
    retry: bool = False


class Delivery(Record):
    """A delivery of a job that has ended. (`received` counts the deliveries of a job from 1.)"""

    received: int
    owner: str | None  # the receiver
    started_at: int
    ended_at: int
    outcome: str  # done, retry, released, dead, cancelled, expired or interrupted
    error: str | None
    trace: str | None
