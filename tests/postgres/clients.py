"""Client processes that tests kill or cut off from the server.

As a program: `python clients.py URL NAME` works on the queue `mail`, and says on standard output what it does.
"""

from __future__ import annotations

import logging
import sys
import threading
from typing import Any

from jotsam import Processor, Queue
from jotsam.core.errors import DatabaseUnavailable

JOBS = 50
MOMENT = 0.02  # seconds that a job takes, so that some are always in hand when something is killed


def produce(pipe: Any, url: str, name: str) -> None:
    """Sends as many numbered jobs as it is told, each with its key, until it is known that it was kept."""
    with _opened(url) as mail:
        sent = 0
        while sent < JOBS:
            for _ in range(pipe.recv()):
                while not _sent(mail, f"{name}-{sent}"):
                    pass
                sent += 1
    pipe.send("all sent")


def consume(pipe: Any, url: str, name: str) -> None:
    """Leaves one row for each job, in the transaction of its acknowledgement."""
    work = threading.Event()

    def handler(task):
        work.wait(MOMENT)
        return _row(task.payload, name)

    with _opened(url) as mail:
        Processor(mail, {"default": handler}, concurrency=2, heartbeat_ms=200).run(forever=True)


def share(pipe: Any, url: str, name: str) -> None:
    """The same; but whoever begins its first job says so, and goes on when it is told."""
    first, told = threading.Lock(), threading.Event()

    def handler(task):
        if first.acquire(blocking=False):
            pipe.send("begun")
            pipe.recv()
            told.set()
        told.wait()
        return _row(task.payload, name)

    with _opened(url) as mail:
        Processor(mail, {"default": handler}, concurrency=2, heartbeat_ms=200).run(forever=True)


def obey(url: str, name: str) -> None:
    """Says which job it has begun, waits for a line before it ends it, and says what it is warned of."""
    logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.WARNING)

    def handler(task):
        print(f"begun {task.payload}", flush=True)
        sys.stdin.readline()
        return _row(task.payload, name)

    with Queue(url, "mail") as mail:
        Processor(mail, {"default": handler}, concurrency=1, heartbeat_ms=200).run(forever=True)


def _row(key: str, owner: str):
    return lambda tx: tx.execute("insert into effect (key, owner) values (:key, :owner)", {"key": key, "owner": owner})


def _opened(url: str) -> Queue:
    """However often its connection is cut meanwhile."""
    while True:
        try:
            return Queue(url, "mail")
        except DatabaseUnavailable:
            pass


def _sent(mail: Queue, key: str) -> bool:
    try:
        mail.send(key, key=key, lease_ms=1_000, max_receive=1_000)
    except DatabaseUnavailable:
        return False
    return True


if __name__ == "__main__":
    obey(*sys.argv[1:])
