"""Exceptions that Jotsam raises.

JotsamError
├── InvalidInput          an argument is wrong; the message states what is allowed
├── NotFound              no such document, memory or job
├── Conflict              the memory has another version than the caller expected; nothing was written
├── KeyReused             an idempotency key was used with another request; nothing was written
├── LeaseLost             the lease expired and the job was delivered again; nothing was written
├── DatabaseUnavailable   temporary: retrying can help
│   ├── DatabaseBusy      another process holds the write lock
│   ├── DatabaseFull      the disk is full, or the file has reached its size limit
│   ├── TenantMoved       the tenant is on another server, or on its way there
│   └── ReplicaUnavailable  a replica cannot answer, and the primary will: never raised to a caller
├── DatabaseUnusable      permanent; the message states how to fix it
│   ├── NotADatabase      the file is not a SQLite database, or is damaged
│   ├── DatabaseReadOnly  the file or its folder is not writable
│   ├── DatabaseClosed    `close()` was called on this object
│   ├── DatabaseReplaced  the file was deleted or replaced while it was open
│   ├── SchemaTooNew      created by a newer version of Jotsam
│   └── SchemaTooOld      must be migrated first, which a hook never does
└── JobError              raised by a handler to decide the outcome of its job
    ├── RetryJob             retry later; counts as a failure unless `spend` is false
    │   ├── Malformed            the reply of a model cannot be parsed
    │   │   └── CutOff               it was truncated: ask about a shorter text
    │   ├── NoAnswer             a request failed without a complete response
    │   └── CapReached           the daily spending cap is reached: retry tomorrow
    ├── BuryJob              never retry
    │   └── Refused              a server rejected the request and would reject it again
    │       ├── TooLong              the input exceeds the limit of the model: split it
    │       └── UnsupportedParameter the server does not accept a parameter: leave it out
    ├── JobCancelled         the job was cancelled, and its handler has stopped
    └── ProviderUnavailable  an outage that is not the fault of the job: pause the queue until it ends
"""


class JotsamError(Exception):
    """Base class. `retry` is true if the same call can succeed later."""

    retry = False


class InvalidInput(JotsamError, ValueError):
    """An argument is not allowed. The message states the value and what is allowed."""


class NotFound(JotsamError, LookupError):
    """The document, memory or job does not exist."""


class Conflict(JotsamError):
    """The memory was changed since the caller read it. Nothing was written: read it again."""


class KeyReused(JotsamError):
    """The idempotency key was used before, with another request. Nothing was written: use another key."""


class LeaseLost(JotsamError):
    """The lease expired and the job was delivered to another worker. Nothing was written."""


class DatabaseUnavailable(JotsamError):
    """The database cannot be used at the moment."""

    retry = True


class DatabaseBusy(DatabaseUnavailable):
    """Another process held the write lock until the lock timeout."""


class DatabaseFull(DatabaseUnavailable):
    """No space is left. This call wrote nothing; earlier commits are safe."""


class TenantMoved(DatabaseUnavailable):
    """The tenant has moved to another server, or is being moved. The message names the address of its database.

    `server` is the address of the HTTP API that its clients use now; empty if it is not known, or not there yet.
    """

    def __init__(self, message: str, *, server: str = "") -> None:
        super().__init__(message)
        self.server = server


class ReplicaUnavailable(DatabaseUnavailable):
    """A replica cannot answer. The primary does instead, so no caller sees this.

    `name` is the replica's. It is empty if nothing is wrong: the replica has not replayed what this process wrote.
    """

    def __init__(self, message: str, *, name: str = "") -> None:
        super().__init__(message)
        self.name = name


class DatabaseUnusable(JotsamError):
    """This program cannot use the database, now or later. The message states how to fix it."""


class NotADatabase(DatabaseUnusable):
    """The file is not a SQLite database, or it is damaged."""


class DatabaseReadOnly(DatabaseUnusable):
    """The file or its folder is not writable."""


class DatabaseClosed(DatabaseUnusable):
    """This object was closed. Open another one."""


class DatabaseReplaced(DatabaseUnusable):
    """The file was deleted, moved or replaced while it was open. Nothing was written; open it again."""


class SchemaTooNew(DatabaseUnusable):
    """The database was created by a newer version of Jotsam."""


class SchemaTooOld(DatabaseUnusable):
    """The database must be migrated first, and this call does not migrate."""


class JobError(JotsamError):
    """Base class of the exceptions by which a handler decides the outcome of its job.

    `may_be_billed`: a model request failed after its response had begun, so the provider may charge for it.
    """

    may_be_billed = False


class RetryJob(JobError):
    """Retry the job after `after_ms`, by default after the usual backoff.

    With `spend=False` the attempt does not count towards `max_receive`, as for a rate limit.
    """

    retry = True

    def __init__(self, message: str = "", *, after_ms: int | None = None, spend: bool = True) -> None:
        super().__init__(message)
        self.after_ms = after_ms
        self.spend = spend


class BuryJob(JobError):
    """The job can never succeed: make it a dead letter with this message."""


class Malformed(RetryJob):
    """The reply of a model cannot be parsed, or lacks everything that was asked for."""

    def __init__(self, message: str = "", *, may_be_billed: bool = True) -> None:
        super().__init__(message)
        self.may_be_billed = may_be_billed


class CutOff(Malformed):
    """The reply of a model was truncated at its token limit: the text contains more than fits into one reply."""


class NoAnswer(RetryJob):
    """A request failed without a complete response: a timeout, or a connection that was cut."""

    def __init__(self, message: str = "", *, may_be_billed: bool = True) -> None:
        super().__init__(message)
        self.may_be_billed = may_be_billed


class CapReached(RetryJob):
    """The daily spending cap is spent or reserved: the job waits for the next day and spends no attempt."""


class Refused(BuryJob):
    """A server rejected the request and would reject it again. `status` is the HTTP status."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status
        self.may_be_billed = 200 <= status < 300


class TooLong(Refused):
    """The input exceeds the limit of the model: split it and send the parts."""


class UnsupportedParameter(Refused):
    """The server does not accept a parameter, `name`, of the request: send it again without."""

    def __init__(self, message: str, *, status: int, name: str) -> None:
        super().__init__(message, status=status)
        self.may_be_billed = False
        self.name = name


class JobCancelled(JobError):
    """The job was cancelled and its handler has stopped: remove the job without a result."""


class ProviderUnavailable(JobError):
    """A service that the jobs of this queue need is down: unreachable, wrong API key, or quota used up.

    No attempt is spent. The queue pauses with this message, tries one job at growing intervals, and resumes by itself
    with the first that succeeds. `status` is the HTTP status, 0 if no server responded.
    """

    retry = True

    def __init__(self, message: str = "", *, status: int = 0) -> None:
        super().__init__(message)
        self.status = status


def install_extra(name: str) -> str:
    """How to install an optional dependency of this package, from an index or in a clone."""
    return f"install the '{name}' extra: pip install 'jotsam[{name}]', or in a clone: pip install '.[{name}]'"
