"""`jotsam.Queue` and `jotsam.Processor` as anybody would use them, with all guarantees, history and counters on."""

from __future__ import annotations

import jotsam

FILL = """
insert into queue_job (
  queue, tenant, kind, state, priority, place, parallel, lease_ms, max_receive, created_at, payload
)
select 'default', 'default', 'default', 'ready', 0, 0, 1, 60000, 5, :now, '"' || repeat('x', 198) || '"'
from generate_series(1, :count)
"""


class Ours:
    table = "jotsam.queue_job"

    def __init__(self, url: str, durable: bool = True) -> None:
        self._durable = durable
        self.queue = jotsam.Queue(url, durable=durable)

    def install(self) -> None:
        """Opening it did."""

    def fill(self, count: int) -> None:
        with self.queue.transaction() as tx:
            tx.execute(FILL, {"count": count})

    def prepare(self, batch: int) -> None:
        """One thread: where a handler does nothing, more of them only wait for each other."""
        self._processor = jotsam.Processor(
            self.queue, {"default": _work}, concurrency=1, batch=batch, durable=self._durable
        )

    def drain(self) -> None:
        self._processor.run()

    def claim(self) -> jotsam.Job:
        job = self.queue.receive()
        assert job is not None
        return job

    def acknowledge(self, job: jotsam.Job) -> None:
        assert self.queue.delete(job)

    def close(self) -> None:
        self.queue.close()


def _work(task: object) -> None:
    """The handler that does nothing."""
