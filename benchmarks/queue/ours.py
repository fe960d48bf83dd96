"""`jotsam.Queue` as anybody would use it, with all its guarantees, history and counters on."""

from __future__ import annotations

import itertools
from typing import Any

import jotsam

FILL_JOBS = """
with recursive n (n) as (select 1 union all select n + 1 from n where n < :count)
insert into queue_job (
  queue, tenant, kind, state, priority, place, parallel, wake_at, lease_ms, received, failures, max_receive, created_at,
  payload
)
select
  'default', 'default', 'default', {state}, :priority, 0, 1, {wake_at}, 60000, {received}, {received}, 5, :now, :body
from n
"""
STATE = "case n % 3 when 0 then 'leased' when 1 then 'waiting' else 'dead' end"
WAKE_AT = "case n % 3 when 2 then null else :now + 3600000 end"
SLICE = 50_000


class Ours:
    def __init__(self, path: str, *, durable: bool, fair: bool = False, options: dict[str, Any] | None = None) -> None:
        self.queue = jotsam.Queue(path, durable=durable, fair=fair or None)
        self._options = options or {}
        self._lanes = itertools.cycle(f"lane-{number}" for number in range(self._options.pop("lanes", 0)))
        self._tenants = itertools.cycle(f"tenant-{number}" for number in range(self._options.pop("tenants", 0)))
        self._keys = (f"key-{number:032x}" for number in itertools.count())

    def put(self, body: str) -> None:
        self.queue.send(body, key=next(self._keys), **self._labels())

    def put_many(self, bodies: list[str]) -> None:
        self.queue.send_many(bodies, **self._labels())

    def claim(self) -> jotsam.Job:
        job = self.queue.receive()
        assert job is not None
        return job

    def acknowledge(self, job: jotsam.Job) -> None:
        assert self.queue.delete(job)

    def take_many(self, count: int) -> None:
        """Claim so many in one commit, and acknowledge them in another."""
        assert all(self.queue.delete_many(self.queue.receive_many(count)))

    def fill(self, count: int, *, available: bool) -> None:
        """So many jobs of earlier ids: ready, or of a higher priority but leased, waiting and dead in equal parts."""
        state, wake_at, received = ("'ready'", "null", "0") if available else (STATE, WAKE_AT, "1")
        jobs = FILL_JOBS.format(state=state, wake_at=wake_at, received=received)
        body = '"' + "x" * 198 + '"'
        for start in range(0, count, SLICE):
            with self.queue.transaction() as tx:
                filled = {"count": min(SLICE, count - start), "priority": int(not available), "body": body}
                tx.execute(jobs, filled)

    def settle(self) -> None:
        """Fold the log into the file and cut it to nothing."""
        self.queue.database.maintain()

    def close(self) -> None:
        self.queue.close()

    def _labels(self) -> dict[str, Any]:
        labels = dict(self._options)
        lane, tenant = next(self._lanes, None), next(self._tenants, None)
        if lane:
            labels["lane"] = lane
        if tenant:
            labels["tenant"] = tenant
        return labels
