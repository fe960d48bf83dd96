"""Server-Sent Events of a real server, read from sockets."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from event_stream import EventStream
from http_server import HttpServer, serving
from jotsam import AsyncClient, Client, DatabaseUnusable, InvalidInput, Jotsam, NotFound
from jotsam.memory.events.event_hub import MAX_QUEUED
from jotsam.storage import events
from servers import Server

ENRICHED = ["memory.store", "enrichment.start", "enrichment.complete"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    with serving(str(tmp_path_factory.mktemp("events") / "jotsam.db")) as running:
        yield running


@pytest.fixture(scope="module")
def jot(served: HttpServer) -> Iterator[Jotsam]:
    """The same database in this process, which works off the jobs."""
    with Jotsam(served.db, worker="off") as jot:
        yield jot


def remember(server: HttpServer, text: str, **options: str) -> tuple[str, int]:
    stored = server.post("/v1/memories", {"text": text}, **options).json
    return stored["id"], stored["job_id"]


def test_a_tenant_is_followed_from_the_commit_to_the_last_job(served: HttpServer, jot: Jotsam) -> None:
    with EventStream(served) as stream:
        assert (stream.status, stream.headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
        assert stream.headers["cache-control"] == "no-store"
        stream.begun()
        id, job = remember(served, "Ana moved to Bonn.")
        jot.work()
        found = stream.until("enrichment.complete")
        assert [message.name for message in found] == ENRICHED
        assert {(message.data["subject"], message.data["job_id"]) for message in found} == {(id, job)}
        assert "Bonn" not in repr(found)
        served.post("/v1/recall", {"question": "Where is Ana?"})
        (recalled,) = stream.until("memory.recall")
        assert recalled.data["data"]["results"] >= 1


def test_a_client_that_was_away_gets_what_it_missed(served: HttpServer) -> None:
    with EventStream(served) as stream:
        stream.begun()
        first, _ = remember(served, "First.")
        assert stream.next().data["subject"] == first
        last_id = stream.last_id
    missed = [remember(served, f"Missed {number}.")[0] for number in range(3)]
    with EventStream(served, after=last_id) as stream:
        assert [stream.next().data["subject"] for _ in missed] == missed
        live, _ = remember(served, "Live.")
        assert stream.next().data["subject"] == live
    with EventStream(served, f"/v1/events?after={last_id}") as stream:
        assert stream.next().data["subject"] == missed[0]
    run, place, _ = last_id.split("-")
    with EventStream(served, after=f"{run}-{place}-{10**17}") as stream:
        gap = stream.next()
        assert (gap.name, gap.id) == ("gap", gap.data["resume"])
    assert served.get("/v1/events?after=x").status == 400
    assert served.request("HEAD", "/v1/events").content == b""


def test_a_job_is_followed_until_it_ends(served: HttpServer, jot: Jotsam) -> None:
    _, job = remember(served, "Ben moved to Cologne.")
    other, _ = remember(served, "Cleo moved to Ulm.")
    with EventStream(served, f"/v1/jobs/{job}/events") as stream:
        assert stream.next().name == "memory.store"
        jot.work()
        found = stream.until("end")
        assert [message.name for message in found] == [*ENRICHED[1:], "end"]
        assert found[-1].data == {"job_id": job, "state": "done"}
        assert stream.next() is None
    with EventStream(served, f"/v1/jobs/{job}/events") as stream:
        again = stream.until("end")
        assert [message.name for message in again] == [*ENRICHED, "end"]
        assert other not in repr(again)
    eve = served.create_token(tenant="eve", scope="read")
    for path in (f"/v1/jobs/{job}/events", "/v1/jobs/999999/events", "/v1/jobs/x/events"):
        assert served.get(path, token=eve).status in (400, 404), path
    assert served.get(f"/v1/jobs/{job}/events", token=eve).status == 404
    with EventStream(served, token=eve) as stream:
        stream.begun()
        remember(served, "Not for Eve.")
        mine, _ = remember(served, "For Eve.", token=served.create_token(tenant="eve", scope="write"))
        assert stream.next().data["subject"] == mine


def test_a_job_that_is_discarded_ends_its_stream(served: HttpServer, jot: Jotsam) -> None:
    _, job = remember(served, "Discard me.")
    with EventStream(served, f"/v1/jobs/{job}/events") as stream:
        assert stream.next().name == "memory.store"
        jot.admin.discard_many([job])
        assert stream.next().data == {"job_id": job, "state": "discarded"}


def test_clients_of_automem_get_their_shape(served: HttpServer, jot: Jotsam) -> None:
    token = served.create_token(tenant="dora", scope="write")
    assert served.get("/stream/status", token=token).json == {"subscribers": 0}
    with EventStream(served, "/stream", token=token) as stream:
        stream.begun()
        assert served.get("/stream/status", token=token).json == {"subscribers": 1}
        id, _ = remember(served, "Dora moved to Kiel.", token=token)
        jot.work()
        found = [stream.next() for _ in range(3)]
        assert [message.data["type"] for message in found] == ENRICHED
        assert [message.name for message in found] == [""] * 3
        assert found[0].data["data"]["id"] == id
        assert found[2].data["data"]["memory_id"] == id
        assert (found[2].data["data"]["success"], found[2].data["data"]["attempt"]) == (True, 1)
        for question, count in (("Kiel", 1), ("giraffe", 0)):
            assert served.get(f"/recall?query={question}", token=token).json["count"] == count
            recalled = stream.next().data
            assert (recalled["type"], recalled["data"]["result_count"]) == ("memory.recall", count)
        run = served.post("/v1/lifecycle/runs", {"step": "decay"}, token=token).json
        with EventStream(served, "/v1/events", token=token) as ours:
            ours.begun()
            jot.work()
            event = ours.next().data
        assert (event["type"], event["subject"], event["data"]["changed"]) == ("consolidation.run", run["id"], 1)
        consolidated = stream.next().data
        assert consolidated["type"] == "consolidation.run"
        assert consolidated["data"].pop("elapsed_ms") >= 0
        expected = {"task_type": "decay", "affected_count": 1, "success": True, "steps": ["decay"]}
        assert consolidated["data"].pop("next_scheduled").startswith("In ")
        assert consolidated["data"] == expected


def test_a_slow_reader_is_dropped_and_resumes_without_a_loss(served: HttpServer, jot: Jotsam) -> None:
    """The events fill the queue of the reader and what the operating system keeps for it."""
    token = served.create_token(tenant="another", scope="write")
    with EventStream(served, small=True) as slow, EventStream(served, token=token) as another:
        slow.begun(), another.begun()
        with jot.database.transaction(tenant="default", durable=False) as tx:
            for number in range(MAX_QUEUED + 50_000):
                events.record(tx, events.STORE, subject=str(number))
        remember(served, "Read after them.", token=token)
        assert another.next()
        found = slow.until("dropped")
        assert slow.next() is None
        resume = found[-1].data["resume"]
    subjects = [message.data["subject"] for message in found[:-1]]
    assert subjects == [str(number) for number in range(len(subjects))]
    with EventStream(served, after=resume) as stream:
        assert stream.next().data["subject"] == str(len(subjects))


def test_two_hundred_streams_get_what_happens(served: HttpServer) -> None:
    token = served.create_token(tenant="all", scope="write")
    streams = [EventStream(served, token=token) for _ in range(200)]
    try:
        for stream in streams:
            stream.begun()
        assert served.get("/stream/status", token=token).json == {"subscribers": 200}
        id, _ = remember(served, "For all.", token=token)
        assert {stream.next().data["subject"] for stream in streams} == {id}
    finally:
        for stream in streams:
            stream.close()


def test_the_client_follows_a_tenant_and_a_job(served: HttpServer, jot: Jotsam) -> None:
    token = served.create_token(tenant="fay", scope="write")
    with Client(served.url, token=token) as client:
        following = client.events()
        receipt = client.remember("Fay moved to Kiel.")
        jot.work()
        found = [next(following) for _ in ENRICHED]
        assert [event.type for event in found] == ENRICHED
        assert {(event.subject, event.job_id) for event in found} == {(receipt.id, receipt.job_id)}
        assert found == [*jot.scoped(tenant="fay").events(job=receipt.job_id)]
        assert found == [*client.events(job=receipt.job_id)]
        assert found[1:] == [*client.events(after=found[0].id, idle_ms=0)]
        for wrong, error in (({"after": "x"}, InvalidInput), ({"idle_ms": -1}, InvalidInput), ({"job": 99}, NotFound)):
            with pytest.raises(error):
                next(client.events(**wrong))
        for query in ("idle_ms=-1", "idle_ms=x"):
            assert served.get(f"/v1/events?{query}").status == 400

    async def read() -> list[str]:
        async with AsyncClient(served.url, token=token) as client:
            following = await client.events(idle_ms=0)
            await client.remember("Gil moved to Kiel.")
            return [event.type async for event in following]

    assert asyncio.run(read()) == ["memory.store"]


def test_the_client_goes_on_with_the_next_server(tmp_path: Path) -> None:
    db = str(tmp_path / "jotsam.db")
    with serving(db) as first, Client(first.url, token=first.token) as client, Jotsam(db, worker="off") as jot:
        following = client.events()
        ids = [jot.remember("Before.").id]
        assert next(following).subject == ids[0]
        first.process.kill()
        first.process.wait()
        ids += [jot.remember(f"While no server runs, {number}.").id for number in range(2)]
        with serving(db, "--port", str(urlsplit(first.url).port)) as second:
            assert [next(following).subject for _ in range(2)] == ids[1:]
            for token in jot.admin.tokens():
                jot.admin.revoke_token(token.id)
            second.stop()
        with serving(db, "--port", str(urlsplit(first.url).port)), pytest.raises(DatabaseUnusable):
            next(following)


def test_a_server_that_stops_ends_its_streams(served: HttpServer) -> None:
    """The last test of the module."""
    with EventStream(served) as stream:
        stream.begun()
        served.stop()
        assert stream.next() is None
        assert served.process.returncode == 0


def test_two_servers_of_one_database_send_what_a_third_process_writes(server: Server) -> None:
    db = server.url()
    with serving(db) as one, serving(db) as other, EventStream(one) as here, EventStream(other) as there:
        here.begun(), there.begun()
        command = [sys.executable, "-m", "jotsam", "--db", db, "add", "-", "--json"]
        subprocess.run(command, input="# Notes\n\nAna moved to Bonn.\n", text=True, check=True, capture_output=True)
        found = [stream.next() for stream in (here, there)]
        assert [message.name for message in found] == ["memory.store"] * 2
        assert found[0].id == found[1].id
        assert found[0].data["data"]["kind"] == "document"
