"""Coroutine functions as handlers of a `Processor`. Nothing here reaches SQL that differs between databases."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from jotsam import BuryJob, Processor, Queue, RetryJob, Task
from processes import PATIENCE, until

if TYPE_CHECKING:
    from jotsam.storage.database import Transaction


@pytest.fixture
def mail(url: str, clock: Callable[[], int]) -> Iterator[Queue]:
    with Queue(url, "mail", clock=clock) as queue:
        yield queue


def outcomes(mail: Queue, job_id: int) -> list[str]:
    return [delivery.outcome for delivery in mail.attempts(job_id)]


def test_a_coroutine_handler_runs_to_completion_and_its_result_is_stored(mail: Queue) -> None:
    async def handler(task: Task) -> dict[str, int]:
        parts = await asyncio.gather(*(asyncio.sleep(0, number) for number in task.payload))
        return {"sum": sum(parts)}

    jobs = mail.send_many([[1, 2], [3, 4]])
    assert Processor(mail, {"default": handler}).run() == 2
    assert [mail.result(job.id) for job in jobs] == [{"sum": 3}, {"sum": 7}]


def test_a_coroutine_handler_can_return_a_function_that_writes_with_the_acknowledgement(mail: Queue) -> None:
    with mail.transaction() as tx:
        tx.execute("create table seen (id integer)")

    async def handler(task: Task) -> Callable[[Transaction], None]:
        await asyncio.sleep(0)

        def save(tx: Transaction) -> None:
            tx.execute("insert into seen (id) values (:id)", {"id": task.job.id})

        return save

    mail.send_many([1, 2])
    assert Processor(mail, {"default": handler}, batch=2, concurrency=1).run() == 2
    with mail.transaction() as tx:
        assert tx.execute("select id from seen order by id") == [{"id": 1}, {"id": 2}]


def test_coroutine_handlers_of_several_threads_run_at_once(mail: Queue) -> None:
    together = threading.Barrier(3, timeout=PATIENCE)

    async def handler(task: Task) -> None:
        await asyncio.to_thread(together.wait)

    mail.send_many(range(3))
    assert Processor(mail, {"default": handler}, concurrency=3).run() == 3


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ValueError("broken"), "retry"),
        (RetryJob("429", spend=False), "released"),
        (BuryJob("no such user"), "dead"),
        (asyncio.CancelledError("by itself"), "retry"),
        (KeyboardInterrupt("out"), "retry"),
    ],
)
def test_an_exception_of_a_coroutine_decides_the_outcome(mail: Queue, error: BaseException, outcome: str) -> None:
    async def handler(task: Task) -> None:
        await asyncio.sleep(0)
        if task.payload == "bad":
            raise error

    bad, good = mail.send("bad").id, mail.send("good").id
    assert Processor(mail, {"default": handler}).run() == 1
    assert (outcomes(mail, bad), outcomes(mail, good)) == ([outcome], ["done"])
    assert type(error).__name__ in (mail.attempts(bad)[0].error or "")


def test_a_coroutine_that_exceeds_the_time_limit_is_cancelled_and_fails(mail: Queue) -> None:
    cleaned_up = threading.Event()

    async def handler(task: Task) -> str:
        try:
            await asyncio.Event().wait()  # for ever
        finally:
            cleaned_up.set()
        return "too late"

    job_id = mail.send(1).id
    assert Processor(mail, {"default": handler}, heartbeat_ms=5, time_limit_ms=10).run() == 0
    assert cleaned_up.is_set()
    assert "longer than 10 ms" in (mail.attempts(job_id)[0].error or "")
    assert (outcomes(mail, job_id), mail.result(job_id), mail.stats().waiting) == (["retry"], None, 1)


def test_a_cancelled_job_cancels_its_coroutine(mail: Queue) -> None:
    started = threading.Event()

    async def handler(task: Task) -> None:
        started.set()
        await asyncio.Event().wait()

    job_id = mail.send(1).id
    processor = Processor(mail, {"default": handler}, heartbeat_ms=5)
    processor.start()
    assert started.wait(PATIENCE)
    assert mail.cancel(job_id) is True
    until(lambda: mail.get(job_id) is None)
    processor.stop()
    assert outcomes(mail, job_id) == ["cancelled"]


def test_the_lease_of_a_coroutine_is_extended(mail: Queue, clock) -> None:
    async def handler(task: Task) -> int:
        for _ in range(3):
            clock.tick(999)
            due = clock.now + 1
            while (mail.get(task.job.id).wake_at or 0) <= due:  # type: ignore[union-attr]
                await asyncio.sleep(0.001)
        return task.job.received

    job_id = mail.send(1, lease_ms=1_000).id
    assert Processor(mail, {"default": handler}, heartbeat_ms=5).run() == 1
    assert (mail.result(job_id), outcomes(mail, job_id)) == (1, ["done"])


def test_stopping_lets_a_coroutine_finish_within_the_grace_period(mail: Queue) -> None:
    started, finish = threading.Event(), threading.Event()

    async def handler(task: Task) -> str:
        started.set()
        while not task.stopping:
            await asyncio.sleep(0.001)
        await asyncio.to_thread(finish.wait, PATIENCE)
        return "finished"

    job_id = mail.send(1).id
    processor = Processor(mail, {"default": handler}, shutdown_grace_ms=PATIENCE * 1_000)
    processor.start()
    assert started.wait(PATIENCE)
    threading.Timer(0.05, finish.set).start()
    processor.stop()
    assert (mail.result(job_id), outcomes(mail, job_id)) == ("finished", ["done"])


def test_a_coroutine_that_exceeds_the_grace_period_is_cancelled_and_its_job_released_unspent(mail: Queue) -> None:
    started, cleaned_up = threading.Event(), threading.Event()

    async def handler(task: Task) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cleaned_up.set()

    job_id = mail.send(1, max_receive=1).id
    processor = Processor(mail, {"default": handler}, shutdown_grace_ms=0)
    processor.start()
    assert started.wait(PATIENCE)
    processor.stop()
    assert cleaned_up.wait(PATIENCE)
    assert (outcomes(mail, job_id), mail.stats().ready) == (["released"], 1)


def test_a_handler_must_not_return_a_coroutine_function(mail: Queue) -> None:
    def handler(task: Task) -> object:
        async def save(tx: Transaction) -> None:
            raise AssertionError

        return save

    job_id = mail.send(1, max_receive=1).id
    assert Processor(mail, {"default": handler}).run() == 0
    assert outcomes(mail, job_id) == ["dead"]
    assert "must not be a coroutine function" in (mail.attempts(job_id)[0].error or "")


def test_a_callable_object_with_an_async_call_is_a_coroutine_handler(mail: Queue) -> None:
    class Handler:
        async def __call__(self, task: Task) -> int:
            await asyncio.sleep(0)
            return 7

    job_id = mail.send(1).id
    Processor(mail, {"default": Handler()}).run()
    assert mail.result(job_id) == 7
