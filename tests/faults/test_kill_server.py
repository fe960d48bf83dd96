"""The HTTP server is killed while it answers many requests: with an idempotency key, each of them is stored once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException

import pytest

from http_server import HttpServer, Response, serving
from jotsam import Jotsam
from processes import PATIENCE

REQUESTS, CLIENTS = 200, 20
KILLED_AFTER = (40, 110)  # answers; at each of these moments up to 20 requests have begun


class Restarted:
    """The server that runs now, and clients that send each request again until it is answered."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.server: HttpServer | None = None
        self.answers: list[Response] = []
        self.sent_again = False

    def starts(self, server: HttpServer) -> None:
        with self.changed:
            self.server = server
            self.changed.notify_all()

    def wait_for_answers(self, number: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.answers) >= number, PATIENCE)

    def another_than(self, failed: HttpServer | None) -> HttpServer:
        """The running server, as soon as it is another one than that which did not answer."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.server is not failed, PATIENCE)
            assert self.server
            return self.server

    def send(self, number: int) -> None:
        """Until there is an answer. The first one to every tenth request is lost, as by a kill just after a commit."""
        failed, is_lost = None, number % 10 == 0
        while True:
            server = self.another_than(failed)
            headers = {"Idempotency-Key": f'"{number}"'}
            try:
                answer = server.post("/v1/memories", {"text": f"Request number{number}."}, headers=headers)
            except (OSError, HTTPException):
                failed = server
                self.sent_again = True
                continue
            if is_lost:
                is_lost = False
                continue
            with self.changed:
                self.answers.append(answer)
                self.changed.notify_all()
            return


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_requests_that_are_sent_again_to_a_restarted_server_are_stored_once(url, record_property):
    clients = Restarted()
    with ThreadPoolExecutor(CLIENTS) as pool:
        sending = [pool.submit(clients.send, number) for number in range(REQUESTS)]
        for number in (*KILLED_AFTER, REQUESTS):
            with serving(url) as server:
                clients.starts(server)
                clients.wait_for_answers(number)
                server.process.kill()
        for one in sending:
            one.result()
    assert clients.sent_again
    assert {answer.status for answer in clients.answers} == {202}
    with Jotsam(url, worker="off") as jot:
        stored = {str(memory.id): memory.text for memory in jot.list(limit=REQUESTS).memories}
        assert jot.status().memories == jot.status().depth.live == REQUESTS
    assert sorted(stored.values()) == sorted(f"Request number{number}." for number in range(REQUESTS))
    assert {answer.json["id"] for answer in clients.answers} == set(stored)
    record_property("tried", f"{REQUESTS} requests with a key, {len(KILLED_AFTER) + 1} kills")
