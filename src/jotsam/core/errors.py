"""Every error that Jotsam raises.

JotsamError
├── InvalidInput          the value you gave; the message says what is allowed
├── NotFound              no such document, memory or job
├── LeaseLost             the job was given to somebody else meanwhile; nothing was written
├── DatabaseUnavailable   not now; trying again can help
│   ├── DatabaseBusy      another program holds the write lock
│   └── DatabaseFull      the disk, or the limit of the file, is full
├── DatabaseUnusable      never like this; the message names the way out
│   ├── NotADatabase      the file is something else, or damaged
│   ├── DatabaseReadOnly  the file or its folder cannot be written
│   ├── SchemaTooNew      a newer Jotsam made it
│   └── SchemaTooOld      it must be migrated first, which a hook never does
└── JobError              raised by a handler to say what shall become of its job
    ├── RetryJob             try again later; counts as a failure unless `spend` is false
    │   ├── Malformed            a model answered what cannot be read
    │   │   └── CutOff               because it ended before its time: ask about less
    │   ├── NoAnswer             a server was asked and gave no whole answer; it may charge for it all the same
    │   └── CapReached           what a day may cost is spent: tomorrow
    ├── BuryJob              never try again
    │   └── Refused              a server refuses this request, and would refuse it again
    │       └── TooLong              because it is longer than its model takes: split it
    ├── JobCancelled         it was cancelled, and the handler has stopped
    └── ProviderUnavailable  the fault is not the job's: pause its queue until the provider is back
"""


class JotsamError(Exception):
    """Base of all. `retry` says whether the same call can succeed later."""

    retry = False


class InvalidInput(JotsamError, ValueError):
    """A value is not allowed. The message names the value and what is allowed."""


class NotFound(JotsamError, LookupError):
    """There is no such document, memory or job."""


class LeaseLost(JotsamError):
    """The lease ended and the job belongs to another receiver now. Nothing was written."""


class DatabaseUnavailable(JotsamError):
    """The database cannot be used at the moment."""

    retry = True


class DatabaseBusy(DatabaseUnavailable):
    """Another program holds the write lock for too long."""


class DatabaseFull(DatabaseUnavailable):
    """There is no space left. What was accepted before is safe; this call wrote nothing."""


class DatabaseUnusable(JotsamError):
    """The database cannot be used by this program."""


class NotADatabase(DatabaseUnusable):
    """The file is not a SQLite database, or it is damaged."""


class DatabaseReadOnly(DatabaseUnusable):
    """The file or its folder may not be written."""


class SchemaTooNew(DatabaseUnusable):
    """A newer Jotsam made this database."""


class SchemaTooOld(DatabaseUnusable):
    """The database must be migrated first, and this call does not migrate."""


class JobError(JotsamError):
    """Raised by a handler to decide what becomes of its job."""


class RetryJob(JobError):
    """Try this job again `after_ms` from now (by default: the usual backoff).

    With `spend=False` the attempt does not count towards `max_receive`: for a rate limit, not for a fault of the job.
    """

    retry = True

    def __init__(self, message: str = "", *, after_ms: int | None = None, spend: bool = True) -> None:
        super().__init__(message)
        self.after_ms = after_ms
        self.spend = spend


class BuryJob(JobError):
    """This job can never succeed: keep it as a dead letter with this message."""


class Malformed(RetryJob):
    """A model answered something that cannot be read: no JSON, cut off, or nothing of what was asked for."""


class CutOff(Malformed):
    """A model's answer ended where its tokens did: there is more in the text than fits into one."""


class NoAnswer(RetryJob):
    """A server was asked and gave no whole answer in time. Nobody knows whether it will charge for it."""


class CapReached(RetryJob):
    """What a day may cost is spent or reserved: the job waits for the next day, and spends no attempt."""


class Refused(BuryJob):
    """A server refuses this request, and would refuse it again. `status` is its HTTP status."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = status


class TooLong(Refused):
    """The request is longer than the model takes: split the text and ask for each part."""


class JobCancelled(JobError):
    """Somebody cancelled the job, and its handler has stopped: remove it, without a result."""


class ProviderUnavailable(JobError):
    """What the jobs of this queue need cannot be used at all: unreachable, a wrong key, no quota left.

    No attempt is spent. The queue pauses with this message, lets one job through at growing intervals to see, and
    goes on by itself with the first that succeeds. `status` is that of HTTP, where a server has answered.
    """

    retry = True

    def __init__(self, message: str = "", *, status: int = 0) -> None:
        super().__init__(message)
        self.status = status
