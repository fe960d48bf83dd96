"""A database that fails the loop for a moment, at a claim or a look: it goes on, and takes no job of another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

import roles
from jotsam import DatabaseBusy
from jotsam.core.job_records import JobSpec
from jotsam.queueing.loop import Loop
from jotsam.queueing.options import LoopOptions
from jotsam.storage import QUEUE, connect, queue
from processes import PATIENCE, WAIT_MS, until

if TYPE_CHECKING:
    from jotsam.core.job_records import Job
    from jotsam.storage.database import Database, Transaction


class Unlucky:
    """A database whose first transaction that leases a job fails at its commit, and somebody else is faster then."""

    def __init__(self, database: Database, job_id: int, then: Callable[[], None]) -> None:
        self._database, self._job_id, self._then = database, job_id, then
        self._failed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    @contextmanager
    def transaction(self, *, tenant: str = "", durable: bool = True) -> Iterator[Transaction]:
        lost = False
        try:
            with self._database.transaction(tenant=tenant, durable=durable) as tx:
                yield tx
                lost = not self._failed and self._is_leased(tx)
                if lost:
                    self._failed = True
                    raise DatabaseBusy("the commit did not succeed")
        finally:
            if lost:
                self._then()

    def _is_leased(self, tx: Transaction) -> bool:
        """Whether this transaction is the claim: the heart writes at the same time, and leases nothing."""
        job = queue.get(tx, self._job_id)
        return job is not None and job.state == "leased"


class Shut:
    """A database that cannot be read the n-th time that somebody wants to."""

    def __init__(self, database: Database, *, at: int) -> None:
        self._database, self._left = database, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    def snapshot(self, *, tenant: str = "") -> Any:
        self._left -= 1
        if self._left == 0:
            raise DatabaseBusy("another program is putting the file in order")
        return self._database.snapshot(tenant=tenant)


@pytest.mark.parametrize("at", range(1, 7))
def test_a_worker_survives_that_it_cannot_read_for_once(at, url, clock):
    database = connect(url, schemas=QUEUE, clock=clock, wait_ms=WAIT_MS)
    for _ in range(3):
        with database.transaction() as tx:
            queue.send(tx, JobSpec(queue="q", kind="k"))
    options = LoopOptions(concurrency=2, worker_idle_ms=0)
    hooks = roles.Leaves()
    loop = Loop(Shut(database, at=at), {"k": lambda job: None}, queues=("q",), owner="us", options=options, hooks=hooks)
    assert loop.run() == 3
    database.close()


def test_a_worker_whose_claim_was_rolled_back_does_not_touch_the_job_of_whoever_claimed_it_then(url, clock):
    """Both claims have the same fencing token, and only one of them stands."""
    ours, theirs = (connect(url, schemas=QUEUE, clock=clock, wait_ms=WAIT_MS) for _ in range(2))
    with ours.transaction() as tx:
        job_id = queue.send(tx, JobSpec(queue="q", kind="k")).id
    claimed: list[Job] = []

    def somebody_else() -> None:
        with theirs.transaction() as tx:
            claimed.extend(queue.receive(tx, queue="q", owner="them"))

    options = LoopOptions(concurrency=1, heartbeat_ms=5, shutdown_grace_ms=0)
    loop = Loop(
        Unlucky(ours, job_id, somebody_else), {"k": lambda job: None}, queues=("q",), owner="us", options=options
    )
    thread = threading.Thread(target=loop.run, daemon=True)
    thread.start()
    until(lambda: claimed)
    loop.stop()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    with theirs.snapshot() as tx:
        job = queue.get(tx, job_id)
    assert job is not None
    assert (job.state, job.owner) == ("leased", "them")
    ours.close()
    theirs.close()
