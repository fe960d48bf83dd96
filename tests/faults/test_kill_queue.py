"""Producers and workers of a queue in a file are killed at any moment: nothing is lost, and nothing happens twice.

On a server, where more than processes can break, tests/postgres/test_many_processes.py does it.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

import roles
from jotsam.storage import QUEUE, connect, queue
from processes import WAIT_MS, Running, start, until

if TYPE_CHECKING:
    from jotsam.core.job_records import Sent
    from jotsam.storage.database import Database

AN_HOUR = 3_600_000
LEASE_MS = 1_500
PRODUCERS, WORKERS, BATCH = 8, 4, 32


def assert_sound(database: Database) -> None:
    with database.snapshot() as tx:
        assert tx.execute("pragma integrity_check") == [{"integrity_check": "ok"}]
        assert tx.execute("pragma foreign_key_check") == []
        totals = queue.totals(tx)
        (left,) = tx.execute("select count(*) as jobs from queue_job")
    assert totals["accepted"] == totals["done"] + totals["discarded"] + left["jobs"]


class Producer:
    """Sends numbered jobs in batches. One that was killed goes on with the first that it had no answer to."""

    def __init__(self, url: str, name: str, rounds: int) -> None:
        self.url, self.name, self.rounds = url, name, rounds
        self.accepted: list[Sent] = []
        self.start()

    def start(self, dies_at: int = 0) -> None:
        numbers = range(len(self.accepted), self.rounds * BATCH)
        self.running = start(roles.produce, self.url, dies_at, self.name, numbers, BATCH, LEASE_MS)

    def listen(self) -> int:
        """Take down what it says was accepted. Returns how much that is by now."""
        try:
            while self.running.pipe.poll():
                self.accepted.append(self.running.pipe.recv())
        except (EOFError, ConnectionError):
            pass  # It has ended, and everything it said is heard.
        return len(self.accepted)

    def go_on(self) -> None:
        try:
            self.running.tell("another batch")
        except ConnectionError:
            pass  # It has sent them all.

    def die(self, *, after: int, next_at: int) -> None:
        """In the middle of a batch. Its successor dies at a step of its own."""
        goal = len(self.accepted) + after
        until(lambda: self.listen() >= goal or not self.running.alive)
        self.running.kill()
        self.listen()
        self.start(next_at)

    def finish(self) -> None:
        self.running.kill()
        self.listen()
        self.start()
        for _ in range(self.rounds + 1):
            self.go_on()
        until(lambda: self.listen() and not self.running.alive)
        self.listen()


@pytest.mark.parametrize("rounds", [4, pytest.param(40, marks=pytest.mark.long)])
def test_producers_and_workers_are_killed_all_the_time_and_every_job_is_done_once(
    rounds, url, processes, record_property
):
    """A producer that died sends again, with the same keys, what it had no answer to."""
    database = connect(url, schemas=QUEUE, wait_ms=WAIT_MS)
    with database.transaction() as tx:
        tx.execute("create table effect (job_id integer not null, payload text not null)")
    dice = random.Random(2)
    producers = [Producer(url, f"p{number}", rounds) for number in range(PRODUCERS)]

    def worker() -> Running:
        processes.append(start(roles.consume, url, dice.choice([0, dice.randint(1, 150)]), AN_HOUR))
        return processes[-1]

    def effects() -> int:
        with database.snapshot() as tx:
            return int(tx.execute("select count(*) as effects from effect")[0]["effects"])

    workers = [worker() for _ in range(WORKERS)]
    for _ in range(rounds):
        for producer in producers:
            producer.go_on()
        dice.choice(producers).die(after=dice.randrange(BATCH), next_at=dice.randrange(3 * BATCH))
        goal = effects() + dice.randrange(BATCH)
        until(lambda goal=goal: effects() >= goal or not all(worker.alive for worker in workers))
        victim = next((n for n, worker in enumerate(workers) if not worker.alive), dice.randrange(WORKERS))
        workers[victim].kill()
        workers[victim] = worker()
    for producer in producers:
        producer.finish()
    for running in processes:
        running.kill()
    with database.snapshot() as tx:
        leases = [row["wake_at"] - tx.now for row in tx.execute("select wake_at from queue_job where state = 'leased'")]
    assert max(leases, default=0) <= LEASE_MS
    assert start(roles.consume, url, 0, AN_HOUR).ends() == 0
    assert_sound(database)
    with database.snapshot() as tx:
        done = tx.execute("select job_id, payload from effect")
        assert queue.depth(tx, queues=("q",), tenant="default").live == 0
        (ended,) = tx.execute("select count(*) as times from queue_attempt where outcome = 'interrupted'")
    database.close()
    wanted = {f'"p{producer}-{number}"' for producer in range(PRODUCERS) for number in range(rounds * BATCH)}
    assert Counter(row["payload"] for row in done) == Counter(wanted)
    accepted = [sent for producer in producers for sent in producer.accepted]
    assert {sent.id for sent in accepted} == {row["job_id"] for row in done}
    assert any(sent.duplicate for sent in accepted)
    assert ended["times"] > 0
    record_property("tried", f"{len(wanted)} jobs, {2 * rounds} kills")
