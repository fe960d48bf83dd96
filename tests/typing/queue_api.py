"""Type-checked, never run: correct calls of `Queue` and `Processor`, and wrong ones that mypy must refuse.

`warn_unused_ignores` of strict mode turns each `type: ignore` below into a test: it fails as soon as mypy accepts the
line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jotsam import Delivery, Job, Processor, Queue, QueueStats, Sent, Task

if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


def save(tx: Transaction) -> None:
    tx.execute("select 1")


async def handler(task: Task) -> dict[str, int]:
    return {"received": task.job.received}


def correct_calls(queue: Queue) -> None:
    sent: Sent = queue.send("x", kind="mail", priority=1, delay_ms=5, lane="l", parallel=False)
    many: list[Sent] = queue.send_many(["x"], tenant="acme", max_receive=3)
    job: Job | None = queue.receive(wait_ms=10)
    acknowledged: list[bool] = queue.delete_many(queue.receive_many(10))
    deliveries: list[Delivery] = queue.attempts(sent.id)
    stats: QueueStats = queue.stats()
    done: int = Processor(queue, {"mail": handler, "sms": lambda task: save}, concurrency=2, time_limit_ms=None).run()
    print(many, job, acknowledged, deliveries[0].outcome, stats.ready, done)


def wrong_calls(queue: Queue) -> None:
    queue.send("x", priorty=1)  # type: ignore[call-arg]
    queue.send("x", priority="high")  # type: ignore[arg-type]
    queue.send_many(["x"], lease=1)  # type: ignore[call-arg]
    Processor(queue, {"mail": handler}, concurency=2)  # type: ignore[call-arg]
    Processor(queue, {"mail": handler}, concurrency="2")  # type: ignore[arg-type]
    Processor(queue, {"mail": handler}, on_error=print, durable=None)  # type: ignore[arg-type]
