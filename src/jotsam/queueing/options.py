"""What a loop is told: how it runs, and who is asked whether it may go on."""

from __future__ import annotations

from types import MappingProxyType

from jotsam.core.records import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from jotsam.core.job_records import Job
    from jotsam.storage.database import Transaction


class Pace(Record):
    """How a loop runs. All times in milliseconds."""

    concurrency: int = 4
    batch: int = 1  # how many jobs a thread claims, and settles, in one commit
    settle_ms: int = 100  # what is done of a batch is settled after this time, while the rest of it runs
    heartbeat_ms: int = 15_000
    first_backoff_ms: Mapping[str, int] = MappingProxyType({})  # by kind; 10 s for those not named
    time_limit_ms: int | None = None  # a job that runs longer is taken from its handler, and has failed
    linger_ms: int = 30_000  # a loop that may leave stays for what becomes due within this time
    idle_ms: int = 1_000  # a loop that nobody wakes looks by itself after this time
    grace_ms: int = 10_000  # running jobs may finish within this time once a stop is asked for
    durable: bool = False  # whether results survive a power cut; a lost result is only worked out again


class Keeper:
    """What a loop asks of its surroundings; this one lets it run for ever."""

    def renew(self, tx: Transaction) -> bool:
        """At every heartbeat: may the loop go on?"""
        return True

    def idle(self) -> None:
        """Whenever nothing is left to do."""

    def failed(self, job: Job, error: BaseException) -> None:
        """A handler raised; what becomes of its job is settled already. Whatever this raises is logged."""

    def leave(self, tx: Transaction) -> bool:
        """Nothing is left, and this transaction has seen it: may, and shall, the loop end?"""
        return False
