"""After `close()` every call says so; before, a closed client opened its database again without a word."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from jotsam import AsyncJotsam, DatabaseClosed, Jotsam, Queue
from jotsam.storage import connect

pytestmark = pytest.mark.needs_server


def refuses(call: Callable[[], object]) -> bool:
    with pytest.raises(DatabaseClosed, match="closed; open another one"):
        call()
    return True


def test_what_was_closed_stays_closed(url: str) -> None:
    jot = Jotsam(url, worker="off")
    scoped = jot.scoped(project="app")
    receipt = jot.add("A document about aardvarks.")
    scoped.close()
    assert jot.show(receipt.id)
    for _ in range(2):
        jot.close()
    assert refuses(lambda: jot.add("More."))
    assert refuses(lambda: jot.recall("aardvarks"))
    assert refuses(lambda: jot.show(receipt.id))
    assert refuses(lambda: jot.wait([receipt.id]))
    assert refuses(lambda: jot.work())
    assert refuses(lambda: jot.admin.pause("enrich"))
    assert refuses(lambda: scoped.remember("More."))
    with jot:
        assert refuses(jot.status)

    queue = Queue(url)
    sent = queue.send({"a": 1})
    queue.close()
    assert refuses(lambda: queue.send({"a": 2}))
    assert refuses(lambda: queue.receive(wait_ms=1))
    assert refuses(lambda: queue.get(sent.id))

    database = connect(url)
    database.close()
    assert refuses(lambda: database.wait(1))
    with Jotsam(url, worker="off") as again:
        assert again.status().documents == 1


def test_the_asynchronous_client_too(url: str) -> None:
    async def use() -> None:
        async with AsyncJotsam(url, worker="off") as jot:
            scoped = jot.scoped(project="app")
            await scoped.add("A document about aardvarks.")
        await jot.close()
        for client in (jot, scoped):
            with pytest.raises(DatabaseClosed, match="this AsyncJotsam was closed; open another one"):
                await client.recall("aardvarks")
        with pytest.raises(DatabaseClosed):
            async with jot:
                pass

    asyncio.run(use())
