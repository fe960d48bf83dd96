"""What processes do that are killed without mercy: `python clients.py produce|consume URL NAME`."""

from __future__ import annotations

import sys

from jotsam import Processor, Queue
from jotsam.errors import DatabaseUnavailable

JOBS = 100


def produce(url: str, name: str) -> None:
    """Sends numbered jobs, each with its key, again for as long as it is not known whether it was kept."""
    with Queue(url, "mail") as mail:
        for number in range(JOBS):
            while not _sent(mail, f"{name}-{number}"):
                pass


def consume(url: str, name: str) -> None:
    """Leaves one row for each job, in the transaction of its acknowledgement."""

    def handler(task):
        row = {"key": task.payload, "owner": name}
        return lambda tx: tx.execute("insert into effect (key, owner) values (:key, :owner)", row)

    with Queue(url, "mail") as mail:
        Processor(mail, {"default": handler}, concurrency=2, heartbeat_ms=200).run(forever=True)


def _sent(mail: Queue, key: str) -> bool:
    try:
        mail.send(key, key=key, lease_ms=1_000, max_receive=1_000)
    except DatabaseUnavailable:
        return False
    return True


if __name__ == "__main__":
    {"produce": produce, "consume": consume}[sys.argv[1]](*sys.argv[2:])
