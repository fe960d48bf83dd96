"""What processes do that are killed without mercy, or cut off on a machine of their own.

As a program: `python clients.py URL NAME` works on the queue `mail`, and says on standard output what it does.
"""

from __future__ import annotations

import logging
import sys
import threading
from typing import Any

from jotsam import Processor, Queue
from jotsam.errors import DatabaseUnavailable

JOBS = 50
MOMENT = 0.02  # seconds that a job takes, so that some are always in hand when something is killed


def produce(pipe: Any, url: str, name: str) -> None:
    """Sends numbered jobs, each with its key, again for as long as it is not known whether it was kept."""
    with Queue(url, "mail") as mail:
        for number in range(JOBS):
            while not _sent(mail, f"{name}-{number}"):
                pass
    pipe.send("all sent")


def consume(pipe: Any, url: str, name: str) -> None:
    """Leaves one row for each job, in the transaction of its acknowledgement."""
    work = threading.Event()

    def handler(task):
        work.wait(MOMENT)
        return _row(task.payload, name)

    with Queue(url, "mail") as mail:
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


def _sent(mail: Queue, key: str) -> bool:
    try:
        mail.send(key, key=key, lease_ms=1_000, max_receive=1_000)
    except DatabaseUnavailable:
        return False
    return True


if __name__ == "__main__":
    obey(*sys.argv[1:])
