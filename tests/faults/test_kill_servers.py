"""Two HTTP servers of one database are killed in turn under load: nothing is lost or doubled, and streams resume."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from http.client import HTTPException

import pytest

from event_stream import EventStream
from http_server import HttpServer, serving
from jotsam import Jotsam
from processes import PATIENCE

CLIENTS, BETWEEN_KILLS = 12, 20


class Servers:
    """Two places, in each of which a server runs or is being replaced. Clients go on with the other one."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.changed = threading.Condition()
        self.running: list[HttpServer | None] = [None, None]
        self.answered: dict[int, str] = {}
        self.failures = 0
        self.closing = [ExitStack(), ExitStack()]

    def start(self, place: int) -> None:
        server = self.closing[place].enter_context(serving(self.url))
        with self.changed:
            self.running[place] = server
            self.changed.notify_all()

    def kill(self, place: int) -> None:
        """At any moment of its requests. Nothing tells its clients before."""
        server = self.running[place]
        assert server
        server.process.kill()
        with self.changed:
            self.running[place] = None
        self.closing[place].close()

    def any(self, number: int) -> HttpServer:
        with self.changed:
            assert self.changed.wait_for(lambda: any(self.running), PATIENCE)
            return self.running[number % 2] or self.running[1 - number % 2]  # type: ignore[return-value]

    def wait_for_answers(self, number: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.answered) >= number, PATIENCE)

    def send(self, number: int) -> None:
        """Until there is an answer: to the one server, then to the other. Every tenth answer is lost on its way."""
        tries, is_lost = 0, number % 10 == 0
        while True:
            server, tries = self.any(number + tries), tries + 1
            headers = {"Idempotency-Key": f'"{number}"'}
            try:
                answer = server.post("/v1/memories", {"text": f"Request number{number}."}, headers=headers)
            except (OSError, HTTPException):
                self.failures += 1
                continue
            if answer.status == 409 or is_lost:  # The other server still answers the same request.
                is_lost = is_lost and answer.status == 409
                continue
            assert answer.status == 202, answer
            with self.changed:
                self.answered[number] = answer.json["id"]
                self.changed.notify_all()
            return

    def follow(self, last_id: str, expected: int) -> list[str]:
        """What the stream of events says was stored, resumed at the other server whenever one is killed."""
        found: list[str] = []
        tries = 0
        while len(found) < expected:
            tries += 1
            try:
                with EventStream(self.any(tries), after=last_id) as stream:
                    while len(found) < expected and (message := stream.next()) is not None:
                        found += [message.data["subject"]] if message.name == "memory.store" else []
                        last_id = stream.last_id
            except (OSError, ValueError, IndexError):
                self.failures += 1
        return found


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("kills", [2, pytest.param(40, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_two_servers_accept_is_stored_once_and_told_once(url, kills: int, record_property) -> None:
    requests = (kills + 1) * BETWEEN_KILLS
    servers = Servers(url)
    with ThreadPoolExecutor(CLIENTS + 1) as pool, servers.closing[0], servers.closing[1]:
        servers.start(0), servers.start(1)
        with EventStream(servers.any(0)) as stream:
            begun = stream.begun().last_id
        following = pool.submit(servers.follow, begun, requests)
        sending = [pool.submit(servers.send, number) for number in range(requests)]
        for number in range(kills):
            servers.wait_for_answers((number + 1) * BETWEEN_KILLS - CLIENTS)
            servers.kill(number % 2)
            servers.start(number % 2)
        for one in sending:
            one.result()
        told = following.result()
    with Jotsam(url, worker="off") as jot:
        assert jot.status().memories == jot.status().depth.live == requests
        with jot.database.snapshot(tenant="default") as tx:
            stored = {row["uuid"]: row["body"] for row in tx.execute("select uuid, body from memory")}
    assert sorted(stored.values()) == sorted(f"Request number{number}." for number in range(requests))
    assert {stored[id] for id in servers.answered.values()} == {*stored.values()}
    assert sorted(told) == sorted(stored)
    record_property("tried", f"{requests} requests, {kills} kills, {len(told)} events, {servers.failures} sent again")
