"""The memory of a server reaches a plateau, however long it answers and however many ask at once."""

from __future__ import annotations

import json
import os
import random
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

from http_server import HttpServer, serving
from jotsam import Jotsam
from jotsam.surfaces.http.server.limits import OF_FILE
from processes import until

CLIENTS = 40
HOURS = 10
REQUESTS_OF_AN_HOUR = 2_000  # of a busy team: sent as fast as they are answered
GROWTH_MB = 8
"""How much more a server may have at its end than after two of ten hours. It was 24 in 100 s without a bound."""

WORDS = [
    f"{first}{second}{end}" for first in "bdfgklmnprst" for second in "aeiou" for end in ("ter", "lon", "mis", "rd")
]


KINDS = ("recall", "recall", "recall", "add", "recall", "list", "recall", "status", "recall", "brief")


def text(seed: int, words: int) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def filled(db: str, number: int) -> None:
    with Jotsam(db, worker="off") as jot:
        for first in range(0, number, 500):
            jot.add_many([{"text": text(seed, 30)} for seed in range(first, min(number, first + 500))])


def requests(first: int) -> Iterator[tuple[str, str, object]]:
    """What clients ask: mostly recall, each time with other words."""
    for number in count(first):
        match KINDS[number % len(KINDS)]:
            case "recall":
                yield "POST", "/v1/recall", {"question": text(number, 4)}
            case "add":
                yield "POST", "/v1/memories", {"text": text(number, 12)}
            case "list":
                yield "GET", f"/v1/memories?limit={10 + number % 20}", None
            case kind:
                yield "GET", f"/v1/{kind}", None


def ask(server: HttpServer, first: int, number: int) -> set[int]:
    """The status of each of so many requests of one client, on one connection."""
    connection, seen = server.connection(), set()
    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    for (method, path, body), _ in zip(requests(first), range(number), strict=False):
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        answer.read()
        seen.add(answer.status)
    connection.close()
    return seen


def from_many(server: HttpServer, first: int, number: int) -> set[int]:
    """The same of many clients at once."""
    with ThreadPoolExecutor(CLIENTS) as clients:
        each = number // CLIENTS
        found = clients.map(lambda client: ask(server, first + client * each, each), range(CLIENTS))
        return set().union(*found)


def resident_mb(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


def connections(pid: int, db: str) -> int:
    folder = f"/proc/{pid}/fd"
    return sum(_open_file(f"{folder}/{one}") == os.path.realpath(db) for one in os.listdir(folder))


def _open_file(entry: str) -> str:
    """What an entry of /proc/PID/fd leads to; nothing if the process has closed it meanwhile."""
    try:
        return os.readlink(entry)
    except FileNotFoundError:
        return ""


def test_many_clients_at_once_do_not_open_as_many_connections(tmp_path: Path) -> None:
    db = str(tmp_path / "m.db")
    filled(db, 50)
    with serving(db) as server:
        most, ended = 0, threading.Event()

        def watch() -> None:
            nonlocal most
            while not ended.wait(0.01):
                most = max(most, connections(server.process.pid, db))

        counting = threading.Thread(target=watch)
        counting.start()
        try:
            assert from_many(server, 0, 2 * CLIENTS) == {200, 202}
        finally:
            ended.set()
            counting.join()
    # Beside those that answer: what records events, what checks the database, and what notes the use of tokens.
    assert OF_FILE <= most <= 16


def test_those_that_read_do_not_wait_for_those_that_write(tmp_path: Path) -> None:
    """More writers than there are threads for them wait for the lock that another process holds."""
    db = str(tmp_path / "m.db")
    filled(db, 1)
    number = 3 * OF_FILE
    with (
        serving(db, environ={"JOTSAM_LOCK_TIMEOUT_MS": "60000"}) as server,
        Jotsam(db, worker="off") as jot,
        ThreadPoolExecutor(number) as writers,
    ):
        with jot.database.transaction(tenant="default"):
            waiting = [writers.submit(server.post, "/v1/memories", {"text": text(one, 5)}) for one in range(number)]
            until(lambda: connections(server.process.pid, db) >= OF_FILE)
            assert server.post("/v1/recall", {"question": text(0, 3)}).status == 200
            assert not any(one.done() for one in waiting)
        assert {one.result().status for one in waiting} == {202}


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_ten_hours_of_a_busy_server_need_no_more_memory_than_two(tmp_path: Path) -> None:
    db, measured = str(tmp_path / "m.db"), []
    filled(db, 3_000)
    with serving(db, forked=False) as server:
        for hour in range(HOURS):
            assert from_many(server, hour * REQUESTS_OF_AN_HOUR, REQUESTS_OF_AN_HOUR) == {200, 202}
            measured.append(round(resident_mb(server.process.pid)))
    print(f"MB after each of {HOURS} hours: {measured}")
    assert measured[-1] - measured[1] <= GROWTH_MB, measured
