"""Streams of events in one process: when they end, and what keeps them open."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from jotsam.core.settings import Settings
from jotsam.memory.access.tokens import create_token, find_principal, revoke_token
from jotsam.memory.events.event_hub import Subscription
from jotsam.memory.events.events import read_events
from jotsam.surfaces.http import events
from jotsam.surfaces.http.requests.route import Call
from jotsam.surfaces.http.server.options import ServeOptions
from jotsam.surfaces.http.server.server import Server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(Settings(db=str(tmp_path / "jotsam.db")), ServeOptions())
    server.events.start()
    yield server
    server.close()


def opened(server: Server, secret: str, **headers: str) -> AsyncIterator[bytes]:
    jot = server.open()
    principal = find_principal(jot.database, secret)
    query = events.EventsQuery()
    call = Call(
        path={}, query=query, body=None, headers=headers, request_id="1", server=server, jot=jot, principal=principal
    )
    body = events.tenant_events(call).body
    assert isinstance(body, AsyncIterator)
    return body


def test_a_quiet_stream_stays_open_until_its_token_is_revoked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "KEEP_ALIVE_S", 0)
    database = server.open().database
    token = create_token(database, tenant="default", name="test", scope="read")

    async def read() -> list[bytes]:
        pieces = []
        async for piece in opened(server, token.secret):
            pieces.append(piece)
            if len(pieces) == 5:
                revoke_token(database, tenant="default", id=token.id)
        return pieces

    pieces = asyncio.run(read())
    assert pieces[0].startswith(b"retry: ")
    assert {piece.split(b"\n")[0] for piece in pieces[2:]} == {b": keep-alive"}
    assert len(pieces) == 5
    assert server.events.count("default") == 0


def test_a_busy_stream_ends_too_when_its_token_is_revoked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    jot, now = server.open(), [0]
    monkeypatch.setattr(events, "monotonic_ms", lambda: now[0])
    token = create_token(jot.database, tenant="default", name="test", scope="read")

    async def read() -> int:
        pieces = 0
        async for _ in opened(server, token.secret):
            pieces += 1
            if pieces == 3:
                revoke_token(jot.database, tenant="default", id=token.id)
            if pieces == 20:
                break
            now[0] += 10_000  # Something happens every ten seconds, so that no keep-alive is due.
            if pieces > 1:
                jot.remember(f"Ana has {pieces} cats.")
        return pieces

    assert asyncio.run(read()) < 10


def test_one_process_serves_a_limited_number_of_streams(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MAX_STREAMS", 1)
    token = create_token(server.open().database, tenant="default", name="test", scope="read")

    async def read() -> None:
        stream = opened(server, token.secret)
        for _ in range(2):
            await anext(stream)
        with pytest.raises(events.HttpError) as refused:
            opened(server, token.secret)
        assert refused.value.status == 503

    asyncio.run(read())


def test_what_happens_while_a_stream_begins_is_sent_once(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is both in the history that the stream reads and handed over by the hub."""
    jot, real = server.open(), server.events.subscribe
    token = create_token(jot.database, tenant="default", name="test", scope="read")
    stored: list[str] = []

    def subscribe(tenant: str, *, job: int | None, wake: Callable[[], None]) -> Subscription:
        handed_over = threading.Event()
        made = real(tenant, job=job, wake=lambda: (handed_over.set(), wake())[0])
        stored.append(jot.remember("While it begins.").id)
        assert handed_over.wait(20)
        return made

    monkeypatch.setattr(server.events, "subscribe", subscribe)

    async def read() -> list[str]:
        found: list[str] = []
        async for piece in opened(server, token.secret, **{"last-event-id": start}):
            found += [line for line in piece.decode().splitlines() if line.startswith("data: ")]
            if piece.startswith(b"id: ") and b"data" not in piece:
                stored.append(await asyncio.to_thread(lambda: jot.remember("Afterwards.").id))
            if len(stored) == 2 and stored[1] in found[-1]:
                break
        return found

    start = read_events(jot.database, tenant="default").next
    found = asyncio.run(read())
    assert len(found) == 2
    assert stored[0] in found[0]
