"""The tenure of a worker process: what it owes to others beside the jobs, from taking the lease to giving it up.

It stands on the door floor, for it knows the lease, the spool and the history, of which the loop must know nothing.
"""

from __future__ import annotations

from jotsam.core.clock import monotonic_ms, new_id, random_float
from jotsam.core.errors import DatabaseUnavailable
from jotsam.core.names import COMMAND, EMBED, ENRICH
from jotsam.ingest import accept, capture, spawn, spool
from jotsam.memory import status
from jotsam.queueing.options import LoopHooks
from jotsam.storage import ledger, queue, worker_lease

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from jotsam.core.settings import Settings
    from jotsam.storage.database import Database, Transaction

DAY_MS = 24 * 3_600_000
HISTORY_MS = 30 * DAY_MS
ANSWERS_MS = 90 * DAY_MS
"""What a model has answered is kept for so long after it was last used."""

FEW_SLICES = 10
"""Of history, one transaction each: a worker may leave after its first look, and must get on with it."""

FEW_TENANTS, FEW_ANSWERS = 50, 100
"""What is looked through, and what is removed of each, in one transaction."""


class Tenure(LoopHooks):
    """The lease of the one worker process: taken at the start, kept by the heartbeat, given up with nothing left.

    On a server there is none: any number of workers may come and go.
    """

    def __init__(
        self,
        database: Database,
        settings: Settings,
        *,
        summon: Callable[[], None],
        forever: bool,
        queues: tuple[str, ...],
    ) -> None:
        """`summon` sees that another worker comes, if there is something that this one leaves behind."""
        self._database = database
        self._leased = database.is_file
        self._settings = settings
        self._summon = summon
        self._forever = forever
        self._queues = queues
        self._left = False
        self._seen: set[str] = set()
        self._forget_at = self._forget_after = self._answers_at = 0
        self._whose: list[str] = []  # answers are still to be looked through
        self.owner = new_id()

    def begin(self, reserved: str | None) -> bool:
        """Take the lease; False if a living worker has it."""
        if not self._leased:
            self._settle_in()
            return True
        with self._database.transaction(durable=False) as tx:
            state, _ = status.worker(tx)
            holder = worker_lease.holder(tx, longest_ms=accept.LEASE_MS)
            if state != "none" and holder and holder.owner != reserved and state == "running":
                return False
            worker_lease.take(tx, spawn.myself(self.owner), lease_ms=accept.LEASE_MS)
        self._settle_in()
        return True

    def _settle_in(self) -> None:
        """Take in what was set aside, and what waits for tomorrow because of a cap that was changed meanwhile."""
        self._empty_spool()
        but = status.waits(ledger.cap_of(self._settings))
        with self._database.transaction(durable=False) as tx:
            for name in (ENRICH, EMBED):
                queue.hurry_all(tx, name, error=status.CAPPED, but=but)

    def on_heartbeat(self, tx: Transaction) -> bool:
        return not self._leased or worker_lease.renew(tx, self.owner, lease_ms=accept.LEASE_MS)

    def on_idle(self) -> None:
        self._empty_spool()
        self._forget_the_past()
        self._forget_answers()
        self._database.tidy()

    def _forget_the_past(self) -> None:
        """Drop history that has outlived its time: a few slices each time there is nothing to do, once round a day."""
        if monotonic_ms() < self._forget_at:
            return
        for _ in range(FEW_SLICES):
            with self._database.transaction(durable=False) as tx:
                following = queue.forget(tx, before=tx.now - HISTORY_MS, after_job=self._forget_after)
            self._forget_after = following or 0
            if following is None:
                self._forget_at = monotonic_ms() + DAY_MS
                return

    def _forget_answers(self) -> None:
        """Drop answers that nobody asks for any more: of a few tenants each time there is nothing to do, once a day.

        Whoever comes next begins with another tenant, for a worker that leaves soon may never come to the last.
        """
        if monotonic_ms() < self._answers_at:
            return
        if not self._whose:
            with self._database.snapshot() as tx:
                names = queue.tenants(tx, queue=ENRICH)
            first = int(random_float() * len(names))
            self._whose = names[first:] + names[:first]
        some, self._whose = self._whose[:FEW_TENANTS], self._whose[FEW_TENANTS:]
        if some:
            with self._database.transaction(durable=False) as tx:
                for tenant in some:
                    tx.set_tenant(tenant)
                    gone = ledger.forget_unused(tx, before=tx.now - ANSWERS_MS, limit=FEW_ANSWERS)
                    self._whose += [tenant] if gone == FEW_ANSWERS else []
        self._answers_at = 0 if self._whose else monotonic_ms() + DAY_MS

    def should_exit(self, tx: Transaction) -> bool:
        self._left = not self._forever and (not self._leased or worker_lease.release(tx, self.owner))
        return self._left

    def end(self) -> None:
        if not self._leased:
            return
        try:
            with self._database.transaction(durable=False) as tx:
                worker_lease.release(tx, self.owner)
            self._database.tidy()
        except DatabaseUnavailable:
            pass  # The lease is void all the same, once this process is gone.
        # A hook that set a turn aside while this worker was leaving has called one that found the lease taken; and a
        # worker without the commands leaves queued command lines to one that has them.
        if self._left and (self._spooled() - self._seen or COMMAND not in self._queues):
            self._summon()

    def _empty_spool(self) -> None:
        self._seen = self._spooled()
        capture.empty_spool(self._database, self._settings)

    def _spooled(self) -> set[str]:
        try:
            return set(spool.waiting(self._database.url))
        except OSError:
            return set()
