"""`AsyncJotsam`: the same calls, awaited; the event loop goes on, and a cancelled `await` undoes nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from jotsam import AsyncJotsam, InvalidInput, Jotsam, NotFound
from jotsam.core.settings import Settings

WAIT_S = 60  # no test waits this long unless it fails


class Gate:
    """A clock that, once the gate is closed, stops each call that reads it until the gate is opened again."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.opened.set()
        self.inside = self.most = 0
        self._lock = threading.Lock()

    def __call__(self) -> int:
        with self._lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        assert self.opened.wait(WAIT_S)
        with self._lock:
            self.inside -= 1
        return 1_750_000_000_000

    async def has(self, calls: int) -> None:
        """Wait until so many calls stand at the gate."""
        async with asyncio.timeout(WAIT_S):
            while self.inside < calls:
                await asyncio.sleep(0)


@pytest.fixture
def settings(url: str) -> Settings:
    return Settings(db=url, worker="off", worker_idle_ms=0)


@pytest.fixture
def opened(jot: Jotsam) -> Callable[[], list[str]]:
    """The texts of the tenant, read by a client of its own."""
    return lambda: sorted(hit.text for hit in jot.recall(limit=1_000, tokens=100_000).hits)


def test_fifty_adds_and_recalls_at_once_are_all_answered(settings: Settings) -> None:
    async def main() -> tuple[int, set[str], int]:
        async with AsyncJotsam(settings=settings) as jot:
            receipts = await asyncio.gather(*(jot.add(f"Note {n} about tea.", key=f"k{n}") for n in range(50)))
            answers = await asyncio.gather(*(jot.recall("tea", limit=100) for _ in range(50)))
            status = await jot.status()
        return len({one.id for one in receipts}), {one.question for one in answers}, status.documents

    assert asyncio.run(main()) == (50, {"tea"}, 50)


def test_the_event_loop_runs_on_while_every_thread_is_busy(settings: Settings) -> None:
    """The calls cannot end before the heartbeat has ticked a thousand times: it opens the gate."""
    gate = Gate()

    async def heartbeat() -> int:
        await gate.has(2)
        for _ in range(1_000):
            await asyncio.sleep(0)
        gate.opened.set()
        return 1_000

    async def main() -> int:
        async with AsyncJotsam(settings=settings, clock=gate, threads=2) as memory:
            gate.opened.clear()
            ticks, *_ = await asyncio.gather(heartbeat(), *(memory.status() for _ in range(6)))
        return ticks

    assert asyncio.run(asyncio.wait_for(main(), WAIT_S)) == 1_000
    assert gate.most <= 2


def test_a_cancelled_await_does_not_undo_the_call(
    settings: Settings, jot: Jotsam, opened: Callable[[], list[str]]
) -> None:
    gate = Gate()

    async def main() -> None:
        async with AsyncJotsam(settings=settings, clock=gate, threads=1) as memory:
            gate.opened.clear()
            begun = asyncio.create_task(memory.remember("This one had begun."))
            await gate.has(1)
            waiting = asyncio.create_task(memory.remember("This one had not."))
            await asyncio.sleep(0)
            begun.cancel(), waiting.cancel()
            for task in (begun, waiting):
                with pytest.raises(asyncio.CancelledError):
                    await task
            gate.opened.set()

    asyncio.run(asyncio.wait_for(main(), WAIT_S))
    assert opened() == ["This one had begun."]


def test_scopes_views_and_errors_are_those_of_the_synchronous_client(settings: Settings) -> None:
    async def main() -> None:
        async with AsyncJotsam(settings=settings) as jot:
            ana = jot.scoped(tenant="ana", actor="Ana")
            eve = jot.scoped(tenant="eve")
            first, second = await asyncio.gather(ana.remember("I like tea."), eve.remember("I like milk."))
            assert [hit.text for hit in (await ana.recall()).hits] == ["I like tea."]
            memory = (await ana.scoped(project="p").show(first.id)).memory
            assert memory is not None
            assert memory.actor == "Ana"
            with pytest.raises(NotFound):
                await eve.show(first.id)
            with pytest.raises(InvalidInput, match="tenant"):
                jot.scoped(tenant=" ")
            with pytest.raises(InvalidInput, match="'colour'"):
                await ana.remember("x", colour=1)  # type: ignore[call-arg]
            assert [job.id for job in await eve.admin.jobs()] == [second.job_id]
            assert not await eve.wait(timeout_ms=0)
            assert await jot.work() == 2
            assert await eve.wait([second.id], timeout_ms=0)
            assert [one.name for one in await ana.knowledge.entities()] == ["Ana"]
            assert (await ana.close(), (await ana.status()).memories) == (None, 1)

    asyncio.run(main())


@pytest.mark.needs_server
def test_ten_tasks_append_to_one_namespace_of_the_store(settings: Settings) -> None:
    async def main() -> None:
        async with AsyncJotsam(settings=settings) as jot:
            await asyncio.gather(*(jot.store.append(["s"], [[who, one] for one in range(10)]) for who in range(10)))
            found = await jot.store.search(["s"], limit=100)
            assert sorted(one.position for one in found) == [*range(100)]
            await jot.store.put(["a"], "k", {"n": 1})
            assert (await jot.store.get(["a"], "k")).value == {"n": 1}
            assert [one.items for one in await jot.store.namespaces()] == [1, 100]
            with pytest.raises(NotFound):
                await jot.store.get(["a"], "none")

    asyncio.run(main())


def test_it_opens_with_the_first_call_and_works_in_one_event_loop_after_another(settings: Settings) -> None:
    jot = AsyncJotsam(settings=settings)
    receipt = asyncio.run(jot.add("One."))
    assert asyncio.run(jot.show(receipt.id)).id == receipt.id
    asyncio.run(jot.close())
    with pytest.raises(InvalidInput, match="threads"):
        AsyncJotsam(settings=settings, threads=0)
