"""Type-checked, never run: the derived methods of `AsyncJotsam`, `Client` and `AsyncClient`, and wrong calls of them.

`warn_unused_ignores` of strict mode turns each `type: ignore` below into a test: it fails as soon as mypy accepts the
line. `assert_type` fails for a type that is not inferred.
"""

from __future__ import annotations

from typing import assert_type

from jotsam import (
    Answer,
    AsyncClient,
    AsyncJotsam,
    Client,
    ExportResult,
    Link,
    MemoryBlock,
    NewToken,
    Receipt,
    StoreChange,
    StoredItem,
)


async def correct_calls(jot: AsyncJotsam, client: Client, remote: AsyncClient) -> None:
    assert_type(await jot.recall("x", tags=["a"]), Answer)
    assert_type(await jot.add("x", source="a"), Receipt)
    assert_type(await jot.knowledge.link("a", "LEADS_TO", "b"), Link)
    assert_type(await jot.store.put(["a"], "k", {"n": 1}), StoreChange)
    assert_type(client.wait(), bool)
    assert_type(client.remember("x", type="a"), Receipt)
    client.admin.pause("enrich")
    assert_type(client.blocks.set("human", "x", pinned=True), MemoryBlock)
    assert_type(await remote.export("file"), ExportResult)
    assert_type(await remote.admin.create_token(name="x", scope="read"), NewToken)
    assert_type(await remote.store.get(["a"], "k"), StoredItem)


async def wrong_calls(jot: AsyncJotsam, client: Client, remote: AsyncClient) -> None:
    await jot.recall("x", taggs=["a"])  # type: ignore[call-arg]
    await jot.add("x", tx=None)  # type: ignore[call-arg]
    client.remember("x", tpye="a")  # type: ignore[call-arg]
    client.blocks.set("human", "x", pined=True)  # type: ignore[call-arg]
    client.add("x", tx=None)  # type: ignore[call-arg]
    await remote.recall("x", sinse="b")  # type: ignore[call-arg]
    await remote.admin.create_token(nam="x")  # type: ignore[call-arg]
    await remote.store.put(["a"], "k", 1, tx=None)  # type: ignore[call-arg]
