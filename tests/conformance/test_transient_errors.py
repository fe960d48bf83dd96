"""Transient database errors in the loop, at a claim or a read: it continues and takes no job of another worker."""

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

pytestmark = pytest.mark.needs_server


class FailingClaim:
    """A database whose first claim fails at its commit; then another worker claims the job."""

    def __init__(self, database: Database, job_id: int, then: Callable[[], None]) -> None:
        self._database, self._job_id, self._then = database, job_id, then
        self._failed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    @contextmanager
    def transaction(self, **options: Any) -> Iterator[Transaction]:
        lost = False
        try:
            with self._database.transaction(**options) as tx:
                yield tx
                lost = not self._failed and self._is_leased(tx)
                if lost:
                    self._failed = True
                    raise DatabaseBusy("the commit did not succeed")
        finally:
            if lost:
                self._then()

    def _is_leased(self, tx: Transaction) -> bool:
        """Whether this transaction is the claim: the heartbeat writes at the same time but leases nothing."""
        job = queue.get(tx, self._job_id)
        return job is not None and job.state == "leased"


class FailingRead:
    """A database whose n-th snapshot fails."""

    def __init__(self, database: Database, *, at: int) -> None:
        self._database, self._left = database, at

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    def snapshot(self, *, tenant: str = "") -> Any:
        self._left -= 1
        if self._left == 0:
            raise DatabaseBusy("another program is checkpointing")
        return self._database.snapshot(tenant=tenant)


@pytest.mark.parametrize("at", range(1, 7))
def test_a_worker_survives_a_failed_read(at, url, clock):
    database = connect(url, schemas=QUEUE, clock=clock, wait_ms=WAIT_MS)
    for _ in range(3):
        with database.transaction() as tx:
            queue.send(tx, JobSpec(queue="q", kind="k"))
    options = LoopOptions(concurrency=2, worker_idle_ms=0)
    hooks = roles.Leaves()
    loop = Loop(
        FailingRead(database, at=at), {"k": lambda job: None}, queues=("q",), owner="us", options=options, hooks=hooks
    )
    assert loop.run() == 3
    database.close()


def test_a_worker_whose_claim_was_rolled_back_leaves_the_job_to_its_new_owner(url, clock):
    """Both claims have the same fencing token, and only one was committed."""
    ours, theirs = (connect(url, schemas=QUEUE, clock=clock, wait_ms=WAIT_MS) for _ in range(2))
    with ours.transaction() as tx:
        job_id = queue.send(tx, JobSpec(queue="q", kind="k")).id
    claimed: list[Job] = []

    def claim() -> None:
        with theirs.transaction() as tx:
            claimed.extend(queue.receive(tx, queue="q", owner="them"))

    options = LoopOptions(concurrency=1, heartbeat_ms=5, shutdown_grace_ms=0)
    loop = Loop(FailingClaim(ours, job_id, claim), {"k": lambda job: None}, queues=("q",), owner="us", options=options)
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
