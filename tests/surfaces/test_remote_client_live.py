"""`Client` and `AsyncClient` against a real `jotsam server start` with a worker: what a program does in a day."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_server import Scripted, ScriptedServer, Sent

from http_server import HttpServer, serving
from jotsam import AsyncClient, Client, Conflict, DatabaseUnavailable, DatabaseUnusable, InvalidInput, NotFound


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("live") / "jotsam.db"), worker=True) as running:
        yield running


class LosingTheFirst(ScriptedServer):
    """Passes requests on to a server, and loses the first answer: what was asked for is done."""

    def __init__(self, server: HttpServer) -> None:
        super().__init__()
        self._behind = server

    def answer(self, sent: Sent) -> Scripted:
        kept = {name: value for name, value in sent.headers.items() if name not in ("host", "connection")}
        got = self._behind.request(sent.method, sent.path, token=None, headers=kept, content=sent.body)
        return Scripted(cut=0) if len(self.sent) == 1 else Scripted(got.status, got.content)


def test_a_program_does_its_main_job_with_one_object(served: HttpServer, tmp_path: Path) -> None:
    with Client(served.url, token=served.token, project="shop") as jot:
        document = jot.add("# Storage\n\nWe chose PostgreSQL over MongoDB.\n", source="adr-004.md")
        memory = jot.remember("Bob Miller works at Initech.", external_id="crm/7", tags=["people"])
        results = jot.remember_many(["Deploys are on Friday.", {"text": "x", "importance": 7}])
        assert [one.error is None for one in results] == [True, False]
        assert jot.wait([document.id, memory.id], timeout_ms=40_000)
        answer = jot.recall("which database did we choose?", tokens=500)
        assert "PostgreSQL" in str(answer)
        assert answer.hits[0].project == "shop"
        assert [fact.object for fact in jot.knowledge.facts(subject="Bob")] == ["Initech"]
        assert jot.get("crm/7").id == memory.id
        page = jot.list(limit=2)
        rest = jot.list(limit=200, after=page.next)
        assert {one.project for one in (*page.memories, *rest.memories)} == {"shop"}
        version = jot.update(memory.id, importance=0.9, version=jot.get(memory.id).version).version
        with pytest.raises(Conflict):
            jot.update(memory.id, importance=0.1, version=version - 1)
        export = tmp_path / "all.jsonl"
        assert jot.export(export).counts["document"] == 1
        assert jot.forget(jot.plan_forget(ids=[memory.id])).memories == 1
        assert jot.forget(jot.plan_forget(person="Nobody Known")).left == ()
        with pytest.raises(NotFound):
            jot.get("crm/7")
        assert jot.import_memories(export).added["memory"] == 1
        assert jot.get("crm/7").importance == 0.9
        assert jot.admin.dead() == []


def test_the_same_for_asyncio_with_many_calls_at_once(served: HttpServer) -> None:
    async def main() -> None:
        async with AsyncClient(served.url, token=served.token) as jot:
            receipts = await asyncio.gather(*(jot.remember(f"Shelf {number} has tea.") for number in range(40)))
            assert len({receipt.id for receipt in receipts}) == 40
            assert await jot.wait(timeout_ms=40_000)
            assert (await jot.recall("shelf 17")).coverage.total >= 1
            assert await jot.knowledge.entities() is not None
            await asyncio.gather(*(jot.store.append(["s"], [[who, n] for n in range(10)]) for who in range(10)))
            assert sorted(one.position for one in await jot.store.search(["s"], limit=100)) == [*range(100)]
            with pytest.raises(InvalidInput, match="give a list"):
                await jot.store.put(["s"], "k", {"would be a list": (1, 2)})

    asyncio.run(main())


def test_an_answer_that_is_lost_on_the_way_makes_no_second_memory(served: HttpServer) -> None:
    token = served.create_token(tenant="lost")
    for accept in (
        lambda jot: jot.remember("The vault opens at nine."),
        lambda jot: jot.add("The vault closes at five."),
        lambda jot: jot.add_turn("Who has the key?", session="s"),
        lambda jot: jot.remember_many(["One.", "Two."])[0].receipt,
    ):
        with LosingTheFirst(served) as between, Client(between.url, token=token) as jot:
            receipt = accept(jot)
            assert not receipt.duplicate
            assert len(between.sent) == 2
    with LosingTheFirst(served) as between, Client(between.url, token=token) as jot:
        assert jot.upsert("vault", "The vault has a key.").created
    with LosingTheFirst(served) as between, Client(between.url, token=token) as jot:
        assert (jot.store.append(["s"], ["one"]).position, len(between.sent)) == (0, 2)
        assert [one.position for one in jot.store.search(["s"])] == [0]
    with LosingTheFirst(served) as between, Client(between.url, token=token) as jot:
        with pytest.raises(DatabaseUnavailable):  # What it took out is not kept for a second request.
            jot.store.pop(["s"])
        assert (len(between.sent), jot.store.search(["s"])) == (1, ())
    with Client(served.url, token=token) as jot:
        assert jot.wait(timeout_ms=40_000)
        texts = sorted(memory.text for memory in jot.list().memories)
    assert texts == [
        "One.",
        "The vault closes at five.",
        "The vault has a key.",
        "The vault opens at nine.",
        "Two.",
        "Who has the key?",
    ]


def test_a_token_that_is_unknown_or_may_not_do_it_is_refused(served: HttpServer) -> None:
    with Client(served.url, token="jot_a_b") as jot, pytest.raises(DatabaseUnusable, match="401"):
        jot.status()
    with Client(served.url, token=served.create_token(scope="read")) as jot:
        jot.status()
        with pytest.raises(DatabaseUnusable, match="scope write"):
            jot.remember("x")
