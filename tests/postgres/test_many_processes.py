"""Processes killed without mercy, connections cut, the server crashed in the middle: none lost, no effect twice."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clients import JOBS

from jotsam import Queue
from jotsam.errors import DatabaseUnavailable

PRODUCERS, KILLS = 2, 12
PATIENCE = 1_500  # looks, of a twenty-fifth of a second each


@contextmanager
def process(role: str, url: str, name: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, str(Path(__file__).parent / "clients.py"), role, url, name]
    started = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def test_killed_workers_and_a_crashed_server_lose_nothing_and_do_nothing_twice(url, server):
    with Queue(url, "mail") as mail, mail.transaction() as tx:
        tx.execute("create table effect (key text, owner text)")
    producers = [process("produce", url, f"p{number}") for number in range(PRODUCERS)]
    with producers[0] as first, producers[1] as second:
        for number in range(KILLS):
            with process("consume", url, f"w{number}a"), process("consume", url, f"w{number}b"):
                pause(0.7)
            if number == KILLS // 2:
                server.restart()
        with process("consume", url, "last"):
            until_all_is_done(url)
        assert (first.wait(60), second.wait(60)) == (0, 0)
    with Queue(url, "mail") as mail:
        with mail.transaction() as tx:
            effects = [row["key"] for row in tx.execute("select key from effect")]
        stats = mail.stats()
    assert sorted(effects) == sorted(f"p{p}-{n}" for p in range(PRODUCERS) for n in range(JOBS))
    assert (stats.accepted, stats.done, stats.dead) == (PRODUCERS * JOBS, PRODUCERS * JOBS, 0)


def until_all_is_done(url: str) -> None:
    for _ in range(PATIENCE):
        if done(url) == PRODUCERS * JOBS:
            return
        pause(0.04)


def done(url: str) -> int:
    try:
        with Queue(url, "mail") as mail:
            return mail.stats().done
    except DatabaseUnavailable:
        return -1


def pause(seconds: float) -> None:
    threading.Event().wait(seconds)
