"""Options of the worker loop, and the hooks through which it asks its caller."""

from __future__ import annotations

from types import MappingProxyType

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jotsam.core.job_records import Job
    from jotsam.storage.database import Transaction


class LoopOptions(Record):
    """How a loop runs. All times in milliseconds."""

    concurrency: int = 4  # jobs that run at once, each in its own thread
    batch: int = 1  # jobs that a thread claims in one commit, and acknowledges in one
    settle_ms: int = 100  # finished jobs of a batch are acknowledged after this time, before the rest has run
    heartbeat_ms: int = 15_000  # longest interval at which leases are extended; a third of the shortest lease if less
    first_backoff_ms: Mapping[str, int] = MappingProxyType({})  # backoff after the first failure, by kind; else 10 s
    limits: Mapping[str, Callable[[], int]] = MappingProxyType({})  # jobs that run at once, by queue; else no limit
    time_limit_ms: int | None = None  # a job that runs longer fails, and its result is discarded
    worker_idle_ms: int = 30_000  # an idle loop waits for jobs that become due within this time before it exits
    poll_interval_ms: int = 1_000  # an idle loop that receives no wake-up looks for jobs at this interval
    shutdown_grace_ms: int = 10_000  # running jobs have this time to finish after `stop`
    durable: bool = False  # results survive a power cut; without it a lost result is computed again


class LoopHooks:
    """What the loop asks and reports. The defaults run it until it is stopped."""

    def on_heartbeat(self, tx: Transaction) -> bool:
        """Called at every heartbeat. False stops the loop."""
        return True

    def on_claim(self, tx: Transaction, jobs: list[Job]) -> None:
        """Called in the transaction that claims jobs, at its end."""

    def on_outcome(self, tx: Transaction, job: Job, outcome: str, error: str | None) -> None:
        """Called in the transaction that ends a delivery.

        `outcome` is done, cancelled, dead, or ready or waiting if the job will be delivered again.
        """

    def on_lease_lost(self, job: Job) -> None:
        """Called after a job ran whose lease was lost in the meantime: its outcome was not written."""

    def on_idle(self) -> None:
        """Called when no job is left to run."""

    def on_failure(self, job: Job, error: BaseException) -> None:
        """Called after a handler raised. It cannot change the outcome of the job; its own exceptions are logged."""

    def should_exit(self, tx: Transaction) -> bool:
        """Called in a transaction in which no job is ready. True ends the loop."""
        return False
